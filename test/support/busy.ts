// A machine that others keep busy.
import { spawn } from 'node:child_process'
import type { TestContext } from 'node:test'

// Nobody ends it when the test is killed; it notices.
const BUSY = 'const parent = process.ppid; while (process.ppid === parent);'

/** Starts processes that compute until the test ends, each of them as much as it is let. */
export const keepBusy = (t: TestContext, count: number): void => {
  const children = Array.from({ length: count }, () => spawn(process.execPath, ['-e', BUSY], { stdio: 'ignore' }))
  const end = () => {
    for (const child of children) child.kill('SIGKILL')
  }
  process.once('exit', end)
  t.after(() => {
    end()
    process.off('exit', end)
  })
}
