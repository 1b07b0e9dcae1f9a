// A folder that stands for the IIO part of a Linux system: files as drivers have them, and pipes for the device files.
import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, symlinkSync, writeFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { linuxImus } from '../../../native/imu/linux.ts'
import { linuxSystemFiles } from '../../../native/system-files/linux.ts'
import { dataFolder } from '../processes/documents.ts'

/** Files of a device, by their names in its folder. */
export type Files = Readonly<Record<string, string>>

/** As `lsm6dsm` with one device for both would have them: forces in 4 g, turns in 1000 degrees a second. */
export const WHOLE: Files = {
  name: 'inv-mpu6050',
  sampling_frequency: '050',
  sampling_frequency_available: '50 100 200 500',
  current_timestamp_clock: 'realtime\n',
  in_accel_scale: '0.001196',
  in_anglvel_scale: '0.000532',
  in_accel_x_offset: '10',
  in_temp_raw: '1000',
  in_temp_scale: '10.0',
  in_temp_offset: '2000',
  in_mount_matrix: '0, 1, 0; -1, 0, 0; 0, 0, 1',
  'trigger/current_trigger': 'inv-mpu6050-dev0\n',
  ...rawsOf('accel', [0, 0, 8192]),
  ...rawsOf('anglvel', [0, 0, 0]),
  ...scanOf([
    ['accel_x', 'be:s16/16>>0'],
    ['accel_y', 'be:s16/16>>0'],
    ['accel_z', 'be:s16/16>>0'],
    ['anglvel_x', 'be:s16/16>>0'],
    ['anglvel_y', 'be:s16/16>>0'],
    ['anglvel_z', 'be:s16/16>>0'],
    ['timestamp', 'le:s64/64>>0'],
  ]),
}

/** The values of three channels as files. */
export function rawsOf(kind: string, values: readonly number[]): Files {
  return Object.fromEntries(values.map((value, at) => [`in_${kind}_${'xyz'[at]}_raw`, `${value}\n`]))
}

/** Channels as scan elements, in this order, with a buffer. */
export function scanOf(channels: readonly (readonly [name: string, type: string])[]): Files {
  return {
    ...Object.fromEntries(
      channels.flatMap(([name, type], at) => [
        [`scan_elements/in_${name}_en`, '0\n'],
        [`scan_elements/in_${name}_index`, `${at}\n`],
        [`scan_elements/in_${name}_type`, `${type}\n`],
      ]),
    ),
    'buffer/enable': '0\n',
    'buffer/length': '2\n',
    'buffer/watermark': '1\n',
  }
}

export interface IioTree {
  readonly imus: ReturnType<typeof linuxImus>
  /** Adds a device, plugged in there: `i2c-1/1-0068`. */
  readonly add: (number: number, at: string, files: Files) => void
  readonly text: (number: number, file: string) => string
  readonly set: (number: number, file: string, text: string) => void
  /** Takes a file away. */
  readonly remove: (number: number, file: string) => void
  /** Opens its device file as the kernel does. */
  readonly kernel: (number: number) => { readonly give: (bytes: Uint8Array) => void; readonly end: () => void }
  /** CLOCK_MONOTONIC, µs, moved by hand. */
  nowUs: number
}

const devicesIn = (root: string): string => join(root, 'sys/bus/iio/devices')

const write = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** Lays out a folder without devices; `trigger0` has a name, as most have, and `iio_sysfs_trigger` has none. */
export const makeIioTree = (root: string): void => {
  mkdirSync(devicesIn(root), { recursive: true })
  mkdirSync(join(root, 'dev'))
  write(join(devicesIn(root), 'trigger0/name'), 'inv-mpu6050-dev0\n')
  mkdirSync(join(devicesIn(root), 'iio_sysfs_trigger'))
}

/** Adds a device, plugged in there; the path of the pipe that is its device file. */
export const addIioDevice = (root: string, number: number, at: string, files: Files): string => {
  const node = `iio:device${number}`
  const place = join(root, 'sys/devices/platform/soc', at, node)
  for (const [file, text] of Object.entries(files)) write(join(place, file), text)
  symlinkSync(place, join(devicesIn(root), node))
  const pipe = join(root, 'dev', node)
  execFileSync('mkfifo', [pipe])
  return pipe
}

/** Makes an empty one. */
export const iioTree = (t: TestContext): IioTree => {
  const root = dataFolder(t)
  makeIioTree(root)
  const pathOf = (number: number, file: string) => join(devicesIn(root), `iio:device${number}`, file)
  const tree: IioTree = {
    nowUs: 5_000_000_000,
    imus: linuxImus({ root, files: linuxSystemFiles(root), clock: { monotonicUs: () => tree.nowUs } }),
    add: (number, at, files) => void addIioDevice(root, number, at, files),
    text: (number, file) => readFileSync(pathOf(number, file), 'utf8'),
    set: (number, file, text) => write(pathOf(number, file), text),
    remove: (number, file) => rmSync(pathOf(number, file), { recursive: true, force: true }),
    kernel: (number) => {
      const pipe = openSync(join(root, 'dev', `iio:device${number}`), 'r+')
      let isOpen = true
      const end = () => {
        if (isOpen) closeSync(pipe)
        isOpen = false
      }
      t.after(end)
      return { give: (bytes) => writeSync(pipe, bytes), end }
    },
  }
  return tree
}

/** A sample as `WHOLE` lays it out: six big-endian numbers, and the time in ns. */
export const sampleOf = (accel: readonly number[], turns: readonly number[], atUs: number): Uint8Array => {
  const bytes = new Uint8Array(24)
  const view = new DataView(bytes.buffer)
  for (const [at, value] of [...accel, ...turns].entries()) view.setInt16(2 * at, value, false)
  view.setBigInt64(16, BigInt(Math.round(atUs * 1_000)), true)
  return bytes
}
