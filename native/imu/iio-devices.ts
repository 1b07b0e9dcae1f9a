// The IMUs among the IIO devices of a Linux system: which there are, which two belong together, and what speaks against
// one. Anything in that folder may be missing, asleep or gone: what cannot be read is left out.
import { basename, dirname } from 'node:path'
import type { FoundImu, FoundImus } from '../../machines/imu/found.ts'
import type { SystemFiles } from '../system-files/port.ts'

const FOLDER = '/sys/bus/iio/devices'

/** What a device measures. */
export type Kind = 'accel' | 'anglvel'
export const AXES = ['x', 'y', 'z'] as const

/** One of the system's devices. */
export interface IioDevice {
  /** `iio:device0`. */
  readonly node: string
  /** Its folder. */
  readonly path: string
  readonly name: string
  /** Where it is plugged in: `1-006a`. */
  readonly at: string
  /** The folder of what it is plugged into. */
  readonly parent: string
  /** Of which it has all three axes. */
  readonly kinds: readonly Kind[]
  /** `scan_elements` or `buffer0`; null: it has no buffer. */
  readonly scanFolder: string | null
  /** `buffer` or `buffer0`. */
  readonly bufferFolder: string
  readonly names: ReadonlySet<string>
  readonly rates_hz: readonly number[]
}

/** An IMU: the device of its turns and that of its forces, which may be one. */
export interface IioImu {
  readonly id: string
  readonly name: string
  readonly gyro: IioDevice
  readonly accel: IioDevice
}

const LOOKED_FOR = [
  'Devices of the kernel below /sys/bus/iio/devices that measure turns (in_anglvel_*) and forces (in_accel_*).',
  'A chip on I²C or SPI is there when its driver is loaded and the device tree names it.',
]

/** The names in the folder of a device, with those that tell of its channels. */
const channelNames = (names: ReadonlySet<string>, scan: readonly string[], kind: Kind): boolean =>
  AXES.every((axis) => names.has(`in_${kind}_${axis}_raw`) || scan.includes(`in_${kind}_${axis}_en`))

const numbersIn = (text: string | null): readonly number[] =>
  (text ?? '')
    .replace(/[[\]]/g, '')
    .split(/\s+/)
    .map(Number)
    .filter((each) => Number.isFinite(each) && each > 0)

const readDevice = async (files: SystemFiles, node: string): Promise<IioDevice | null> => {
  const path = `${FOLDER}/${node}`
  const names = new Set(await files.names(path))
  if (names.size === 0) return null
  const scanFolder = ['scan_elements', 'buffer0'].find((each) => names.has(each)) ?? null
  const scan = scanFolder ? await files.names(`${path}/${scanFolder}`) : []
  const kinds = (['anglvel', 'accel'] as const).filter((kind) => channelNames(names, scan, kind))
  if (kinds.length === 0) return null
  const name = (await files.text(`${path}/name`)) || (await files.text(`${path}/label`)) || node
  const place = await files.place(path)
  const parent = place ? dirname(place) : path
  const rates = await Promise.all(
    ['sampling_frequency_available', ...kinds.map((kind) => `in_${kind}_sampling_frequency_available`)]
      .filter((file) => names.has(file))
      .map((file) => files.text(`${path}/${file}`)),
  )
  return {
    node,
    path,
    name: name.slice(0, 64),
    at: basename(parent),
    parent,
    kinds,
    scanFolder,
    bufferFolder: names.has('buffer') ? 'buffer' : 'buffer0',
    names,
    rates_hz: numbersIn(rates.find((text) => numbersIn(text).length > 0) ?? null).slice(0, 64),
  }
}

/** All devices that measure turns or forces along three axes. */
export const readIioDevices = async (files: SystemFiles): Promise<readonly IioDevice[]> => {
  const nodes = (await files.names(FOLDER)).filter((name) => /^iio:device\d+$/.test(name))
  const devices = await Promise.all(nodes.map((node) => readDevice(files, node)))
  return devices.filter((each) => each !== null)
}

/** The name of a chip without what its driver says of the half. */
const stem = (name: string): string => name.replace(/[-_](accel|gyro|anglvel|acc|gyr|imu)$/, '')

/** Which device of forces belongs to this one of turns. */
const partnerOf = (gyro: IioDevice, gyros: readonly IioDevice[], accels: readonly IioDevice[]): IioDevice | undefined =>
  accels.find(({ parent }) => parent === gyro.parent) ??
  accels.find(({ name }) => stem(name) === stem(gyro.name)) ??
  (gyros.length === 1 && accels.length === 1 ? accels[0] : undefined)

const idOf = (gyro: IioDevice, accel: IioDevice): string =>
  gyro === accel ? `iio:${gyro.name}@${gyro.at}` : `iio:${gyro.name}+${accel.name}@${gyro.at}`

/** Those that have both, of one device or of two. */
export const imusOf = (devices: readonly IioDevice[]): readonly IioImu[] => {
  const whole = devices.filter(({ kinds }) => kinds.length === 2)
  const gyros = devices.filter(({ kinds }) => kinds.length === 1 && kinds[0] === 'anglvel')
  let accels = devices.filter(({ kinds }) => kinds.length === 1 && kinds[0] === 'accel')
  const pairs = gyros.flatMap((gyro) => {
    const accel = partnerOf(gyro, gyros, accels)
    accels = accels.filter((each) => each !== accel)
    return accel ? [{ gyro, accel }] : []
  })
  const all = [...whole.map((each) => ({ gyro: each, accel: each })), ...pairs]
  const ids = all.map(({ gyro, accel }) => idOf(gyro, accel))
  return all.map(({ gyro, accel }, at) => ({
    gyro,
    accel,
    name: gyro === accel ? gyro.name : `${gyro.name} and ${accel.name}`,
    // two chips whose places look alike are told apart by the system's number
    id: ids.filter((each) => each === ids[at]).length > 1 ? `${ids[at]}#${gyro.node}` : (ids[at] as string),
  }))
}

/** Half of an IMU, which is shown so that people see why it is not used. */
const loneOf = (device: IioDevice): FoundImu => ({
  id: `iio:${device.name}@${device.at}`,
  name: device.name,
  way: device.scanFolder ? 'buffer' : 'polling',
  devices: [device.node],
  rates_hz: [...device.rates_hz],
  detail:
    device.kinds[0] === 'accel'
      ? 'it measures forces and no turns, so that nobody would know where the robot points'
      : 'it measures turns and no forces, so that nobody would know where up is',
})

/** As people are shown them, the best first. */
export const foundImus = (devices: readonly IioDevice[]): FoundImus => {
  const imus = imusOf(devices)
  const used = new Set(imus.flatMap(({ gyro, accel }) => [gyro, accel]))
  const found = imus.map(({ id, name, gyro, accel }): FoundImu => {
    const way = gyro.scanFolder && accel.scanFolder ? 'buffer' : 'polling'
    const nodes = gyro === accel ? [gyro.node] : [gyro.node, accel.node]
    return { id, name, way, devices: nodes, rates_hz: [...gyro.rates_hz], detail: null }
  })
  const best = found.toSorted((a, b) => Number(a.way !== 'buffer') - Number(b.way !== 'buffer'))
  const lone = devices.filter((each) => !used.has(each)).map(loneOf)
  return { imus: [...best, ...lone].slice(0, 64), looked_for: LOOKED_FOR }
}
