// From a stream's results to its table, at the pace the robot is promised. Lives as long as one table is published on one session.

import type { Quiet } from '../../machines/engine/quiet.ts'
import type { Result } from '../../machines/engine/result.ts'
import { Pacer, Timekeeper, WaitingFrames } from '../../machines/extcam/pacing.ts'
import type { FrameTimes, Snapshot } from '../../machines/extcam/snapshot.ts'
import type { Listeners } from '../../machines/listeners.ts'
import { type Publishing, USUAL_PUBLISHING } from '../../machines/nt4/settings.ts'
import type { Nt4Session } from '../../native/nt4/port.ts'
import type { Talk } from '../run.ts'
import type { SnapshotSources } from './current-snapshot.ts'
import { TableWriter } from './table-writer.ts'

/** Calls back once after a delay; returns the way to stop that. */
export type Later = (delayMs: number, callback: () => void) => () => void

/**
 * Where a feed takes what it publishes.
 *
 * quiet: told by the engine when no result has come for nearly as long as the robot may wait, and when it has ended; none, or one that tells nothing: a timer
 * keeps the time.
 * frames: how many have come of the stream, the present one included, linked or not. snapshot: of the frame that is written, which may have waited.
 */
export interface FeedSources extends Omit<SnapshotSources, 'link' | 'newSnapshot'> {
  readonly later: Later
  readonly frames: () => number
  readonly quiet?: Pick<Listeners<Quiet>, 'add'>
  readonly publishing?: Publishing
  readonly snapshot: Snapshot
}

const QUIET_EARLY_MS = 5 // the engine counts from when it sent a result, which is a little before that was written
const GUARD_MS = 500 // while the engine keeps the time: how often to look whether it still does; one that ends is heard of at once

/** The feed of one table. It says "no target" at once, then whatever the frames that come from now on show, and "no target" once when the stream is not live any more. */
export class Feed {
  readonly #sources: FeedSources
  readonly #session: Nt4Session
  readonly #writer: TableWriter
  readonly #pacer: Pacer
  readonly #unsubscribe: readonly (() => void)[]
  readonly #wake: () => void
  readonly #waiting: WaitingFrames
  readonly #timekeeper = new Timekeeper()
  #isGuarding = false
  #isLive: boolean
  #stopTimer: () => void = () => {}

  constructor(sources: FeedSources, session: Nt4Session, table: string, guard: Talk['guard']) {
    this.#sources = sources
    this.#session = session
    this.#wake = guard(() => {
      this.#isGuarding = false
      this.#timekeeper.look(this.#nowMs())
      this.#writeWhatIsDue()
    })
    const { publish_period_ms, json } = sources.publishing ?? USUAL_PUBLISHING
    this.#pacer = new Pacer(publish_period_ms)
    this.#waiting = new WaitingFrames(publish_period_ms)
    this.#writer = new TableWriter(session, table, sources.snapshot, json)
    this.#isLive = sources.isLive()
    sources.snapshot.clear(sources.installation())
    sources.snapshot.countFrames(sources.frames() - sources.snapshot.hb) // those that came without a link count as well
    this.#writeFrame(this.#times())
    this.#unsubscribe = [
      sources.results.subscribe(guard((result) => this.#take(result))),
      sources.onMoved(guard(() => this.#moved())),
      sources.quiet?.add(guard((quiet) => this.#heardQuiet(quiet))) ?? (() => {}),
      this.#writer.watchReaders(guard((hasReaders) => this.#readersChanged(hasReaders))),
    ]
    this.#sleep()
  }

  stop(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
    this.#stopTimer()
    this.#writer.unpublish()
  }

  #readersChanged(hasReaders: boolean): void {
    const { snapshot, hardware } = this.#sources
    snapshot.hardware = hardware()
    this.#writer.setReaders(hasReaders)
  }

  #heardQuiet(quiet: Quiet): void {
    this.#timekeeper.heard(this.#nowMs(), quiet === 'no-result')
    this.#writeWhatIsDue(QUIET_EARLY_MS)
  }

  /** What was seen last is not there for ever: without a camera there is no target, and that is no frame that would be counted. */
  #moved(): void {
    const wasLive = this.#isLive
    this.#isLive = this.#sources.isLive()
    if (!wasLive || this.#isLive) return
    const { snapshot, installation } = this.#sources
    for (let left = this.#waiting.take(); left; left = this.#waiting.take()) snapshot.countFrames(left.frames)
    snapshot.clear(installation())
    this.#writeFrame(this.#times())
    this.#sleep()
  }

  #take(result: Result): void {
    const times = this.#times()
    this.#timekeeper.heard(times.monotonicUs / 1000, result.sighting !== undefined)
    if (this.#waiting.isEmpty && this.#frameDueInMs(times) <= 0) {
      this.#write(result, 1, times)
      this.#sleep()
      return
    }
    this.#waiting.add(result)
    this.#writeWhatIsDue()
  }

  /** earlyMs: a sign of life that is due so soon is written too. */
  #writeWhatIsDue(earlyMs = 0): void {
    const times = this.#times()
    const next = !this.#waiting.isEmpty && this.#frameDueInMs(times) <= 0 ? this.#waiting.take() : undefined
    if (next) this.#write(next.result, next.frames, times)
    const nowMs = this.#nowMs()
    if (this.#pacer.signOfLifeDueInMs(nowMs) <= earlyMs) {
      this.#writer.writeSignOfLife(this.#session.serverTimeUs())
      this.#pacer.wroteSignOfLife(nowMs)
    }
    this.#sleep()
  }

  /** now: read a moment ago; to read the clocks takes longer than to take in what the engine has made. */
  #write(result: Result, frames: number, now: FrameTimes): void {
    const { snapshot, installation } = this.#sources
    snapshot.countFrames(frames)
    if (result.sighting) {
      snapshot.take(result.sighting)
      this.#writeFrame(now)
      return
    }
    snapshot.read(result, installation())
    this.#writeFrame(this.#times())
  }

  #writeFrame(times: FrameTimes): void {
    const { snapshot, hardware } = this.#sources
    if (this.#writer.hasReaders) snapshot.hardware = hardware()
    snapshot.stamp(times)
    this.#writer.writeFrame(times.ntUs)
    this.#pacer.wroteFrame(times.monotonicUs / 1000, times.ntUs / 1000)
  }

  #frameDueInMs({ monotonicUs, ntUs }: FrameTimes): number {
    return this.#pacer.frameDueInMs(monotonicUs / 1000, ntUs / 1000)
  }

  #sleep(): void {
    if (this.#timekeeper.isTrusted && this.#waiting.isEmpty) {
      if (!this.#isGuarding) this.#callIn(GUARD_MS)
      this.#isGuarding = true
      return
    }
    this.#isGuarding = false
    const signDueInMs = this.#pacer.signOfLifeDueInMs(this.#nowMs())
    const dueInMs = this.#waiting.isEmpty ? signDueInMs : Math.min(signDueInMs, this.#frameDueInMs(this.#times()))
    this.#callIn(Math.max(0, Math.ceil(dueInMs))) // timers drop what is behind the point
  }

  #callIn(ms: number): void {
    this.#stopTimer()
    this.#stopTimer = this.#sources.later(ms, this.#wake)
  }

  #nowMs(): number {
    return this.#sources.clock.monotonicUs() / 1000
  }

  #times(): FrameTimes {
    const { clock, startedUs } = this.#sources
    const monotonicUs = clock.monotonicUs()
    return {
      monotonicUs,
      unixMs: clock.nowMs(),
      ntUs: this.#session.serverTimeUs(),
      uptimeUs: monotonicUs - startedUs,
    }
  }
}
