// The files in which Linux tells of a USB camera, in a folder of their own: as much of /sys and /dev as a program needs
// to find cameras.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { CameraModel } from './models.ts'

/** A USB device in its port. */
export interface UsbUnit {
  readonly model: CameraModel
  /** `1-1.3`, bus and the ports on the way. */
  readonly port: string
  readonly serial: string | null
  /** Counts up with each plugging-in. */
  readonly number: number
}

const CONTROLLER = 'devices/platform/soc/fc800000.usb'

const write = (path: string, text: string | number): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${text}\n`)
}

const link = (from: string, to: string): void => {
  mkdirSync(dirname(from), { recursive: true })
  rmSync(from, { force: true })
  symlinkSync(relative(dirname(from), to), from)
}

/** `1-1.3` lies in `usb1/1-1/1-1.3`. */
const folderOf = (sysfs: string, port: string): string => {
  const [bus, path = ''] = port.split('-')
  const ports = path.split('.')
  const hubs = ports.map((_, index) => `${bus}-${ports.slice(0, index + 1).join('.')}`)
  return join(sysfs, CONTROLLER, `usb${bus}`, ...hubs)
}

/**
 * Adds a camera with its nodes: index 0 gives pictures, index 1 is that of its metadata. Returns the way to take it out
 * again.
 */
export const addUsbCamera = (
  sysfs: string,
  { model, port, serial, number }: UsbUnit,
  nodes: readonly string[],
): (() => void) => {
  const device = folderOf(sysfs, port)
  const face = join(device, `${port}:1.0`)
  const [bus = '1', devpath = '1'] = port.split('-')
  const facts = {
    idVendor: model.vendor,
    idProduct: model.product,
    manufacturer: model.manufacturer,
    product: model.name,
    busnum: bus,
    devnum: number,
    devpath,
    speed: model.speedMbit,
    bcdDevice: '0100',
    bMaxPower: '500mA',
    ...(serial !== null && { serial }),
  }
  for (const [name, value] of Object.entries(facts)) write(join(device, name), value)
  write(join(face, 'bInterfaceNumber'), '00')
  for (const [index, node] of nodes.entries()) {
    const folder = join(face, 'video4linux', node)
    write(join(folder, 'name'), model.name)
    write(join(folder, 'index'), index)
    write(join(folder, 'dev'), `81:${node.slice('video'.length)}`)
    link(join(folder, 'device'), face)
    link(join(sysfs, 'class/video4linux', node), folder)
  }
  link(join(sysfs, 'bus/usb/devices', port), device)
  return () => {
    for (const node of nodes) rmSync(join(sysfs, 'class/video4linux', node), { force: true })
    rmSync(join(sysfs, 'bus/usb/devices', port), { force: true })
    rmSync(device, { recursive: true, force: true })
  }
}
