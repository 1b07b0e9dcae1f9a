// From a stream's results to its own table. Lives as long as the table is published on one session.
import { header, type Result } from '../../machines/engine/result.ts'
import type { Latest } from '../../machines/latest.ts'
import type { FieldMap } from '../../machines/localization/field-map.ts'
import { OwnFrame } from '../../machines/own-table/own-frame.ts'
import type { OwnTableEvent } from '../../machines/own-table/own-table-machine.ts'
import { OWN_ROOT, OWN_TOPICS, type OwnKey } from '../../machines/own-table/topics.ts'
import { MIN_BETWEEN_WRITES_US, OwnTableRate } from '../../machines/own-table/write-rate.ts'
import type { Nt4Session, Nt4Value } from '../../native/nt4/port.ts'
import type { Turn, WriteScheduler } from '../nt4/write-scheduler.ts'
import type { Talk } from '../run.ts'
import { publishSchemas } from './schemas.ts'

/** Where a feed takes what it publishes. */
export interface OwnFeedSources {
  readonly name: string
  readonly results: Latest<Result>
  /** Of the field, as of now; the same object until it is another one. */
  readonly map: () => FieldMap
  /** Of the stream, as its status has it. */
  readonly state: () => string
  /** Told when that changes. */
  readonly onMoved: (listener: () => void) => () => void
  /** Now; asked for once a second. */
  readonly fps: () => number
  /** CLOCK_MONOTONIC. */
  readonly nowUs: () => number
  /** Shared by all who write to the robot. */
  readonly turns: Pick<WriteScheduler, 'wait' | 'cancel'>
}

const FPS_EACH_US = 1_000_000
const AGAIN_AFTER_US = 50_000 // what the robot did not read

type Entry = [handle: number, value: Nt4Value]

/**
 * The feed of one own table. It says at once in which state the stream is, then what each frame shows that comes from
 * now on.
 */
export class OwnFeed {
  readonly #sources: OwnFeedSources
  readonly #session: Nt4Session
  readonly #entries: Readonly<Record<OwnKey, Entry>>
  readonly #frame = new OwnFrame()
  readonly #pace = new OwnTableRate()
  readonly #batch: Entry[] = []
  readonly #unsubscribe: readonly (() => void)[]
  readonly #turn: Turn
  /** When it is said again how the stream stands, for a robot that did not read it. */
  readonly #again: Turn
  #isOwed = false
  #isAwaitingTurn = false
  #isFast = false
  /** What waits for its turn. */
  #held: Result | undefined
  #writtenUs = Number.NEGATIVE_INFINITY
  #fpsFromUs = Number.NaN
  #hasSchemas: boolean

  constructor(sources: OwnFeedSources, session: Nt4Session, { guard, send }: Talk<OwnTableEvent>) {
    this.#sources = sources
    this.#session = session
    const unwatch = session.watchTopics(`${OWN_ROOT}/${sources.name}/`, {
      changed: guard((standing) => send({ type: 'table.contested', standing })),
      freed: guard(() => this.#tell()),
    })
    const published = Object.entries(OWN_TOPICS).map(([key, type]) => {
      const entry: Entry = [session.publish(`${OWN_ROOT}/${sources.name}/${key}`, type), 0]
      return [key, entry]
    })
    this.#entries = Object.fromEntries(published) as Record<OwnKey, Entry>
    this.#hasSchemas = publishSchemas(session)
    this.#entries.fps[1] = 0
    this.#turn = { fromUs: 0, untilUs: 0, take: guard((nowUs) => this.#haveTurn(nowUs)) }
    this.#again = { fromUs: 0, untilUs: 0, take: guard(() => this.#isOwed && this.#tell()) }
    this.#moved()
    this.#unsubscribe = [
      unwatch,
      sources.results.subscribe(guard((result) => this.#take(result))),
      sources.onMoved(guard(() => this.#moved())),
    ]
  }

  stop(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
    for (const turn of [this.#turn, this.#again]) this.#sources.turns.cancel(turn)
    for (const [handle] of Object.values(this.#entries)) this.#session.unpublish(handle)
  }

  /**
   * Of a fast camera the newest waits for its turn, as for the vendor's table; every other frame is written at once.
   */
  #take(result: Result): void {
    this.#isFast = this.#pace.isFast(header(result, 'captured_us'))
    if (this.#isAwaitingTurn) {
      this.#held = result
      return
    }
    const nowUs = this.#sources.nowUs()
    if (this.#isFast && nowUs < this.#writtenUs + MIN_BETWEEN_WRITES_US) {
      this.#held = result
      this.#waitForTurn()
    } else this.#write(result, nowUs)
  }

  #haveTurn(nowUs: number): void {
    this.#isAwaitingTurn = false
    if (!this.#held) return
    this.#write(this.#held, nowUs)
    if (this.#isFast) this.#waitForTurn()
  }

  #waitForTurn(): void {
    this.#turn.fromUs = this.#writtenUs + MIN_BETWEEN_WRITES_US
    this.#turn.untilUs = this.#turn.fromUs + MIN_BETWEEN_WRITES_US / 2
    this.#isAwaitingTurn = true
    this.#sources.turns.wait(this.#turn)
  }

  #write(result: Result, nowUs: number): void {
    this.#held = undefined
    this.#writtenUs = nowUs
    const capturedUs = header(result, 'captured_us')
    this.#frame.read(result, this.#sources.map())
    if (!(capturedUs - this.#fpsFromUs < FPS_EACH_US)) {
      this.#fpsFromUs = capturedUs
      this.#entries.fps[1] = this.#sources.fps()
    }
    if (!this.#hasSchemas) this.#hasSchemas = publishSchemas(this.#session)
    const stampUs = Math.round(capturedUs + this.#session.serverOffsetUs())
    this.#batch.length = 0
    this.#put('captured_us', stampUs)
    if (this.#frame.hasPose) {
      this.#put('robot_pose', this.#frame.robotPose)
      this.#put('std_devs', this.#frame.stdDevs)
    }
    this.#putTags()
    this.#putState()
    this.#session.write(this.#batch, stampUs)
    this.#isOwed = false // of a robot that does not read the next frame takes care, or the end of them
  }

  /** Between frames there is no pose and no tag to be told of, and no time but now. */
  #moved(): void {
    this.#held = undefined
    this.#frame.clear()
    this.#fpsFromUs = Number.NaN
    if (!this.#isLive()) this.#entries.fps[1] = 0
    this.#tell()
  }

  /**
   * Says how the stream stands, also when another publisher has written the table and does not any more. The place of
   * the robot and its time come with the next frame that has one: to write them again would be a second measurement.
   */
  #tell(): void {
    this.#batch.length = 0
    this.#putTags()
    this.#putState()
    this.#isOwed = !this.#session.write(this.#batch, this.#session.serverTimeUs())
    if (!this.#isOwed) return
    this.#again.fromUs = this.#sources.nowUs() + AGAIN_AFTER_US
    this.#again.untilUs = this.#again.fromUs
    this.#sources.turns.wait(this.#again)
  }

  #isLive(): boolean {
    return this.#sources.state() === 'live'
  }

  #putTags(): void {
    this.#put('tags', this.#frame.tags)
    this.#put('tag_ids', this.#frame.tagIds)
  }

  #putState(): void {
    this.#batch.push(this.#entries.fps)
    this.#put('state', this.#sources.state())
    this.#put('connected', this.#isLive())
  }

  #put(key: OwnKey, value: Nt4Value): void {
    const entry = this.#entries[key]
    entry[1] = value
    this.#batch.push(entry)
  }
}
