// Whether an engine that says nothing is slow or hangs. Judged by what its threads do, never by the clock alone: on a
// machine that others keep busy everything takes long.
//
// A thread that computes is at work. One that waits for a processor would be. One that does neither, though it has
// something to do, stands still.

/** How often an engine is looked at while an answer is awaited. */
export const LOOK_EVERY_MS = 250

/** What some threads of an engine have done until now. */
export interface ThreadLoad {
  /** Their CPU time together. */
  readonly cpuMs: number
  /** Whether any of them runs or waits for a processor. */
  readonly isRunnable: boolean
}

/** For how long an answer has been awaited, and what the threads did meanwhile, up to the latest look. */
export interface HangWatch {
  /** When that look was. */
  readonly atMs: number
  /** What the threads had computed by then. */
  readonly cpuMs: number
  /** Without a break up to now, neither computing nor waiting for a processor. */
  readonly idleMs: number
  /** Computing. */
  readonly busyMs: number
  /** All in all. */
  readonly waitedMs: number
}

/** From when on an engine is said to hang. */
export interface Limits {
  /** Standing still. */
  readonly idleMs: number
  /** Computing and not done. */
  readonly busyMs: number
  /** Whatever the reason, since nothing waits for ever. */
  readonly waitedMs: number
}

/**
 * The limits, by what is asked for. docs/decisions/0022-slow-or-hung.md has the measurements.
 *
 * A camera that does not answer keeps its driver for 5 s; whoever asks about its controls may have to wait for another
 * who does. A child that starts needs 0.3 s of CPU, the opening of a synthetic camera of 4096x4096 less than 1 s;
 * drivers that look for a device sleep up to 5 s. An answer to a ping needs 0.2 ms; 2 s are for a page that has to come
 * back from a memory card. A detector takes 0.7 s of CPU for the largest pictures of cameras, 4 s at full resolution
 * and 5 s for 64 megapixels, on a small board four times that. Of a recording 32 MB at most wait for the disk.
 */
export const LIMITS = {
  start: { idleMs: 10_000, busyMs: 20_000, waitedMs: 120_000 },
  open: { idleMs: 10_000, busyMs: 30_000, waitedMs: 120_000 },
  controls: { idleMs: 12_000, busyMs: 30_000, waitedMs: 120_000 },
  ping: { idleMs: 2_000, busyMs: 10_000, waitedMs: 60_000 },
  step: { idleMs: 2_000, busyMs: 30_000, waitedMs: 600_000 },
  record: { idleMs: 20_000, busyMs: 20_000, waitedMs: 60_000 },
} as const satisfies Record<string, Limits>
export type EngineLimits = Readonly<Record<keyof typeof LIMITS, Limits>>

const MIN_WORK_MS = 1 // in one look; less is the housekeeping of a thread that sleeps

/** What is known when an answer begins to be awaited. */
export const startHangWatch = ({ cpuMs }: ThreadLoad, atMs: number): HangWatch => ({
  atMs,
  cpuMs,
  idleMs: 0,
  busyMs: 0,
  waitedMs: 0,
})

/**
 * After another look. When that came late, the looker was held up itself: what passed meanwhile says nothing of the
 * engine.
 */
export const updateHangWatch = (before: HangWatch, { cpuMs, isRunnable }: ThreadLoad, atMs: number): HangWatch => {
  const passedMs = Math.min(Math.max(0, atMs - before.atMs), 2 * LOOK_EVERY_MS)
  const workedMs = Math.max(0, cpuMs - before.cpuMs) // threads that ended take their time with them
  const isIdle = workedMs < MIN_WORK_MS && !isRunnable
  return {
    atMs,
    cpuMs,
    idleMs: isIdle ? before.idleMs + passedMs : 0,
    busyMs: before.busyMs + workedMs,
    waitedMs: before.waitedMs + passedMs,
  }
}

/** Why it is said to hang, as the end of a sentence; undefined: it is not. */
export const hangReason = ({ idleMs, busyMs, waitedMs }: HangWatch, limits: Limits): string | undefined => {
  if (idleMs >= limits.idleMs) return `it has stood still for ${seconds(idleMs)}`
  if (busyMs >= limits.busyMs) return `it has computed for ${seconds(busyMs)} and is not done`
  return waitedMs >= limits.waitedMs ? `it is not done after ${seconds(waitedMs)}` : undefined
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/** An engine's answer to a ping. */
export interface Pulse {
  /** Whether its pipeline has a picture in work. */
  readonly is_busy: boolean
  /** Grows with each step that is done. */
  readonly steps_done: number
}

/** The step that is in work. */
export interface StepWatch {
  /** How many were done before it. */
  readonly stepsDone: number
  /** For how long it has been in work. */
  readonly hangWatch: HangWatch
}

/** What is thought of a pipeline after a look at it. */
export type StepVerdict = {
  /** turns: the pipeline moves, or has nothing to do. unsure: look again. */
  readonly verdict: 'turns' | 'unsure' | 'hangs'
  readonly why?: string
  readonly watch?: StepWatch
}

/** A look at the pipeline. */
export interface StepLook {
  readonly pulse: Pulse
  /** Of its threads. */
  readonly load: ThreadLoad
  readonly atMs: number
}

/** Judges the pipeline by two looks at it. before: what was seen the last time, be it long ago; undefined: nothing. */
export const judgeStep = (
  before: StepWatch | undefined,
  { pulse, load, atMs }: StepLook,
  limits: Limits,
): StepVerdict => {
  if (!pulse.is_busy) return { verdict: 'turns' }
  if (before?.stepsDone !== pulse.steps_done)
    return {
      verdict: before ? 'turns' : 'unsure',
      watch: { stepsDone: pulse.steps_done, hangWatch: startHangWatch(load, atMs) },
    }
  const hangWatch = updateHangWatch(before.hangWatch, load, atMs)
  const watch = { stepsDone: pulse.steps_done, hangWatch }
  const why = hangReason(hangWatch, limits)
  if (why !== undefined) return { verdict: 'hangs', why, watch }
  return { verdict: hangWatch.idleMs === 0 ? 'turns' : 'unsure', watch }
}
