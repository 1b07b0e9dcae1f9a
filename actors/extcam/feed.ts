// From a stream's results to its table, at the pace the robot is promised. Lives as long as one table is published on
// one session.

import type { NoResultCause } from '../../machines/engine/no-result.ts'
import type { Result } from '../../machines/engine/result.ts'
import type { ExtcamEvent } from '../../machines/extcam/extcam-machine.ts'
import { Pacer, Timekeeper, WaitingFrames } from '../../machines/extcam/pacing.ts'
import type { FrameTimes, Snapshot } from '../../machines/extcam/snapshot.ts'
import type { Listeners } from '../../machines/listeners.ts'
import { DEFAULT_PUBLISHING, type Publishing } from '../../machines/nt4/settings.ts'
import { monotonicMs } from '../../native/clock/port.ts'
import type { Nt4Session } from '../../native/nt4/port.ts'
import type { Turn, WriteScheduler } from '../nt4/write-scheduler.ts'
import type { Talk } from '../run.ts'
import type { StartTimer } from '../timer.ts'
import type { SnapshotSources } from './current-snapshot.ts'
import { TableWriter } from './table-writer.ts'

/** Where a feed takes what it publishes. */
export interface FeedSources extends Omit<SnapshotSources, 'link' | 'newSnapshot'> {
  readonly later: StartTimer
  /** Shared by all who write to the robot. */
  readonly turns: Pick<WriteScheduler, 'wait' | 'cancel'>
  /** How many have come of the stream, the present one included, linked or not. */
  readonly frames: () => number
  /**
   * Told by the engine when no result has come for nearly as long as the robot may wait, and when it has ended; none,
   * or one that tells nothing: a timer keeps the time.
   */
  readonly noResult?: Pick<Listeners<NoResultCause>, 'add'>
  readonly publishing?: Publishing
  /** Of the frame that is written, which may have waited. */
  readonly snapshot: Snapshot
}

const QUIET_EARLY_MS = 5 // the engine counts from when it sent a result, which is a little before that was written
// while the engine keeps the time: how often to look whether it still does; one that ends is heard of at once
const GUARD_MS = 500

/**
 * The feed of one table. It says "no target" at once, then whatever the frames that come from now on show, and "no
 * target" once when the stream is not live any more.
 */
export class Feed {
  readonly #sources: FeedSources
  readonly #session: Nt4Session
  readonly #writer: TableWriter
  readonly #pacer: Pacer
  readonly #unsubscribe: readonly (() => void)[]
  readonly #wake: () => void
  readonly #turn: Turn
  readonly #waiting: WaitingFrames
  readonly #timekeeper = new Timekeeper()
  /** Half a period: of two who wait one is never farther before the other's turn. */
  readonly #sharedMs: number
  #isGuarding = false
  #isLive: boolean
  /** The robot did not read "no target", and no frame will say it. */
  #isOwed = false
  #stopTimer: () => void = () => {}
  #isAwaitingTurn = false

  constructor(sources: FeedSources, session: Nt4Session, table: string, { guard, send }: Talk<ExtcamEvent>) {
    this.#sources = sources
    this.#session = session
    this.#wake = guard(() => {
      this.#isGuarding = false
      this.#timekeeper.look(this.#nowMs())
      this.#writeWhatIsDue()
    })
    this.#turn = { fromUs: 0, untilUs: 0, take: guard((nowUs) => this.#haveTurn(nowUs)) }
    const { publish_period_ms, json } = sources.publishing ?? DEFAULT_PUBLISHING
    this.#pacer = new Pacer(publish_period_ms)
    this.#waiting = new WaitingFrames(publish_period_ms)
    this.#sharedMs = publish_period_ms / 2
    const unwatch = session.watchTopics(`/${table}/`, {
      changed: guard((standing) => send({ type: 'table.contested', standing })),
      freed: guard(() => this.#freed()),
    })
    this.#writer = new TableWriter(session, table, sources.snapshot, json)
    this.#isLive = sources.isLive()
    sources.snapshot.clear(sources.installation())
    sources.snapshot.countFrames(sources.frames() - sources.snapshot.hb) // those that came without a link count as well
    this.#writeFrame(this.#times())
    this.#unsubscribe = [
      unwatch,
      sources.results.subscribe(guard((result) => this.#take(result))),
      sources.onMoved(guard(() => this.#moved())),
      sources.noResult?.add(guard((noResult) => this.#heardNoResult(noResult))) ?? (() => {}),
      this.#writer.watchReaders(guard((hasReaders) => this.#readersChanged(hasReaders))),
    ]
    this.#sleep()
  }

  stop(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
    this.#stopTimer()
    this.#sources.turns.cancel(this.#turn)
    this.#writer.unpublish()
  }

  #readersChanged(hasReaders: boolean): void {
    this.#lookAround()
    this.#writer.setReaders(hasReaders)
  }

  /**
   * Another publisher has written the table, and does not any more: nothing of that is to stay. A frame is no second
   * measurement for it: what describes it comes with the next one.
   */
  #freed(): void {
    this.#writer.forget()
    const times = this.#times()
    if (!this.#isLive) this.#writeFrame(times)
    else {
      this.#lookAround()
      this.#writer.writeBesideFrame(times.ntUs)
    }
  }

  #heardNoResult(noResult: NoResultCause): void {
    this.#timekeeper.heard(this.#nowMs(), noResult === 'no-result')
    this.#writeWhatIsDue(QUIET_EARLY_MS)
  }

  /**
   * What was seen last is not there for ever: without a camera there is no target, and that is no frame that would be
   * counted.
   */
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

  /**
   * Of a camera that is faster than the pace nearly every frame comes between two turns, and does no more than wait.
   */
  #take(result: Result): void {
    if (this.#isAwaitingTurn) {
      this.#waiting.add(result)
      return
    }
    const times = this.#times()
    if (this.#waiting.isEmpty && this.#frameDueInMs(times) <= 0) this.#write(result, 1, times)
    else this.#waiting.add(result)
    this.#sleep(times)
  }

  /** Of a camera that is faster than the pace there will be a frame in the next turn too. */
  #haveTurn(nowUs: number): void {
    const isNext = !this.#waiting.isEmpty && this.#waiting.isFast
    this.#isAwaitingTurn = false
    const times = this.#times(nowUs)
    this.#writeWhatIsDue(0, times)
    if (isNext) this.#waitForTurn(times)
  }

  /** earlyMs: a sign of life that is due so soon is written too. */
  #writeWhatIsDue(earlyMs = 0, times = this.#times()): void {
    const next = !this.#waiting.isEmpty && this.#frameDueInMs(times) <= 0 ? this.#waiting.take() : undefined
    if (next) this.#write(next.result, next.frames, times)
    const nowMs = times.monotonicUs / 1000
    if (this.#pacer.signOfLifeDueInMs(nowMs) <= earlyMs) {
      if (this.#isOwed) this.#writeFrame(times)
      else this.#writer.writeSignOfLife(times.ntUs)
      this.#pacer.wroteSignOfLife(nowMs)
    }
    this.#sleep(times)
  }

  /** now: read a moment ago; to read the clocks takes longer than to take in what the engine has made. */
  #write(result: Result, frames: number, now: FrameTimes): void {
    const { snapshot, installation } = this.#sources
    this.#timekeeper.heard(now.monotonicUs / 1000, result.sighting !== undefined)
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
    const { snapshot, imu } = this.#sources
    if (this.#writer.hasReaders) this.#lookAround()
    snapshot.inertial = imu?.()
    snapshot.stamp(times)
    this.#isOwed = !this.#writer.writeFrame(times.ntUs) && !this.#isLive
    this.#pacer.wroteFrame(times.monotonicUs / 1000, times.ntUs / 1000)
  }

  /** What the document says beside the frame. */
  #lookAround(): void {
    const { snapshot, hardware, rewind } = this.#sources
    snapshot.hardware = hardware()
    snapshot.rewind = rewind?.()
  }

  #frameDueInMs({ monotonicUs, ntUs }: FrameTimes): number {
    return this.#pacer.frameDueInMs(monotonicUs / 1000, ntUs / 1000)
  }

  #sleep(now = this.#times()): void {
    const nowMs = now.monotonicUs / 1000
    if (!this.#waiting.isEmpty) this.#waitForTurn(now)
    if (!this.#timekeeper.isTrusted)
      this.#callIn(Math.max(0, Math.ceil(this.#pacer.signOfLifeDueInMs(nowMs)))) // timers drop what is behind the point
    else if (!this.#isGuarding) this.#callIn(GUARD_MS)
    this.#isGuarding = this.#timekeeper.isTrusted
  }

  /**
   * A frame that waits shares the turn of others, unless a robot would wait for it that sees every frame of its camera.
   */
  #waitForTurn(now: FrameTimes): void {
    if (this.#isAwaitingTurn) return
    const nowMs = now.monotonicUs / 1000
    const frameDueInMs = this.#frameDueInMs(now)
    const signDueInMs = this.#pacer.signOfLifeDueInMs(nowMs)
    const fromInMs = Math.min(frameDueInMs, signDueInMs)
    const untilInMs = this.#waiting.isFast ? Math.min(fromInMs + this.#sharedMs, signDueInMs) : fromInMs
    this.#turn.fromUs = Math.ceil(now.monotonicUs + 1000 * fromInMs)
    this.#turn.untilUs = this.#turn.fromUs + 1000 * (untilInMs - fromInMs)
    this.#isAwaitingTurn = true
    this.#sources.turns.wait(this.#turn)
  }

  #callIn(ms: number): void {
    this.#stopTimer()
    this.#stopTimer = this.#sources.later(ms, this.#wake)
  }

  #nowMs(): number {
    return monotonicMs(this.#sources.clock)
  }

  #times(monotonicUs = this.#sources.clock.monotonicUs()): FrameTimes {
    const { clock, startedUs } = this.#sources
    return {
      monotonicUs,
      unixMs: clock.nowMs(),
      ntUs: this.#session.serverTimeUs(monotonicUs),
      uptimeUs: monotonicUs - startedUs,
    }
  }
}
