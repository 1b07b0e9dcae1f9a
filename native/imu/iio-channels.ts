// The channels of an IIO device: how their numbers become metres and radians, and along which axes they lie.
import type { Fault } from '../../machines/errors/fault.ts'
import type { Matrix } from '../../machines/imu/mount.ts'
import { NO_TURN, parseMountMatrix } from '../../machines/imu/mount-matrix.ts'
import { rangeOf, type Scaling, type ScanType } from '../../machines/imu/scan-layout.ts'
import { numberIn, type SystemFiles } from '../system-files/port.ts'
import { AXES, type IioDevice, type Kind } from './iio-devices.ts'

/** What no chip is made for is a driver that lies. */
const RANGES: Readonly<Record<Kind, { readonly min: number; readonly max: number; readonly unit: string }>> = {
  accel: { min: 10, max: 4_000, unit: 'm/s²' },
  anglvel: { min: 0.5, max: 100, unit: 'rad/s' },
}

export const imuFailed = (detail: string): Fault => ({ code: 'imu.failed', detail })

/** Three channels of a kind: the scaling of each, and how they lie. */
export interface Triad {
  readonly kind: Kind
  readonly scalings: readonly [Scaling, Scaling, Scaling]
  readonly matrix: Matrix
}

/** The first of these files that holds a number. */
const firstNumber = async (files: SystemFiles, device: IioDevice, names: readonly string[]): Promise<number | null> => {
  for (const name of names.filter((each) => device.names.has(each))) {
    const value = numberIn(await files.text(`${device.path}/${name}`))
    if (value !== null) return value
  }
  return null
}

const scalingOf = async (files: SystemFiles, device: IioDevice, kind: Kind, axis: string): Promise<Scaling | Fault> => {
  const scale = await firstNumber(files, device, [`in_${kind}_${axis}_scale`, `in_${kind}_scale`])
  const offset = await firstNumber(files, device, [`in_${kind}_${axis}_offset`, `in_${kind}_offset`])
  if (scale === null || scale === 0)
    return imuFailed(`The IMU ${device.name} says no scale of its channel ${kind}_${axis}, so that it cannot be read.`)
  return { scale, offset: offset ?? 0 }
}

const matrixOf = async (files: SystemFiles, device: IioDevice, kind: Kind): Promise<Matrix> => {
  for (const name of [`in_${kind}_mount_matrix`, 'in_mount_matrix', 'mount_matrix']) {
    const matrix = device.names.has(name) ? parseMountMatrix(await files.text(`${device.path}/${name}`)) : null
    if (matrix) return matrix
  }
  return NO_TURN
}

/** How the three axes of a kind are read. */
export const triadOf = async (files: SystemFiles, device: IioDevice, kind: Kind): Promise<Triad | Fault> => {
  const [x, y, z] = await Promise.all(AXES.map((axis) => scalingOf(files, device, kind, axis)))
  for (const each of [x, y, z]) if (!each || 'code' in each) return each ?? imuFailed(`${device.name} has no ${kind}.`)
  return { kind, scalings: [x, y, z] as Triad['scalings'], matrix: await matrixOf(files, device, kind) }
}

/** Why these numbers cannot be what they are said to be; null: they can. */
export const flawOfRange = (device: IioDevice, { kind, scalings }: Triad, type: ScanType): Fault | null => {
  const { min, max, unit } = RANGES[kind]
  const range = Math.min(...scalings.map((scaling) => rangeOf(type, scaling)))
  if (range >= min && range <= max) return null
  const what = `The IMU ${device.name} says a scale of ${kind} by which it could tell no more than ${range} ${unit}`
  return imuFailed(`${what}; its driver is wrong (${min} to ${max} is what chips have).`)
}

/** Applies scale and offset, then the matrix, to three raw numbers, into three places. */
export const writeScaled = (
  { scalings, matrix }: Triad,
  raw: readonly [number, number, number],
  into: Float64Array | number[],
  at: number,
): void => {
  const x = (raw[0] + scalings[0].offset) * scalings[0].scale
  const y = (raw[1] + scalings[1].offset) * scalings[1].scale
  const z = (raw[2] + scalings[2].offset) * scalings[2].scale
  into[at] = matrix[0] * x + matrix[1] * y + matrix[2] * z
  into[at + 1] = matrix[3] * x + matrix[4] * y + matrix[5] * z
  into[at + 2] = matrix[6] * x + matrix[7] * y + matrix[8] * z
}

const MILLI = 1_000

/** The temperature of a chip, °C; null: it does not say. */
export const temperatureOf = async (files: SystemFiles, device: IioDevice): Promise<number | null> => {
  const value = await firstNumber(files, device, ['in_temp_input', 'in_temp0_input'])
  if (value !== null) return value / MILLI
  const raw = await firstNumber(files, device, ['in_temp_raw', 'in_temp0_raw'])
  const scale = await firstNumber(files, device, ['in_temp_scale', 'in_temp0_scale'])
  const offset = await firstNumber(files, device, ['in_temp_offset', 'in_temp0_offset'])
  if (raw === null || scale === null) return null
  return ((raw + (offset ?? 0)) * scale) / MILLI
}

/** Sets the rate nearest to the one that is asked for; what it says afterwards. null: it does not say. */
export const setRate = async (
  write: (path: string, text: string) => Promise<boolean>,
  files: SystemFiles,
  device: IioDevice,
  rateHz: number,
): Promise<number | null> => {
  const names = ['sampling_frequency', ...device.kinds.map((kind) => `in_${kind}_sampling_frequency`)]
  const wanted = device.rates_hz.toSorted((a, b) => Math.abs(a - rateHz) - Math.abs(b - rateHz))[0] ?? rateHz
  let told: number | null = null
  for (const name of names.filter((each) => device.names.has(each))) {
    await write(`${device.path}/${name}`, String(wanted))
    told = numberIn(await files.text(`${device.path}/${name}`)) ?? told
  }
  return told
}
