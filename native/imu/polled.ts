// Samples of a chip that hands nothing over: its files are read again and again, each held open. The reads run in the
// threads of all files and end at once.
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import type { RawImuBatch } from '../../machines/imu/reading.ts'
import { numberIn } from '../system-files/port.ts'
import type { Heard, ReadingParts, Stop } from './buffered.ts'
import { imuFailed, type Triad, temperatureOf, triadOf, writeScaled } from './iio-channels.ts'
import { AXES, type IioDevice, type IioImu, type Kind } from './iio-devices.ts'

/** Six files for each sample: faster would cost more than it is worth. */
export const MAX_POLLED_HZ = 100
/** So many reads in a row may fail before it is taken for broken: a chip that sleeps answers again. */
const MAX_FAILURES = 20
const TEMPERATURE_EVERY = 200
const MAX_NUMBER_BYTES = 32

class Raws {
  readonly #handles: readonly FileHandle[]
  readonly #bytes = Buffer.alloc(MAX_NUMBER_BYTES)

  constructor(handles: readonly FileHandle[]) {
    this.#handles = handles
  }

  static async open({ root }: ReadingParts, device: IioDevice, kind: Kind): Promise<Raws | Fault> {
    const handles: FileHandle[] = []
    try {
      for (const axis of AXES) handles.push(await open(join(root, device.path, `in_${kind}_${axis}_raw`), 'r'))
      return new Raws(handles)
    } catch (error) {
      await Promise.all(handles.map((each) => each.close().catch(() => {})))
      return imuFailed(`The IMU ${device.name} has no values of ${kind} to be read: ${(error as Error).message}.`)
    }
  }

  /** Throws when one cannot be read now. */
  async read(into: [number, number, number]): Promise<void> {
    for (let axis = 0; axis < 3; axis++) {
      const { bytesRead } = await (this.#handles[axis] as FileHandle).read(this.#bytes, 0, MAX_NUMBER_BYTES, 0)
      const text = this.#bytes.toString('latin1', 0, bytesRead).trim()
      const value = numberIn(text)
      if (value === null) throw new Error(`it says ${JSON.stringify(text)}`)
      into[axis] = value
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#handles.map((each) => each.close().catch(() => {})))
  }
}

/** Starts to read by polling. */
export const startPolled = async (
  parts: ReadingParts,
  { gyro, accel }: IioImu,
  rateHz: number,
  heard: Heard,
): Promise<Stop | Fault> => {
  const turns = await triadOf(parts.files, gyro, 'anglvel')
  if (isFault(turns)) return turns
  const forces = await triadOf(parts.files, accel, 'accel')
  if (isFault(forces)) return forces
  const rawTurns = await Raws.open(parts, gyro, 'anglvel')
  if (isFault(rawTurns)) return rawTurns
  const rawForces = await Raws.open(parts, accel, 'accel')
  if (isFault(rawForces)) {
    await rawTurns.close()
    return rawForces
  }
  const poll = new Poll(parts, { gyro, turns, forces, rawTurns, rawForces }, heard)
  const timer = setInterval(() => poll.sample(), 1_000 / Math.min(rateHz, MAX_POLLED_HZ))
  return async () => {
    clearInterval(timer)
    await poll.end()
    await Promise.all([rawTurns.close(), rawForces.close()])
  }
}

interface Polled {
  readonly gyro: IioDevice
  readonly turns: Triad
  readonly forces: Triad
  readonly rawTurns: Raws
  readonly rawForces: Raws
}

class Poll {
  readonly #parts: ReadingParts
  readonly #of: Polled
  readonly #heard: Heard
  #now: Promise<void> | undefined
  #hasEnded = false
  #failures = 0
  #count = 0
  #temperature: number | null = null

  constructor(parts: ReadingParts, of: Polled, heard: Heard) {
    this.#parts = parts
    this.#of = of
    this.#heard = heard
  }

  /** One more; left out while the one before is still being read. */
  sample(): void {
    if (this.#now || this.#hasEnded) return
    this.#now = this.#read().finally(() => {
      this.#now = undefined
    })
  }

  async end(): Promise<void> {
    this.#hasEnded = true
    await this.#now
  }

  async #read(): Promise<void> {
    const { gyro, turns, forces, rawTurns, rawForces } = this.#of
    const { clock, files } = this.#parts
    const raw: [number, number, number] = [0, 0, 0]
    const [gyro_rad_s, accel_m_s2] = [new Float64Array(3), new Float64Array(3)]
    try {
      const fromUs = clock.monotonicUs()
      await rawTurns.read(raw)
      writeScaled(turns, raw, gyro_rad_s, 0)
      await rawForces.read(raw)
      writeScaled(forces, raw, accel_m_s2, 0)
      const at_us = Float64Array.of((fromUs + clock.monotonicUs()) / 2)
      if (this.#count++ % TEMPERATURE_EVERY === 0) this.#temperature = await temperatureOf(files, gyro)
      this.#failures = 0
      this.#tell({ count: 1, at_us, gyro_rad_s, accel_m_s2, temperature_c: this.#temperature })
    } catch (error) {
      this.#fail(error as NodeJS.ErrnoException)
    }
  }

  #tell(batch: RawImuBatch): void {
    if (!this.#hasEnded) this.#heard.batch(batch)
  }

  #fail({ code, message }: NodeJS.ErrnoException): void {
    this.#failures += 1
    if (this.#hasEnded || (code !== 'ENODEV' && this.#failures < MAX_FAILURES)) return
    this.#hasEnded = true
    const { name } = this.#of.gyro
    this.#heard.ended(imuFailed(`The IMU ${name} does not give any more: ${message}. It is looked for again.`))
  }
}
