// Whether an engine that says nothing is slow or hangs. Judged by what its threads do, never by the clock alone: on a machine that others keep busy
// everything takes long.
//
// A thread that computes is at work. One that waits for a processor would be. One that does neither, though it has something to do, stands still.

/** How often an engine is looked at while an answer is awaited. */
export const LOOK_EVERY_MS = 250

/** What some threads of an engine have done until now: their CPU time together, and whether any of them runs or waits for a processor. */
export interface ThreadLoad {
  readonly cpuMs: number
  readonly isRunnable: boolean
}

/** What has been waited for, and for how long in which way, up to the latest look. */
export interface Patience {
  readonly atMs: number
  readonly cpuMs: number
  /** Without a break up to now, neither computing nor waiting for a processor. */
  readonly idleMs: number
  readonly busyMs: number
  readonly waitedMs: number
}

/** When patience ends. idleMs: standing still. busyMs: computing and not done. waitedMs: whatever the reason, since nothing waits for ever. */
export interface Limits {
  readonly idleMs: number
  readonly busyMs: number
  readonly waitedMs: number
}

/**
 * The limits, by what is asked for. docs/decisions/0022-slow-or-hung.md has the measurements.
 *
 * A camera that does not answer keeps its driver for 5 s; whoever asks about its controls may have to wait for another who does. A child that starts needs 0.3 s of CPU, the opening of a synthetic camera of 4096x4096 less than 1 s; drivers that look for a device sleep up to 5 s.
 * An answer to a ping needs 0.2 ms; 2 s are for a page that has to come back from a memory card. A detector takes 0.7 s of CPU for the largest
 * pictures of cameras, 4 s at full resolution and 5 s for 64 megapixels, on a small board four times that. Of a recording 32 MB at most wait for the disk.
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

export const patienceFrom = ({ cpuMs }: ThreadLoad, atMs: number): Patience => ({
  atMs,
  cpuMs,
  idleMs: 0,
  busyMs: 0,
  waitedMs: 0,
})

/** After another look. When that came late, the looker was held up himself: what passed meanwhile says nothing of the engine. */
export const patienceAfter = (before: Patience, { cpuMs, isRunnable }: ThreadLoad, atMs: number): Patience => {
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

/** Why there is no more waiting, as the end of a sentence about what hangs; undefined while there is. */
export const impatience = ({ idleMs, busyMs, waitedMs }: Patience, limits: Limits): string | undefined => {
  if (idleMs >= limits.idleMs) return `it has stood still for ${seconds(idleMs)}`
  if (busyMs >= limits.busyMs) return `it has computed for ${seconds(busyMs)} and is not done`
  return waitedMs >= limits.waitedMs ? `it is not done after ${seconds(waitedMs)}` : undefined
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/** An engine's answer to a ping: whether its pipeline has a picture in work, and a number that grows with each step that is done. */
export interface Pulse {
  readonly is_busy: boolean
  readonly steps_done: number
}

/** The step that is in work, and the patience with it. */
export interface StepWatch {
  readonly stepsDone: number
  readonly patience: Patience
}

/** turns: the pipeline moves, or has nothing to do. unsure: look again. */
export type StepVerdict = {
  readonly verdict: 'turns' | 'unsure' | 'hangs'
  readonly why?: string
  readonly watch?: StepWatch
}

/** A look at the pipeline. load: of its threads. */
export interface StepLook {
  readonly pulse: Pulse
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
      watch: { stepsDone: pulse.steps_done, patience: patienceFrom(load, atMs) },
    }
  const patience = patienceAfter(before.patience, load, atMs)
  const watch = { stepsDone: pulse.steps_done, patience }
  const why = impatience(patience, limits)
  if (why !== undefined) return { verdict: 'hangs', why, watch }
  return { verdict: patience.idleMs === 0 ? 'turns' : 'unsure', watch }
}
