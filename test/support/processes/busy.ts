// A machine that others keep busy.
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import type { TestContext } from 'node:test'

// It looks now and then whether who started it is still there: whatever becomes of that, nothing computes for ever.
const BUSY = 'const parent = process.ppid; while (process.ppid === parent) for (let n = 0; n < 1e8; n++);'

/**
 * Starts processes that compute, each of them as much as it is let, until they are ended or this
 * process ends. place: does something to each. Returns the way to end them.
 */
export const startBusy = (count: number, place: (pid: number) => void = () => {}): (() => void) => {
  const children = Array.from({ length: count }, () => spawn(process.execPath, ['-e', BUSY], { stdio: 'ignore' }))
  for (const { pid } of children) place(pid as number)
  const end = () => {
    for (const child of children) child.kill('SIGKILL')
    process.off('exit', end)
  }
  process.once('exit', end)
  return end
}

/** The first core that this process may use. */
const firstCore = (): string =>
  /^Cpus_allowed_list:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'

const confine = (pid: number): void =>
  void execFileSync('taskset', ['-a', '-c', '-p', firstCore(), String(pid)], { stdio: 'ignore' })

const BUSY_ON_A_CORE = 4

/**
 * Gives processes a fifth of one core, or less, for the length of a test: they share it with four which compute, of the
 * same precedence. All other cores are as they were, for other tests. It is as slow there as beside eight on two cores.
 */
export const keepCoreBusy = (t: TestContext, pids: readonly [number, ...number[]]): void => {
  for (const pid of pids) confine(pid)
  const nice = getPriority(pids[0])
  const place = (pid: number): void => {
    confine(pid)
    setPriority(pid, nice)
  }
  t.after(startBusy(BUSY_ON_A_CORE, place))
}
