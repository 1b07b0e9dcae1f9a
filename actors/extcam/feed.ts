// From a stream's results to its table, at the pace the robot is promised. Lives as long as one table is published on one session.

import { Pacer } from '../../machines/extcam/pacing.ts'
import type { Installation } from '../../machines/extcam/scene.ts'
import type { Moment, Snapshot } from '../../machines/extcam/snapshot.ts'
import type { Latest } from '../../machines/latest.ts'
import type { Result } from '../../machines/result.ts'
import type { Nt4Session } from '../../native/nt4/port.ts'
import type { Clock } from '../directory.ts'
import { TableWriter } from './table-writer.ts'

/** Calls back once after a delay; returns the way to stop that. */
export type Later = (delayMs: number, callback: () => void) => () => void

/**
 * Where a feed takes what it publishes.
 *
 * installation: as of now; asked for with each frame, so it should hand out what it keeps. bornUs: when the service started, CLOCK_MONOTONIC.
 */
export interface FeedSources {
  readonly clock: Clock
  readonly later: Later
  readonly bornUs: number
  readonly results: Latest<Result>
  readonly installation: () => Installation
  readonly snapshot: Snapshot
}

/** Guards a callback from outside, so that its throw is the adapter's crash and nobody else's. */
type Guard = <Values extends readonly unknown[]>(callback: (...values: Values) => void) => (...values: Values) => void

/** The feed of one table. It says "no target" at once, then whatever the frames that come from now on show. */
export class Feed {
  readonly #sources: FeedSources
  readonly #session: Nt4Session
  readonly #writer: TableWriter
  readonly #pacer = new Pacer()
  readonly #unsubscribe: () => void
  readonly #wake: () => void
  #waiting: Result | undefined
  #stopTimer: () => void = () => {}

  constructor(sources: FeedSources, session: Nt4Session, table: string, guard: Guard) {
    this.#sources = sources
    this.#session = session
    this.#wake = guard(() => this.#writeWhatIsDue())
    this.#writer = new TableWriter(session, table, sources.snapshot)
    sources.snapshot.clear(sources.installation())
    this.#writeFrame(this.#nowMs())
    this.#unsubscribe = sources.results.subscribe(guard((result) => this.#take(result)))
    this.#sleep(this.#nowMs())
  }

  stop(): void {
    this.#unsubscribe()
    this.#stopTimer()
    this.#writer.unpublish()
  }

  #take(result: Result): void {
    this.#sources.snapshot.countFrame()
    this.#pacer.frameCame(this.#nowMs())
    this.#waiting = result
    this.#writeWhatIsDue()
  }

  #writeWhatIsDue(): void {
    const nowMs = this.#nowMs()
    if (this.#waiting && nowMs >= this.#pacer.frameDueMs) {
      this.#sources.snapshot.read(this.#waiting, this.#sources.installation())
      this.#waiting = undefined
      this.#writeFrame(nowMs)
    } else if (nowMs >= this.#pacer.signOfLifeDueMs) {
      this.#writer.writeSignOfLife(this.#session.serverTimeUs())
      this.#pacer.wrote(nowMs)
    }
    this.#sleep(nowMs)
  }

  #writeFrame(nowMs: number): void {
    const moment = this.#moment()
    this.#sources.snapshot.stamp(moment)
    this.#writer.writeFrame(moment.ntUs)
    this.#pacer.wrote(nowMs)
  }

  #sleep(nowMs: number): void {
    const dueMs = this.#waiting ? this.#pacer.frameDueMs : this.#pacer.signOfLifeDueMs
    this.#stopTimer()
    this.#stopTimer = this.#sources.later(Math.max(0, dueMs - nowMs), this.#wake)
  }

  #nowMs(): number {
    return this.#sources.clock.monotonicUs() / 1000
  }

  #moment(): Moment {
    const { clock, bornUs } = this.#sources
    const monotonicUs = clock.monotonicUs()
    return {
      monotonicUs,
      unixMs: clock.nowMs(),
      ntUs: this.#session.serverTimeUs(),
      uptimeUs: monotonicUs - bornUs,
    }
  }
}
