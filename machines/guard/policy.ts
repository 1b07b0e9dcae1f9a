// The one decision of the resource guard, once a second: what is taken from which stream, and what it gets back.
import { type Cause, type CauseName, causesOf, latenessOf, type Unhurried, unhurriedAfter } from './causes.ts'
import { helps, matters, ranked, type Step, stepsOf } from './ladder.ts'
import { FULL, isCut, LEVERS, type Lever, type StreamLevel } from './levels.ts'
import type { DeviceReading, StreamReading } from './reading.ts'
import type { GuardSettings } from './settings.ts'

/** What is known of one stream. Times: ms of the monotonic clock. */
export interface GuardedStream {
  readonly level: StreamLevel
  /** When that was changed last; null: never. */
  readonly changed_ms: number | null
  /** Until when it is left alone, since somebody restored it; null: it is not. */
  readonly held_until_ms: number | null
  /** Why it was cut last; null: nothing is cut. */
  readonly why: Reason | null
  readonly unhurried: Unhurried | undefined
}

/** What was measured, and its limit. */
export type Reason = Pick<Cause, 'cause' | 'measure' | 'value' | 'limit'>

/** What became of one stream. */
export interface Decision {
  readonly at_ms: number
  readonly stream_id: string
  /** cut: something was taken. returned: it has some of it back. restored: somebody gave it all back by hand. */
  readonly what: 'cut' | 'returned' | 'restored'
  readonly before: StreamLevel
  readonly after: StreamLevel
  /** Of a cut. */
  readonly why: Reason | null
}

/** What the guard remembers from one second to the next. */
export interface GuardState {
  readonly streams: ReadonlyMap<string, GuardedStream>
  /** What the device has too little of, as it was judged last. */
  readonly causes: readonly Cause[]
  /** Those of the last look. */
  readonly decided: readonly Decision[]
  readonly last_cut_ms: number
  readonly last_return_ms: number
  readonly last_late_ms: number
  /** When a cause last asked for anything that the lever would help against. */
  readonly asked_ms: Readonly<Record<Lever, number>>
  /** From one return to the next; longer after each that had to be taken back. */
  readonly return_every_ms: number
  /** The temperatures of the last half minute, the oldest first. */
  readonly heat: readonly { readonly at_ms: number; readonly celsius: number }[]
}

const LONG_AGO = Number.NEGATIVE_INFINITY

/** Nothing is cut, nothing is known. */
export const START: GuardState = {
  streams: new Map(),
  causes: [],
  decided: [],
  last_cut_ms: LONG_AGO,
  last_return_ms: LONG_AGO,
  last_late_ms: LONG_AGO,
  asked_ms: Object.fromEntries(LEVERS.map((lever) => [lever, LONG_AGO])) as GuardState['asked_ms'],
  return_every_ms: 10_000,
  heat: [],
}

/** What one look has found. */
export interface Look {
  readonly now_ms: number
  readonly device: DeviceReading
  /** In the order of their creation. */
  readonly streams: readonly StreamReading[]
  readonly settings: GuardSettings
}

/** A stream is changed no more often than this, so that whoever watches it sees something steady. */
export const MIN_STEADY_MS = 10_000

/** How soon another step is taken: as long as the figures need to show what the one before has brought. */
const CUT_EVERY_MS: Readonly<Record<CauseName, number>> = {
  heat: 15_000, // a heat sink takes a minute or two; it is waited for as long as it cools
  throttling: 15_000,
  processor: 4_000, // latencies are those of the last two seconds
  memory: 4_000,
  disk: 5_000, // the pressure is that of the last ten
  disk_room: 5_000,
}

const QUIET_MS = 15_000 // the pressure is that of the last ten seconds
const MIN_RETURN_EVERY_MS = 10_000
const MAX_RETURN_EVERY_MS = 300_000
const BLAMED_MS = 60_000 // whatever asks for cuts so soon after a return was likely caused by it
const FORGIVEN_MS = 300_000
const TRY_AFTER_MS = 60_000 // without a late stream, although the processors have no rest
const HEAT_MS = 30_000

/** What is cut from now on. */
export const decide = (before: GuardState, look: Look): GuardState => {
  const { now_ms, device, settings } = look
  const order = ranked(look.streams)
  const heat = [
    ...before.heat.filter(({ at_ms }) => now_ms - at_ms < HEAT_MS),
    ...(device.celsius === null ? [] : [{ at_ms: now_ms, celsius: device.celsius }]),
  ]
  const streams = settled(admitted(before.streams, order, look), order, look)
  const lateOnes = order
    .map((stream) => ({ id: stream.id, lateness: latenessOf(stream, streams.get(stream.id)?.unhurried) }))
    .filter(({ lateness }) => lateness >= 1)
  const last_late_ms = lateOnes.length > 0 ? now_ms : before.last_late_ms
  const causes = causesOf(device, {
    settings,
    celsius_before: heat[0] && now_ms - heat[0].at_ms > HEAT_MS / 2 ? heat[0].celsius : null,
    late: lateOnes[0],
    punctual_ms: now_ms - last_late_ms,
    try_after_ms: Math.max(TRY_AFTER_MS, 2 * before.return_every_ms),
  })
  const asked_ms = Object.fromEntries(
    LEVERS.map((lever) => [
      lever,
      causes.some(({ levers }) => levers.includes(lever)) ? now_ms : before.asked_ms[lever],
    ]),
  ) as GuardState['asked_ms']
  const known = { ...before, streams, causes, last_late_ms, asked_ms, heat }
  const cutting = causes.filter(({ asks }) => asks === 'cut')
  // What is cut as far as it can be keeps nothing else from coming back.
  const next = cutMore(known, { ...look, order, cutting }) ?? giveBack(known, { ...look, order })
  return { ...next, decided: decisions(before.streams, next, now_ms) }
}

/** Somebody wants that stream back as it is to be: it is, and is left alone for a while. */
export const restore = (
  before: GuardState,
  { id, now_ms, hold_ms }: { readonly id: string; readonly now_ms: number; readonly hold_ms: number },
): GuardState => {
  const stream = before.streams.get(id) ?? NEW
  const restored = { ...stream, level: FULL, why: null, changed_ms: now_ms, held_until_ms: now_ms + hold_ms }
  const decision: Decision = {
    at_ms: now_ms,
    stream_id: id,
    what: 'restored',
    before: stream.level,
    after: FULL,
    why: null,
  }
  return { ...before, streams: new Map(before.streams).set(id, restored), decided: [decision] }
}

type Streams = ReadonlyMap<string, GuardedStream>

const NEW: GuardedStream = { level: FULL, changed_ms: null, held_until_ms: null, why: null, unhurried: undefined }

/** Those that are to run. One that comes while others are cut begins no better than those that rank before it. */
const admitted = (before: Streams, order: readonly StreamReading[], { now_ms, settings }: Look): Streams => {
  const [first] = order
  const isFirstCut = first !== undefined && (before.get(first.id)?.level.pipeline_rate ?? 0) > 0
  const streams = new Map<string, GuardedStream>()
  let above: StreamLevel = FULL
  let why: Reason | null = null
  for (const { id, latency_us } of order) {
    const known = before.get(id)
    const isPaused = isFirstCut && id !== first.id && settings.may_pause
    const stream = known ?? { ...NEW, level: isPaused ? { ...above, pause: 1 } : above }
    const isHeld = stream.held_until_ms !== null && stream.held_until_ms > now_ms
    streams.set(id, {
      ...stream,
      why: isCut(stream.level) ? (stream.why ?? why) : null,
      held_until_ms: isHeld ? stream.held_until_ms : null,
      unhurried: unhurriedAfter(stream.unhurried, latency_us),
      ...(known === undefined && isCut(stream.level) && { changed_ms: now_ms }),
    })
    why = stream.why ?? why
    above = worse(above, stream.level)
  }
  return streams
}

const worse = (one: StreamLevel, other: StreamLevel): StreamLevel =>
  Object.fromEntries(LEVERS.map((lever) => [lever, Math.max(one[lever], other[lever])])) as unknown as StreamLevel

/** A stream that has come to be the first, by its priority, is given back what it must have, at the cost of others. */
const settled = (streams: Streams, order: readonly StreamReading[], { now_ms, settings }: Look): Streams => {
  const [first, ...others] = order
  const guarded = first && streams.get(first.id)
  if (!guarded || !isFree(guarded, now_ms)) return streams
  const { level } = guarded
  const areOthersCut = others.every(({ id }) => {
    const other = streams.get(id) as GuardedStream
    return other.held_until_ms !== null || (settings.may_pause ? other.level.pause : other.level.pipeline_rate) > 0
  })
  const better = { ...level, pause: 0, pipeline_rate: areOthersCut ? level.pipeline_rate : 0 }
  if (better.pause === level.pause && better.pipeline_rate === level.pipeline_rate) return streams
  return new Map(streams).set(first.id, { ...guarded, level: better, changed_ms: now_ms })
}

/** Whether it may be changed again. */
const isFree = ({ changed_ms }: GuardedStream, now_ms: number): boolean =>
  changed_ms === null || now_ms - changed_ms >= MIN_STEADY_MS

type Known = Omit<GuardState, 'decided'>

/** undefined: nothing that could be cut would help. */
const cutMore = (
  state: Known,
  {
    order,
    cutting,
    now_ms,
    settings,
  }: Look & { readonly order: readonly StreamReading[]; readonly cutting: readonly Cause[] },
): Known | undefined => {
  const readings = new Map(order.map((stream) => [stream.id, stream]))
  const streams = new Map(state.streams)
  const isTooSoon = now_ms - state.last_cut_ms < Math.min(...cutting.map(({ cause }) => CUT_EVERY_MS[cause]))
  let mustWait = false
  for (const step of stepsOf(order, settings)) {
    const stream = streams.get(step.id) as GuardedStream
    const cause = cutting.find((each) => helps(each, step, order))
    if (!cause || stream.held_until_ms !== null || stream.level[step.lever] >= step.to) continue
    if (stream.level.pause > 0) continue // there is nothing left to take
    // What comes later in the order is not cut in the place of what may not be cut yet.
    mustWait ||= isTooSoon || !isFree(state.streams.get(step.id) as GuardedStream, now_ms)
    const { measure, value, limit } = cause
    const level = { ...stream.level, [step.lever]: step.to }
    const why = { cause: cause.cause, measure, value, limit }
    streams.set(step.id, { ...stream, level, changed_ms: now_ms, why })
    if (!matters(readings.get(step.id) as StreamReading, step.lever, stream.level)) continue
    if (mustWait) return state
    const isBlamed = now_ms - state.last_return_ms < BLAMED_MS
    const return_every_ms = isBlamed ? Math.min(MAX_RETURN_EVERY_MS, 2 * state.return_every_ms) : state.return_every_ms
    return { ...state, streams, last_cut_ms: now_ms, return_every_ms }
  }
  return undefined
}

const giveBack = (
  before: Known,
  { order, now_ms, settings }: Look & { readonly order: readonly StreamReading[] },
): Known => {
  const isForgiven = now_ms - before.last_cut_ms > FORGIVEN_MS
  const state = isForgiven ? { ...before, return_every_ms: MIN_RETURN_EVERY_MS } : before
  if (now_ms - state.last_return_ms < state.return_every_ms) return state
  const readings = new Map(order.map((stream) => [stream.id, stream]))
  const streams = new Map(state.streams)
  let hasChanged = false
  for (const step of everyStep(order, settings, streams)) {
    const stream = streams.get(step.id) as GuardedStream
    if (stream.level[step.lever] < step.to || now_ms - state.asked_ms[step.lever] < QUIET_MS) continue
    if (!isFree(state.streams.get(step.id) as GuardedStream, now_ms)) break
    const level = { ...stream.level, [step.lever]: step.to - 1 }
    streams.set(step.id, { ...stream, level, changed_ms: now_ms, why: isCut(level) ? stream.why : null })
    hasChanged = true
    if (matters(readings.get(step.id) as StreamReading, step.lever, stream.level)) break
  }
  return hasChanged ? { ...state, streams, last_return_ms: now_ms } : state
}

/** From the last to the first, and before them what is cut though the settings do not have it any more. */
const everyStep = (order: readonly StreamReading[], settings: GuardSettings, streams: Streams): readonly Step[] => {
  const steps = stepsOf(order, settings).toReversed()
  const isThere = ({ id, lever, to }: Step) =>
    steps.some((step) => step.id === id && step.lever === lever && step.to >= to)
  const stray = order.flatMap(({ id }) =>
    LEVERS.map((lever) => ({ id, lever, to: streams.get(id)?.level[lever] ?? 0 })).filter(
      (step: Step) => step.to > 0 && !isThere(step),
    ),
  )
  return [...stray, ...steps]
}

const decisions = (before: Streams, { streams }: Known, at_ms: number): readonly Decision[] =>
  [...streams].flatMap(([stream_id, { level: after, why }]) => {
    const { level } = before.get(stream_id) ?? NEW
    if (LEVERS.every((lever) => level[lever] === after[lever])) return []
    const isCutMore = LEVERS.some((lever) => after[lever] > level[lever])
    return { at_ms, stream_id, what: isCutMore ? 'cut' : 'returned', before: level, after, why: isCutMore ? why : null }
  })
