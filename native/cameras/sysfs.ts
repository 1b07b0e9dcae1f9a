// What sysfs says of the device files for video. Every value is optional: a device that is just being pulled out fails
// in the middle of reading.
import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { UsbFacts, VideoNode } from '../../machines/cameras/camera-info.ts'

const VIDEO = /^video(\d+)$/
const USB_INTERFACE = /^\d+-[\d.]+:([\d.]+)$/
const ROOT_HUB = /\/usb\d+(?=\/|$)/

/** All device files for video of the system, by number. sysfs, dev: the folders. */
export const readVideoNodes = async (sysfs: string, dev: string): Promise<readonly VideoNode[]> => {
  const folder = join(sysfs, 'class/video4linux')
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [] // no camera was ever plugged in: its driver was not loaded
    throw error
  })
  const numbers = names.flatMap((name) => VIDEO.exec(name)?.[1] ?? []).map(Number)
  const root = await realpath(sysfs)
  const nodes = await Promise.all(
    numbers.sort((a, b) => a - b).map((n) => readNode(root, join(folder, `video${n}`), join(dev, `video${n}`))),
  )
  return nodes.filter((node) => node !== undefined)
}

const readNode = async (root: string, entry: string, device: string): Promise<VideoNode | undefined> => {
  const file = await stat(device).catch(() => undefined)
  if (!file) return undefined // the system knows of it before there is a file for it, and after
  const [name, index, parent] = await Promise.all([text(entry, 'name'), text(entry, 'index'), place(entry)])
  const usb = parent ? await readUsb(parent) : undefined
  const path = (parent ?? device).replace(root, '')
  return {
    device,
    plugged: [usb?.bus, usb?.number, file.ino, Math.round(file.birthtimeMs)].join(':'),
    name: name ?? basename(device),
    index: Number(index) || 0,
    controller: usb ? path.replace(/^\/devices\//, '').split(ROOT_HUB)[0] || 'usb' : path.replace(/^\/devices\//, ''),
    usb: usb?.facts ?? null,
  }
}

const place = (entry: string): Promise<string | undefined> => realpath(join(entry, 'device')).catch(() => undefined)

/** parent: the folder of what made the device file, which is an interface of a USB device. */
const readUsb = async (parent: string) => {
  const [, part] = USB_INTERFACE.exec(basename(parent)) ?? []
  if (part === undefined) return undefined
  const folder = dirname(parent)
  const names = ['idVendor', 'idProduct', 'serial', 'manufacturer', 'product', 'busnum', 'devnum', 'devpath', 'speed']
  const [vendor, product_id, serial, manufacturer, product, bus, number, port, speed] = await Promise.all(
    names.map((name) => text(folder, name)),
  )
  const facts: UsbFacts = {
    vendor_id: vendor ?? '0000',
    product_id: product_id ?? '0000',
    serial: serial ?? null,
    manufacturer: manufacturer ?? null,
    product: product ?? null,
    port: port ?? basename(folder).replace(/^\d+-/, ''),
    interface: part,
    bus: Number(bus ?? basename(folder).split('-')[0]) || 0,
    speed_mbit_s: Number(speed) || null,
    folder,
  }
  return { facts, bus, number }
}

const text = (folder: string, name: string): Promise<string | undefined> =>
  readFile(join(folder, name), 'utf8').then(
    (value) => value.replace(/\0.*$/s, '').trim() || undefined,
    () => undefined,
  )
