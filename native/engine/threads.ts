// What the threads of an engine do, as the kernel tells: how long they have computed, and whether they run or wait for
// a processor.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ThreadLoad } from '../../machines/engine/health.ts'

/** What the threads of an engine have done. */
export interface EngineThreads {
  /** The whole process. */
  readonly all: ThreadLoad
  /** The thread that answers. */
  readonly main: ThreadLoad
  /** Those that run the pipeline. */
  readonly worker: ThreadLoad
}

interface Thread extends ThreadLoad {
  readonly id: number
  readonly name: string
}

const WORKER = 'worker' // the name that native/addon/stream/runner.cc gives, and libapriltag's threads take over
const MAKER = 'maker' // the name that a thread has while it makes a plan (native/addon/binding/stream_changes.cc)
const TICK_MS = 10 // USER_HZ is 100 on every Linux that Node runs on

/** undefined: the process is gone. proc: where the kernel's files are. */
export const readThreads = (pid: number, proc = '/proc'): EngineThreads | undefined => {
  const threads = threadsOf(pid, proc)
  if (threads.length === 0) return undefined
  return {
    all: sum(threads),
    main: sum(threads.filter(({ id }) => id === pid)),
    worker: sum(threads.filter(({ name }) => name === WORKER)),
  }
}

const threadsOf = (pid: number, proc: string): readonly Thread[] => {
  const folder = join(proc, String(pid), 'task')
  const ids = attempt(() => readdirSync(folder)) ?? []
  return ids.flatMap((id) => readThread(join(folder, id)) ?? [])
}

/** Of the threads of a process that have that name; none: neither has done anything. */
export const loadOfThreads = (pid: number, name: string, proc = '/proc'): ThreadLoad =>
  sum(threadsOf(pid, proc).filter((each) => each.name === name))

/** How deep a tree of processes is looked through. */
const MAX_DEPTH = 8

/** Of all threads of a process and of those that it has started; none: nothing is done there. */
export const loadOfTree = (pid: number, proc = '/proc', depth = 0): ThreadLoad => {
  const threads = threadsOf(pid, proc)
  if (depth === MAX_DEPTH) return sum(threads)
  const started = threads.flatMap(({ id }) =>
    (attempt(() => readFileSync(join(proc, String(pid), 'task', String(id), 'children'), 'latin1')) ?? '')
      .split(' ')
      .filter((word) => word !== ''),
  )
  return sum([...threads, ...started.map((child) => loadOfTree(Number(child), proc, depth + 1))])
}

/**
 * What has been computed by threads of a process while they made plans. Before and after, the same threads do other
 * things.
 */
export class MakerLoad {
  readonly #pid: number
  readonly #proc: string
  #seen = new Map<number, number>()
  #cpuMs = 0

  constructor(pid: number, proc = '/proc') {
    this.#pid = pid
    this.#proc = proc
  }

  /** Since the first look. */
  look(): ThreadLoad {
    const makers = threadsOf(this.#pid, this.#proc).filter(({ name }) => name === MAKER)
    for (const { id, cpuMs } of makers) this.#cpuMs += cpuMs - (this.#seen.get(id) ?? cpuMs)
    this.#seen = new Map(makers.map(({ id, cpuMs }) => [id, cpuMs]))
    return { cpuMs: this.#cpuMs, isRunnable: makers.some(({ isRunnable }) => isRunnable) }
  }
}

/** `stat` is "17 (a name) S 1 ..."; in a name may stand anything, so it is read from the last bracket on. */
const readThread = (folder: string): Thread | undefined => {
  const stat = attempt(() => readFileSync(join(folder, 'stat'), 'latin1'))
  if (stat === undefined) return undefined // it has ended
  const [open, close] = [stat.indexOf('('), stat.lastIndexOf(')')]
  const fields = stat.slice(close + 2).split(' ')
  const [state, userTicks, systemTicks] = [fields[0], fields[11], fields[12]]
  const ticksMs = (Number(userTicks) + Number(systemTicks)) * TICK_MS
  return {
    id: Number.parseInt(stat, 10),
    name: stat.slice(open + 1, close),
    cpuMs: exactCpuMs(folder) ?? ticksMs,
    isRunnable: state === 'R',
  }
}

/** To the nanosecond, where the kernel keeps count of it. */
const exactCpuMs = (folder: string): number | undefined => {
  const ns = Number(attempt(() => readFileSync(join(folder, 'schedstat'), 'latin1'))?.split(' ')[0])
  return ns > 0 ? ns / 1e6 : undefined
}

const sum = (threads: readonly ThreadLoad[]): ThreadLoad => ({
  cpuMs: threads.reduce((total, { cpuMs }) => total + cpuMs, 0),
  isRunnable: threads.some(({ isRunnable }) => isRunnable),
})

/** The files of a thread vanish with it, at any moment. */
const attempt = <Value>(read: () => Value): Value | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}
