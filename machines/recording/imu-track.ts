// What an IMU has said in the last moments, in columns, and its lines in the side-car of a recording.
import type { ImuBatch } from '../imu/reading.ts'

const RAD = Math.PI / 180
const STANDARD_GRAVITY = 9.80665
const CHUNK = 1024

interface Chunk {
  count: number
  /** CLOCK_MONOTONIC, µs. */
  readonly atUs: Float64Array
  /** Six of each: turns in rad/s, then specific force in m/s2, along x, y, z of the robot. */
  readonly values: Float32Array
}

/** A stretch of a track. */
export interface TrackLines {
  /** One measurement on each: `{"pts_us":0,"gyro_rad_s":[x,y,z],"accel_m_s2":[x,y,z]}`. Empty: there are none. */
  readonly lines: string
  /** The time of the last of them. */
  readonly lastUs: number
  /** Whether there are more. */
  readonly hasMore: boolean
}

/** The newest readings, in the order of time. */
export class ImuTrack {
  #chunks: Chunk[] = []
  newestUs = Number.NEGATIVE_INFINITY

  /** What is not newer than the newest is left out. */
  add({ count, at_us, gyro_dps, accel_g }: ImuBatch): void {
    for (let n = 0; n < count; n++) {
      const us = at_us[n] as number
      if (!(us > this.newestUs)) continue
      this.newestUs = us
      const chunk = this.#open()
      const to = 6 * chunk.count
      chunk.atUs[chunk.count] = us
      for (let axis = 0; axis < 3; axis++) {
        chunk.values[to + axis] = (gyro_dps[3 * n + axis] as number) * RAD
        chunk.values[to + 3 + axis] = (accel_g[3 * n + axis] as number) * STANDARD_GRAVITY
      }
      chunk.count += 1
    }
  }

  /** Whole chunks that are older. */
  forgetBefore(us: number): void {
    while (this.#chunks.length > 0 && lastOf(this.#chunks[0] as Chunk) < us) this.#chunks.shift()
  }

  clear(): void {
    this.#chunks = []
    this.newestUs = Number.NEGATIVE_INFINITY
  }

  /** Of readings after one time and not after another, at most so many. zeroUs: of the first picture. */
  lines(afterUs: number, untilUs: number, zeroUs: number, max = Number.POSITIVE_INFINITY): TrackLines {
    let lines = ''
    let lastUs = afterUs
    let count = 0
    for (const chunk of this.#chunks) {
      if (lastOf(chunk) <= afterUs) continue
      for (let n = 0; n < chunk.count; n++) {
        const us = chunk.atUs[n] as number
        if (us <= afterUs || us < zeroUs) continue
        if (us > untilUs) return { lines, lastUs, hasMore: false }
        if (count === max) return { lines, lastUs, hasMore: true }
        lines += lineOf(us - zeroUs, chunk.values, 6 * n)
        lastUs = us
        count += 1
      }
    }
    return { lines, lastUs, hasMore: false }
  }

  #open(): Chunk {
    const last = this.#chunks.at(-1)
    if (last && last.count < CHUNK) return last
    const chunk = { count: 0, atUs: new Float64Array(CHUNK), values: new Float32Array(6 * CHUNK) }
    this.#chunks.push(chunk)
    return chunk
  }
}

const lastOf = ({ count, atUs }: Chunk): number => atUs[count - 1] as number

const lineOf = (ptsUs: number, values: Float32Array, at: number): string =>
  `{"pts_us":${Math.round(ptsUs)},"gyro_rad_s":${axesOf(values, at)},"accel_m_s2":${axesOf(values, at + 3)}}\n`

const axesOf = (values: Float32Array, at: number): string =>
  `[${short(values, at)},${short(values, at + 1)},${short(values, at + 2)}]`

/** To five places, which is less than any chip's noise. */
const short = (values: Float32Array, at: number): number => Math.round((values[at] as number) * 1e5) / 1e5
