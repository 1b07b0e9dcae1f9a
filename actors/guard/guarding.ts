// The guarding of all streams, one look after the other: what is measured is judged, and the streams are told what they
// get.
import type { Fault } from '../../machines/errors/fault.ts'
import { latenessOf } from '../../machines/guard/causes.ts'
import { streamGuarded } from '../../machines/guard/events.ts'
import { guardedStatus, limitWords, reasonWords } from '../../machines/guard/guarded-status.ts'
import { ranked } from '../../machines/guard/ladder.ts'
import { isCut, limitOf, NO_LIMIT, type StreamLimit } from '../../machines/guard/levels.ts'
import { type Decision, decide, type GuardState, restore, START } from '../../machines/guard/policy.ts'
import { deviceReading, type StreamReading } from '../../machines/guard/reading.ts'
import { guardSettingsIn } from '../../machines/guard/settings-collection.ts'
import type { SettingsStore } from '../../machines/settings/store.ts'
import type { SystemMetrics } from '../../machines/system/metrics.ts'
import { type Clock, monotonicMs } from '../../native/clock/port.ts'
import type { EventBus } from '../events/event-bus.ts'
import type { StreamRegistry } from '../stream/stream-registry.ts'
import type { StreamRuntime } from '../stream/stream-runtime.ts'
import type { GuardView } from './guard-view.ts'

/** What it works with. */
export interface GuardingParts {
  readonly streams: Pick<StreamRegistry, 'all' | 'get'>
  readonly clock: Clock
  readonly settings: SettingsStore
  readonly events: Pick<EventBus, 'publish'>
  readonly view: GuardView
  /** Enters a fault in the error history. */
  readonly record: (fault: Fault) => void
  /** Ends what is being recorded of a stream. */
  readonly stopRecording: (stream_id: string) => void
}

/** From the moment at which a stream runs until none does, or the guard ends. */
export class Guarding {
  readonly #parts: GuardingParts
  #state: GuardState = START

  constructor(parts: GuardingParts) {
    this.#parts = parts
  }

  /** Judges what was measured, and tells the streams. Returns whether anything is cut. */
  look(metrics: SystemMetrics): boolean {
    const { streams, clock, settings, view } = this.#parts
    const now_ms = monotonicMs(clock)
    const device = deviceReading(metrics)
    const readings = streams.all().map((stream) => readingOf(stream, clock.monotonicUs()))
    this.#state = decide(this.#state, { now_ms, device, streams: readings, settings: guardSettingsIn(settings).value })
    this.#tell(now_ms)
    view.findings = {
      device,
      causes: this.#state.causes,
      order: ranked(readings).map(({ id }) => id),
      lateness: new Map(
        readings.map((each) => [each.id, latenessOf(each, this.#state.streams.get(each.id)?.unhurried)]),
      ),
    }
    return this.#isAnyCut
  }

  /** Somebody wants that stream back. */
  restore(id: string): boolean {
    const { clock, settings } = this.#parts
    const now_ms = monotonicMs(clock)
    const hold_ms = 1_000 * guardSettingsIn(settings).value.restore_hold_s
    this.#state = restore(this.#state, { id, now_ms, hold_ms })
    this.#tell(now_ms)
    return this.#isAnyCut
  }

  /** Nothing is cut any more, and what was decided is forgotten. */
  end(): void {
    const { streams, view } = this.#parts
    this.#state = START
    view.findings = undefined
    for (const stream of streams.all()) this.#set(stream, NO_LIMIT, null)
  }

  get #isAnyCut(): boolean {
    return [...this.#state.streams.values()].some(({ level }) => isCut(level))
  }

  #tell(now_ms: number): void {
    const { streams, clock, settings, view } = this.#parts
    const { min_results_per_s } = guardSettingsIn(settings).value
    const unixMs = (ms: number) => Math.round(clock.nowMs() - now_ms + ms)
    for (const stream of streams.all()) {
      const guarded = this.#state.streams.get(stream.id)
      if (!guarded) {
        this.#set(stream, NO_LIMIT, null) // nothing of it is to run
        continue
      }
      const { level, why, changed_ms, held_until_ms } = guarded
      const limit = limitOf(level, { fps: stream.engine.opened.value?.fps, min_results_per_s })
      const since_ms = changed_ms === null ? 0 : unixMs(changed_ms)
      const until_ms = held_until_ms === null ? null : unixMs(held_until_ms)
      this.#set(stream, limit, guardedStatus({ level, limit, why, since_ms, held_until_ms: until_ms }))
      if (limit.stops_recording && isRecorded(stream)) this.#parts.stopRecording(stream.id)
    }
    view.note(
      this.#state.decided.map((each) => ({ ...each, told_at_ms: unixMs(each.at_ms), detail: this.#said(each) })),
    )
    for (const decision of this.#state.decided) this.#record(decision)
  }

  #set(stream: StreamRuntime, limit: StreamLimit, status: StreamRuntime['guard']['status']): void {
    const before = stream.guard
    const isSame =
      JSON.stringify(before.limit) === JSON.stringify(limit) &&
      before.status?.detail === status?.detail &&
      (before.status?.held_until_ms === null) === (status?.held_until_ms === null)
    if (isSame) return
    stream.guard.set({ limit, status })
    this.#parts.events.publish(streamGuarded, { resource_ref: { stream_id: stream.id }, data: { guard: status } })
  }

  #limitOf({ stream_id }: Decision): StreamLimit {
    return this.#parts.streams.get(stream_id)?.guard.limit ?? NO_LIMIT
  }

  #said(decision: Decision): string {
    const { what, why } = decision
    const words = limitWords(this.#limitOf(decision)).join('; ') || 'nothing is taken from it'
    if (what === 'restored') return 'Somebody restored it by hand.'
    return what === 'cut' && why ? `${capital(words)}, since ${reasonWords(why)}.` : `${capital(words)} any more.`
  }

  /** What people count on is entered where they look for what went wrong. */
  #record(decision: Decision): void {
    const { what, before, after, stream_id } = decision
    if (what !== 'cut') return
    const code = givenUp(before, after)
    if (!code) return
    const detail = `${this.#said(decision)} It comes back by itself; GET /v1/device/resource-guard tells more.`
    this.#parts.record({ code, resource: `streams/${stream_id}`, detail })
  }
}

const givenUp = (before: Decision['before'], after: Decision['after']) => {
  if (after.pause > before.pause) return 'guard.paused'
  if (after.recording > before.recording) return 'guard.recording_ended'
  return after.pipeline_rate > before.pipeline_rate ? 'guard.slowed' : undefined
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

const isRecorded = ({ recording }: StreamRuntime): boolean => {
  const state = recording.status?.()?.value
  return state !== undefined && state !== 'idle' && state !== 'failed' && state !== 'stopping'
}

const readingOf = (stream: StreamRuntime, nowUs: number): StreamReading => {
  const { id, manifest, state, engine, meter, viewers } = stream
  return {
    id,
    priority: manifest.priority,
    is_published: !manifest.internal,
    runs: manifest.enabled,
    is_live: state === 'live',
    fps: engine.opened.value?.fps,
    latency_us: state === 'live' ? meter.recentLatency(nowUs) : null,
    is_watched: viewers.pictures.viewers > 0,
    is_recorded: isRecorded(stream),
  }
}
