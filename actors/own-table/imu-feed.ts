// From the IMU to its table on the robot's server. Lives as long as the table is published on one session.
import type { ImuBatch } from '../../machines/imu/reading.ts'
import type { ImuState } from '../../machines/imu/state.ts'
import { IMU_TABLE, IMU_TOPICS, type ImuKey } from '../../machines/own-table/imu-topics.ts'
import type { OwnTableEvent } from '../../machines/own-table/own-table-machine.ts'
import { ROTATION_BYTES, writeRotation3d } from '../../machines/own-table/structs.ts'
import { MIN_BETWEEN_WRITES_US } from '../../machines/own-table/write-rate.ts'
import type { Nt4Session, Nt4Value } from '../../native/nt4/port.ts'
import type { Imu } from '../imu/tokens.ts'
import type { Talk } from '../run.ts'
import { type StartTimer, startTimer } from '../timer.ts'
import { publishSchemas } from './schemas.ts'

/** Where the feed takes what it publishes. */
export interface ImuFeedSources {
  readonly imu: Pick<Imu, 'listen'>
  readonly state: () => ImuState
  /** Told when that changes; returns the way to stop. */
  readonly onChanged: (listener: () => void) => () => void
  readonly later?: StartTimer
}

const AGAIN_AFTER_MS = 50 // what the robot did not read

type Entry = [handle: number, value: Nt4Value]

/**
 * The feed of the table. Before the first reading there is no topic: a device without an IMU has none. Of many readings
 * the newest is written, with the time at which it was measured.
 */
export class ImuFeed {
  readonly #sources: ImuFeedSources
  readonly #session: Nt4Session
  readonly #unsubscribe: readonly (() => void)[]
  readonly #orientation = new Uint8Array(ROTATION_BYTES)
  readonly #packed = new DataView(this.#orientation.buffer)
  #entries: Readonly<Record<ImuKey, Entry>> | undefined
  #hasSchemas = false
  #writtenUs = Number.NEGATIVE_INFINITY
  /** As the robot has it; undefined: that is not known. */
  #state: ImuState | undefined
  readonly #tellAgain: () => void
  #stopWaiting = () => {}

  constructor(sources: ImuFeedSources, session: Nt4Session, { guard, send }: Talk<OwnTableEvent>) {
    this.#sources = sources
    this.#session = session
    this.#tellAgain = guard(() => this.#tellState())
    this.#unsubscribe = [
      session.watchTopics(`${IMU_TABLE}/`, {
        changed: guard((standing) => send({ type: 'table.contested', standing })),
        freed: guard(() => this.#tellState(true)),
      }),
      sources.imu.listen(guard((batch) => this.#take(batch))),
      sources.onChanged(guard(() => this.#tellState())),
    ]
  }

  stop(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
    this.#stopWaiting()
    for (const [handle] of Object.values(this.#entries ?? {})) this.#session.unpublish(handle)
  }

  #take({ count, at_us, quat, angles_deg, gyro_dps, accel_g }: ImuBatch): void {
    const last = count - 1
    const capturedUs = at_us[last] as number
    if (!(capturedUs - this.#writtenUs >= MIN_BETWEEN_WRITES_US)) return
    this.#writtenUs = capturedUs
    this.#entries ??= this.#published()
    if (!this.#hasSchemas) this.#hasSchemas = publishSchemas(this.#session)
    const stampUs = Math.round(capturedUs + this.#session.serverOffsetUs())
    writeRotation3d(this.#packed, 0, quat, 4 * last)
    const { orientation, angles_deg: angles, rates_deg_s, accel_g: accel, captured_us } = this.#entries
    orientation[1] = this.#orientation
    angles[1] = angles_deg.subarray(3 * last, 3 * last + 3)
    rates_deg_s[1] = gyro_dps.subarray(3 * last, 3 * last + 3)
    accel[1] = accel_g.subarray(3 * last, 3 * last + 3)
    captured_us[1] = stampUs
    this.#session.write([orientation, angles, rates_deg_s, accel, captured_us], stampUs)
    if (this.#state === undefined) this.#tellState()
  }

  /** isUnknown: what the robot has is not known. */
  #tellState(isUnknown = false): void {
    const state = this.#sources.state()
    if (!this.#entries || (state === this.#state && !isUnknown)) return
    this.#entries.state[1] = state
    const isTaken = this.#session.write([this.#entries.state], this.#session.serverTimeUs())
    this.#state = isTaken ? state : undefined
    this.#stopWaiting()
    if (!isTaken) this.#stopWaiting = (this.#sources.later ?? startTimer)(AGAIN_AFTER_MS, this.#tellAgain)
  }

  #published(): Readonly<Record<ImuKey, Entry>> {
    const entries = Object.entries(IMU_TOPICS).map(([key, type]) => {
      const entry: Entry = [this.#session.publish(`${IMU_TABLE}/${key}`, type), 0]
      return [key, entry]
    })
    return Object.fromEntries(entries) as Record<ImuKey, Entry>
  }
}
