// Samples as the kernel hands them over, of one device or of two.
import { join } from 'node:path'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { type HalfBatch, Join } from '../../machines/imu/join.ts'
import type { RawImuBatch } from '../../machines/imu/reading.ts'
import { channelOf, SampleStream } from '../../machines/imu/sample-stream.ts'
import { type PlacedChannel, rawAt, type ScanLayout } from '../../machines/imu/scan-layout.ts'
import { Stamps } from '../../machines/imu/stamps.ts'
import type { Clock } from '../clock/port.ts'
import { readBytes } from './byte-reader.ts'
import { type BufferParts, startBuffer } from './iio-buffer.ts'
import { flawOfRange, imuFailed, type Triad, temperatureOf, triadOf, writeScaled } from './iio-channels.ts'
import { AXES, type IioDevice, type IioImu, type Kind } from './iio-devices.ts'

/** What it takes. */
export interface ReadingParts extends BufferParts {
  readonly clock: Pick<Clock, 'monotonicUs'>
}

/** What is told of an IMU that is read. */
export interface Heard {
  readonly batch: (batch: RawImuBatch) => void
  readonly ended: (fault: Fault) => void
}

/** The way to stop. */
export type Stop = () => Promise<void>

const TEMPERATURE_EVERY_US = 5_000_000
const NS_IN_US = 1_000

/** The samples of one device, as numbers: of each kind that it has three in a row. Its columns are its own. */
interface Samples {
  readonly count: number
  readonly at_us: Float64Array
  readonly of: Readonly<Record<Kind, Float64Array>>
}

interface Placed {
  readonly triad: Triad
  readonly channels: readonly [PlacedChannel, PlacedChannel, PlacedChannel]
}

/** Turns the bytes of one device into numbers. */
class Decoder {
  readonly #stream: SampleStream
  readonly #bytes: number
  readonly #placed: readonly Placed[]
  readonly #stamp: PlacedChannel | undefined
  readonly #stamps = new Stamps()
  readonly #clock: Pick<Clock, 'monotonicUs'>
  readonly #stepUs: number
  readonly #raw: [number, number, number] = [0, 0, 0]
  #countedUs = 0

  constructor(clock: Pick<Clock, 'monotonicUs'>, layout: ScanLayout, placed: readonly Placed[], rateHz: number) {
    this.#clock = clock
    this.#stream = new SampleStream(layout)
    this.#bytes = layout.bytes
    this.#placed = placed
    this.#stamp = channelOf(layout, 'timestamp')
    this.#stepUs = 1e6 / rateHz
  }

  feed(bytes: Uint8Array): Samples {
    const room = Math.ceil(bytes.length / this.#bytes) + 1
    const all = new Float64Array(7 * room) // one piece of memory costs less than three
    const at_us = all.subarray(0, room)
    const of = { accel: all.subarray(room, 4 * room), anglvel: all.subarray(4 * room) }
    let count = 0
    this.#stream.feed(bytes, (view, at) => {
      at_us[count] = this.#stampOf(view, at)
      for (const { triad, channels } of this.#placed) {
        this.#raw[0] = rawAt(view, at, channels[0])
        this.#raw[1] = rawAt(view, at, channels[1])
        this.#raw[2] = rawAt(view, at, channels[2])
        writeScaled(triad, this.#raw, of[triad.kind], 3 * count)
      }
      count += 1
    })
    if (count > 0) this.#stamps.read(this.#clock.monotonicUs(), at_us[count - 1] as number)
    return this.#newerOnly(count, at_us, of)
  }

  /** Without a stamp of the kernel samples are counted. */
  #stampOf(view: DataView, at: number): number {
    if (this.#stamp) return rawAt(view, at, this.#stamp) / NS_IN_US
    this.#countedUs += this.#stepUs
    return this.#countedUs
  }

  /** Moves what is newer to the front, with its time on the clock of frames. */
  #newerOnly(all: number, at_us: Float64Array, of: Samples['of']): Samples {
    let count = 0
    for (let n = 0; n < all; n++) {
      const us = this.#stamps.at(at_us[n] as number)
      if (us === null) continue
      at_us[count] = us
      if (count < n) for (const { triad } of this.#placed) of[triad.kind].copyWithin(3 * count, 3 * n, 3 * n + 3)
      count += 1
    }
    return {
      count,
      at_us: at_us.subarray(0, count),
      of: { accel: of.accel.subarray(0, 3 * count), anglvel: of.anglvel.subarray(0, 3 * count) },
    }
  }
}

/** One device that hands over. */
const startDevice = async (
  parts: ReadingParts,
  device: IioDevice,
  kinds: readonly Kind[],
  rateHz: number,
  told: (samples: Samples) => void,
  ended: (fault: Fault) => void,
): Promise<Stop | Fault | null> => {
  const triads = await Promise.all(kinds.map((kind) => triadOf(parts.files, device, kind)))
  for (const triad of triads) if (isFault(triad)) return triad
  const buffer = await startBuffer(parts, device, rateHz)
  if (!buffer || isFault(buffer)) return buffer
  const placed: Placed[] = []
  for (const triad of triads as readonly Triad[]) {
    const channels = AXES.map((axis) => channelOf(buffer.layout, `${triad.kind}_${axis}`))
    const flaw = channels[0] ? flawOfRange(device, triad, channels[0].type) : null
    if (flaw) {
      await buffer.close()
      return flaw
    }
    placed.push({ triad, channels: channels as unknown as Placed['channels'] })
  }
  const decoder = new Decoder(parts.clock, buffer.layout, placed, rateHz)
  const stop = readBytes(
    join(parts.root, 'dev', device.node),
    (bytes) => told(decoder.feed(bytes)),
    (why) => ended(imuFailed(`The IMU ${device.name} does not give any more: ${why}. It is looked for again.`)),
  )
  return async () => {
    await stop()
    await buffer.close()
  }
}

/** Reads the temperature now and then, beside what comes. */
const temperatures = (parts: ReadingParts, device: IioDevice) => {
  let [value, nextUs]: [number | null, number] = [null, 0]
  return (): number | null => {
    const nowUs = parts.clock.monotonicUs()
    if (nowUs < nextUs) return value
    nextUs = nowUs + TEMPERATURE_EVERY_US
    void temperatureOf(parts.files, device).then((read) => {
      value = read
    })
    return value
  }
}

const wholeBatch = ({ count, at_us, of }: Samples, temperature_c: number | null): RawImuBatch => ({
  count,
  at_us,
  gyro_rad_s: of.anglvel,
  accel_m_s2: of.accel,
  temperature_c,
})

const half = ({ at_us, of }: Samples, kind: Kind): HalfBatch => ({ at_us, values: of[kind] })

/** Starts to read by buffers. Null: one of the devices has none that works. */
export const startBuffered = async (
  parts: ReadingParts,
  { gyro, accel }: IioImu,
  rateHz: number,
  heard: Heard,
): Promise<Stop | Fault | null> => {
  const temperature = temperatures(parts, gyro)
  const tell = (batch: RawImuBatch) => {
    if (batch.count > 0) heard.batch(batch)
  }
  if (gyro === accel)
    return startDevice(
      parts,
      gyro,
      ['anglvel', 'accel'],
      rateHz,
      (samples) => tell(wholeBatch(samples, temperature())),
      heard.ended,
    )
  const both = new Join()
  const noteTemperature = () => {
    both.temperature_c = temperature()
  }
  const stopGyro = await startDevice(
    parts,
    gyro,
    ['anglvel'],
    rateHz,
    (samples) => {
      noteTemperature()
      tell(both.addGyro(half(samples, 'anglvel')))
    },
    heard.ended,
  )
  if (!stopGyro || isFault(stopGyro)) return stopGyro
  const stopAccel = await startDevice(
    parts,
    accel,
    ['accel'],
    rateHz,
    (samples) => tell(both.addAccel(half(samples, 'accel'))),
    heard.ended,
  )
  if (!stopAccel || isFault(stopAccel)) {
    await stopGyro()
    return stopAccel
  }
  return async () => {
    await stopGyro()
    await stopAccel()
  }
}
