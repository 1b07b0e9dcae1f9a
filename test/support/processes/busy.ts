// A machine that others keep busy.
import { spawn } from 'node:child_process'
import type { TestContext } from 'node:test'

// It looks now and then whether who started it is still there: whatever becomes of that, nothing computes for ever.
const BUSY = 'const parent = process.ppid; while (process.ppid === parent) for (let n = 0; n < 1e8; n++);'

/** Starts processes that compute, each of them as much as it is let, until they are ended or this process ends. Returns the way to end them. */
export const startBusy = (count: number): (() => void) => {
  const children = Array.from({ length: count }, () => spawn(process.execPath, ['-e', BUSY], { stdio: 'ignore' }))
  const end = () => {
    for (const child of children) child.kill('SIGKILL')
    process.off('exit', end)
  }
  process.once('exit', end)
  return end
}

/** Starts such processes for the length of a test. */
export const keepBusy = (t: TestContext, count: number): void => t.after(startBusy(count))
