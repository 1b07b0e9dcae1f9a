// CPU time of a process with all that it has started: every thread, whatever it does, also of those that have ended meanwhile. So what one thing costs is a
// difference, in which everything falls out that is used without it as well.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { threadCpuUs } from './processes.ts'

const TICK_US = 10_000 // of the kernel's coarse account, which alone knows of threads that have ended
const COARSENESS_US = 3 * TICK_US // it is rounded twice at either end

/** What one process has used until a moment, µs. threads: those that it has then. allUs: by the coarse account, those that it had before, too. reapedUs: its children that have ended. */
interface Reading {
  readonly threads: ReadonlyMap<number, number>
  readonly allUs: number
  readonly reapedUs: number
}

/** A process and all that came of it, by their numbers, at a moment. */
export type Usage = ReadonlyMap<number, Reading>

/** What a process and all that came of it have used until now. */
export const usageOf = (pid: number): Usage => new Map(familyOf(pid).map((each) => [each, readingOf(each)]))

/** What was used between two moments, µs. */
export const usedBetween = (before: Usage, after: Usage): number => {
  let us = 0
  for (const [pid, now] of after) {
    const then = before.get(pid)
    us += now.reapedUs - (then?.reapedUs ?? 0) + (then ? usedByThreads(then, now) : sum(now.threads))
  }
  // All that it ever used is among what its parent has reaped.
  for (const [pid, then] of before) if (!after.has(pid)) us -= sum(then.threads) + then.reapedUs
  return us
}

/** To the nanosecond, unless the coarse account says that threads have ended meanwhile, which may have come after the first moment. */
const usedByThreads = (then: Reading, now: Reading): number => {
  const us = sum(now.threads) - sum(then.threads)
  const coarseUs = now.allUs - then.allUs
  const isWhole = [...then.threads.keys()].every((thread) => now.threads.has(thread))
  return isWhole && coarseUs - us < COARSENESS_US ? us : coarseUs
}

const sum = (threads: ReadonlyMap<number, number>): number => [...threads.values()].reduce((all, us) => all + us, 0)

const readingOf = (pid: number): Reading => {
  const threads = new Map(threadsOf(pid).map((thread) => [thread, threadCpuUs(pid, thread)]))
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ')
  const [user, system, ofChildren, inSystem] = fields.slice(11, 15).map((ticks) => Number(ticks) * TICK_US) as [
    ...[number, number, number, number],
  ]
  return { threads, allUs: user + system, reapedUs: ofChildren + inSystem }
}

const threadsOf = (pid: number): readonly number[] => readdirSync(`/proc/${pid}/task`).map(Number)

const familyOf = (pid: number): readonly number[] => [
  pid,
  ...threadsOf(pid)
    .flatMap((thread) => childrenOf(`/proc/${pid}/task/${thread}/children`))
    .flatMap(familyOf),
]

const childrenOf = (file: string): readonly number[] =>
  existsSync(file) ? readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number) : []

/** What is used in a second while one waits: by all together, and by the first process alone. */
export const usedPerSecond = async (
  pid: number,
  wait: () => Promise<unknown>,
): Promise<{ readonly allUs: number; readonly firstUs: number }> => {
  const [before, startMs] = [usageOf(pid), performance.now()]
  await wait()
  const [after, seconds] = [usageOf(pid), (performance.now() - startMs) / 1000]
  const only = (usage: Usage): Usage => {
    const { threads, allUs } = usage.get(pid) as Reading
    return new Map([[pid, { threads, allUs, reapedUs: 0 }]])
  }
  return { allUs: usedBetween(before, after) / seconds, firstUs: usedBetween(only(before), only(after)) / seconds }
}
