// CPU time of a process with all that it has started: every thread, whatever it does, also of those that have ended
// meanwhile. So what one thing costs is a difference, in which everything falls out that is used without it as well.
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { threadCpuUs, threadName } from './processes.ts'

const TICK_US = 10_000 // of the kernel's coarse account, which alone knows of threads that have ended
const COARSENESS_US = 3 * TICK_US // it is rounded twice at either end

/** us: of CPU, since its start. */
interface Thread {
  readonly name: string
  readonly us: number
}

/** What one process has used until a moment, µs. */
interface Reading {
  /** Those that it has then. */
  readonly threads: ReadonlyMap<number, Thread>
  /** By the coarse account, those that it had before, too. */
  readonly allUs: number
  /** Its children that have ended. */
  readonly reapedUs: number
}

/** A process and all that came of it, by their numbers, at a moment. */
export type Usage = ReadonlyMap<number, Reading>

/** What a process and all that came of it have used until now. Fails when it has ended. */
export const usageOf = (pid: number): Usage => {
  const usage = new Map(
    familyOf(pid).flatMap((each) => {
      const reading = unlessGone(() => readingOf(each))
      return reading ? [[each, reading]] : []
    }),
  )
  if (!usage.has(pid)) throw new Error(`the process ${pid} has ended while it was measured`)
  return usage
}

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

/**
 * The same of some threads alone, by their process and name. Of one that has begun meanwhile it is all that it used.
 * Fails when one has ended: what it used is not known any more.
 */
export const usedByThose = (before: Usage, after: Usage, isOne: (pid: number, name: string) => boolean): number => {
  const ofThose = (usage: Usage): ReadonlyMap<number, Thread> =>
    new Map([...usage].flatMap(([pid, { threads }]) => [...threads].filter(([, { name }]) => isOne(pid, name))))
  const [then, now] = [ofThose(before), ofThose(after)]
  for (const [thread, { name }] of then)
    if (!now.has(thread)) throw new Error(`the thread ${name} has ended while it was measured`)
  return sum(now) - sum(then)
}

/**
 * To the nanosecond, unless the coarse account says that threads have ended meanwhile, which may have come after the
 * first moment.
 */
const usedByThreads = (then: Reading, now: Reading): number => {
  const us = sum(now.threads) - sum(then.threads)
  const coarseUs = now.allUs - then.allUs
  const isWhole = [...then.threads.keys()].every((thread) => now.threads.has(thread))
  return isWhole && coarseUs - us < COARSENESS_US ? us : coarseUs
}

const sum = (threads: Reading['threads']): number => [...threads.values()].reduce((all, { us }) => all + us, 0)

const readingOf = (pid: number): Reading => {
  const threads = new Map(
    threadsOf(pid).flatMap((thread) => {
      const found = unlessGone(() => ({ name: threadName(pid, thread), us: threadCpuUs(pid, thread) }))
      return found ? [[thread, found]] : []
    }),
  )
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ')
  const [user, system, ofChildren, inSystem] = fields.slice(11, 15).map((ticks) => Number(ticks) * TICK_US) as [
    ...[number, number, number, number],
  ]
  return { threads, allUs: user + system, reapedUs: ofChildren + inSystem }
}

const threadsOf = (pid: number): readonly number[] =>
  unlessGone(() => readdirSync(`/proc/${pid}/task`).map(Number)) ?? []

const familyOf = (pid: number): readonly number[] => [
  pid,
  ...threadsOf(pid)
    .flatMap((thread) => childrenOf(`/proc/${pid}/task/${thread}/children`))
    .flatMap(familyOf),
]

const childrenOf = (file: string): readonly number[] =>
  unlessGone(() => readFileSync(file, 'utf8'))
    ?.split(' ')
    .filter(Boolean)
    .map(Number) ?? []

/** Threads and processes end while one looks. */
const unlessGone = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** atMs: of performance.now(). */
export interface Moment {
  readonly usage: Usage
  readonly atMs: number
}

const PIECE_MS = 1000

/** What was used until now, until about each second while one waits, and until the end. */
export const momentsWhile = async (pid: number, wait: () => Promise<unknown>): Promise<readonly Moment[]> => {
  const now = (): Moment => ({ usage: usageOf(pid), atMs: performance.now() })
  const moments = [now()]
  const end = wait().then(() => true)
  while (!(await Promise.race([end, delay(PIECE_MS, false, { ref: false })]))) moments.push(now())
  const last = now()
  if (moments.length > 1 && last.atMs - (moments.at(-1)?.atMs ?? 0) < PIECE_MS / 2) moments.pop()
  return [...moments, last]
}

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
