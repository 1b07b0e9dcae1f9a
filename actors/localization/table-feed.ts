// From solved rounds to the table of localization on the robot's server. Lives as long as the table is published on one
// session.

import type { Pose } from '../../machines/localization/pose.ts'
import type { Solved, SolvedPose } from '../../machines/localization/solution.ts'
import {
  LOCALIZATION_PREFIX,
  LOCALIZATION_TOPICS,
  type LocalizationKey,
  localizationTopic,
} from '../../machines/own-table/localization-topics.ts'
import type { OwnTableEvent } from '../../machines/own-table/own-table-machine.ts'
import { POSE_BYTES, writePose3d } from '../../machines/own-table/structs.ts'
import type { Nt4Session, Nt4Value } from '../../native/nt4/port.ts'
import { publishSchemas } from '../own-table/schemas.ts'
import type { Talk } from '../run.ts'
import { type StartTimer, startTimer } from '../timer.ts'
import type { Localization } from './tokens.ts'

/** Where the feed takes what it publishes. */
export interface TableFeedSources {
  readonly localization: Pick<Localization, 'solved' | 'state' | 'onChanged' | 'rejected'>
  /** CLOCK_MONOTONIC. */
  readonly nowUs: () => number
  readonly later?: StartTimer
}

const REJECTED_EACH_US = 1_000_000
const AGAIN_AFTER_MS = 50 // what the robot did not read

/** As many digits of a map's hash tell two of one name apart. */
const HASH_DIGITS = 6

const DEG = 180 / Math.PI

type Entry = [handle: number, value: Nt4Value]

/** A pose in its form on the wire, written again and again. */
class PackedPose {
  readonly bytes = new Uint8Array(POSE_BYTES)
  readonly #view = new DataView(this.bytes.buffer)

  set({ x, y, z, qw, qx, qy, qz }: Pose): Uint8Array {
    writePose3d(this.#view, 0, [x, y, z, qw, qx, qy, qz], 0)
    return this.bytes
  }
}

/**
 * The feed of the table. It says at once how localization stands, then of each round that comes from now on what it
 * gave, in one write that has the time of the exposure. A round without a pose that is sure is not written: whoever
 * reads the topics takes each value for a measurement.
 */
export class TableFeed {
  readonly #sources: TableFeedSources
  readonly #session: Nt4Session
  readonly #entries: Readonly<Record<LocalizationKey, Entry>>
  readonly #batch: Entry[] = []
  readonly #unsubscribe: readonly (() => void)[]
  readonly #robotPose = new PackedPose()
  readonly #fusedPose = new PackedPose()
  readonly #stdDevs = new Float64Array(6)
  #hasSchemas: boolean
  #newestUs = Number.NEGATIVE_INFINITY
  #rejectedUs = Number.NEGATIVE_INFINITY
  #rejected = ''
  readonly #lookAgain: () => void
  readonly #tellAgain: () => void
  #stopWaiting = () => {}
  #stopTelling = () => {}

  constructor(sources: TableFeedSources, session: Nt4Session, { guard, send }: Talk<OwnTableEvent>) {
    this.#sources = sources
    this.#lookAgain = guard(() => this.#lookAtRejected(sources.nowUs()))
    this.#tellAgain = guard(() => this.#tellState())
    this.#session = session
    const { localization } = sources
    const unwatch = session.watchTopics(LOCALIZATION_PREFIX, {
      changed: guard((standing) => send({ type: 'table.contested', standing })),
      freed: guard(() => this.#tellState()),
    })
    const published = Object.entries(LOCALIZATION_TOPICS).map(([key, type]) => {
      const entry: Entry = [session.publish(localizationTopic(key as LocalizationKey), type), 0]
      return [key, entry]
    })
    this.#entries = Object.fromEntries(published) as Record<LocalizationKey, Entry>
    this.#hasSchemas = publishSchemas(session)
    this.#tellState()
    let state = localization.state()
    this.#unsubscribe = [
      unwatch,
      localization.solved.subscribe(guard((solved) => solved && this.#take(solved))),
      localization.onChanged(
        guard(() => {
          if (localization.state() === state) return
          state = localization.state()
          this.#tellState()
        }),
      ),
    ]
  }

  stop(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
    this.#stopWaiting()
    this.#stopTelling()
    for (const [handle] of Object.values(this.#entries)) this.#session.unpublish(handle)
  }

  #take(solved: Solved): void {
    this.#tellRejected()
    if (solved.capturedUs <= this.#newestUs) return // of a solver that was made again
    this.#batch.length = 0
    if (solved.solved && solved.isSure) this.#putPose(solved, solved.solved)
    if (solved.fused) this.#put('fused_pose', this.#fusedPose.set(solved.fused.pose))
    if (this.#batch.length === 0) return
    this.#newestUs = solved.capturedUs
    if (!this.#hasSchemas) this.#hasSchemas = publishSchemas(this.#session)
    const stampUs = Math.round(solved.capturedUs + this.#session.serverOffsetUs())
    this.#put('captured_us', stampUs)
    this.#session.write(this.#batch, stampUs)
  }

  #putPose({ tags, cameras, map, heading }: Solved, { pose, stdDevs, stdXyM }: SolvedPose): void {
    for (let i = 0; i < 6; i++) this.#stdDevs[i] = (stdDevs[i] as number) * (i < 3 ? 1 : DEG)
    this.#put('robot_pose', this.#robotPose.set(pose))
    this.#put('std_devs', this.#stdDevs)
    this.#put('std_xy_m', stdXyM)
    this.#put('tag_ids', [...new Set(tags.filter(({ used }) => used).map(({ id }) => id))])
    this.#put(
      'streams',
      cameras.filter(({ used }) => used > 0).map(({ streamId }) => streamId),
    )
    this.#put('map', `${map.id}@${map.hash.slice(0, HASH_DIGITS)}`)
    if (Number.isFinite(heading.offset)) this.#put('heading_offset_deg', heading.offset * DEG)
  }

  /** Between rounds there is no time but now. */
  #tellState(): void {
    this.#batch.length = 0
    this.#put('state', this.#sources.localization.state())
    const isTaken = this.#session.write(this.#batch, this.#session.serverTimeUs())
    this.#stopTelling()
    if (!isTaken) this.#stopTelling = this.#later(AGAIN_AFTER_MS, this.#tellAgain)
  }

  /** Once a second, where it is news. */
  #tellRejected(): void {
    const nowUs = this.#sources.nowUs()
    if (nowUs - this.#rejectedUs >= REJECTED_EACH_US) this.#lookAtRejected(nowUs)
  }

  /** As long as tags were left out it looks again by itself: without cameras there are no rounds. */
  #lookAtRejected(nowUs: number): void {
    this.#rejectedUs = nowUs
    const lines = Object.entries(this.#sources.localization.rejected()).map(([reason, count]) => `${reason} ${count}`)
    this.#stopWaiting()
    if (lines.join() !== this.#rejected && this.#writeRejected(lines)) this.#rejected = lines.join()
    if (lines.length > 0 || this.#rejected !== '')
      this.#stopWaiting = this.#later(REJECTED_EACH_US / 1000, this.#lookAgain)
  }

  /** False: the robot does not read. */
  #writeRejected(lines: readonly string[]): boolean {
    this.#batch.length = 0
    this.#put('rejected', lines)
    return this.#session.write(this.#batch, this.#session.serverTimeUs())
  }

  #later(ms: number, callback: () => void): () => void {
    return (this.#sources.later ?? startTimer)(ms, callback)
  }

  #put(key: LocalizationKey, value: Nt4Value): void {
    const entry = this.#entries[key]
    entry[1] = value
    this.#batch.push(entry)
  }
}
