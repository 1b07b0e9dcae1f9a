// Reads what sysfs says of USB.
import * as Effect from 'effect/Effect'
import {
  parentOf,
  type UsbDeviceFacts,
  type UsbDisk,
  type UsbInterfaceFacts,
  type UsbNetwork,
  type UsbPortFacts,
  type UsbPortRef,
  type UsbReading,
  type UsbUser,
} from '../../machines/usb/reading.ts'
import type { ProgramsPort } from '../programs/port.ts'
import { numberIn, type SystemFiles } from '../system-files/port.ts'
import { type Mount, mountOf, mountsIn } from './mounts.ts'
import { type UhubctlPorts, uhubctlPorts } from './uhubctl.ts'

/** Where is read. */
export interface ReadParts {
  readonly files: SystemFiles
  readonly programs: ProgramsPort
  /** The folder with the data of this service. */
  readonly dataDir: string
  /** The addresses of each network interface. */
  readonly addresses: () => Readonly<Record<string, readonly string[]>>
}

const DEVICES = '/sys/bus/usb/devices'
const DEVICE = /^(usb\d+|\d+-[\d.]+)$/
const INTERFACE = /^(\d+-[\d.]+):(\d+\.\d+)$/
const PORT = /^(.+)-port(\d+)$/

/** The folder of a hub's own interface, in which its ports lie. */
const hubFolder = (hub: string): string =>
  `${DEVICES}/${hub.startsWith('usb') ? `${hub.slice('usb'.length)}-0:1.0` : `${hub}:1.0`}`

/** The file by which the kernel switches a port. */
export const disableFile = ({ hub, port }: UsbPortRef): string => `${hubFolder(hub)}/${hub}-port${port}/disable`

/** All that there is now. */
export const readUsb = ({ files, programs, dataDir, addresses }: ReadParts): Effect.Effect<UsbReading> =>
  Effect.gen(function* () {
    const names = yield* Effect.promise(() => files.names(DEVICES))
    const paths = names.filter((name) => DEVICE.test(name)).sort(byPlace)
    const found = yield* Effect.promise(async () => ({
      devices: await Promise.all(paths.map((path) => readDevice(files, path, names))),
      model: await files.text('/proc/device-tree/model'),
      kernel: await files.text('/proc/sys/kernel/osrelease'),
      mounts: mountsIn((await files.text('/proc/self/mountinfo')) ?? ''),
      videos: await usersOf(files, 'video', '/sys/class/video4linux', '/dev/'),
      networks: await usersOf(files, 'network', '/sys/class/net'),
      disks: await usersOf(files, 'disk', '/sys/class/block'),
    }))
    const { devices, model, kernel, mounts, videos, networks, disks } = found
    const hubs = devices.filter(({ port_count }) => port_count !== null)
    const ports = yield* Effect.promise(async () =>
      (await Promise.all(hubs.map((hub) => readPorts(files, hub)))).flat(),
    )
    // it asks each hub over its cable, which takes a while: only where the kernel has no way
    const asked = ports.some(({ ways }) => ways.length === 0) ? yield* uhubctlPorts(programs) : null
    const known = addresses()
    const dataMount = mountOf(mounts, dataDir)
    return {
      model,
      kernel,
      devices,
      drivers: yield* Effect.promise(() => driversOf(files, devices)),
      ports: asked ? ports.map((port) => withUhubctl(port, asked)) : ports,
      videos,
      networks: networks.map((each): UsbNetwork => ({ ...each, addresses: known[each.name] ?? [] })),
      disks: yield* Effect.promise(() => disksOf(files, disks, mounts, dataMount)),
      has_uhubctl: asked?.isInstalled ?? null,
    }
  })

/** A hub before what hangs on it, and ports by number. */
const byPlace = (one: string, other: string): number => {
  const [a, b] = [one, other].map((path) => path.match(/\d+/g)?.map(Number) ?? [])
  for (let at = 0; at < Math.max(a?.length ?? 0, b?.length ?? 0); at++) {
    const difference = (a?.[at] ?? -1) - (b?.[at] ?? -1)
    if (difference !== 0) return difference
  }
  return 0
}

const readDevice = async (files: SystemFiles, path: string, names: readonly string[]): Promise<UsbDeviceFacts> => {
  const folder = `${DEVICES}/${path}`
  const text = (name: string) => files.text(`${folder}/${name}`)
  const number = async (name: string) => numberIn(await text(name))
  const parent = parentOf(path)
  const bus = Number(/\d+/.exec(path)?.[0])
  const own = names.filter((name) => INTERFACE.exec(name)?.[1] === (parent ? path : `${bus}-0`))
  const [vendor_id, product_id, manufacturer, product, serial, maxPower] = await Promise.all(
    ['idVendor', 'idProduct', 'manufacturer', 'product', 'serial', 'bMaxPower'].map(text),
  )
  const [devnum, speed, children] = await Promise.all(['devnum', 'speed', 'maxchild'].map(number))
  const isHub = parent === null || (children ?? 0) > 0 || (await text('bDeviceClass')) === '09'
  return {
    path,
    parent: parent?.hub ?? null,
    port: parent?.port ?? null,
    bus,
    number: devnum ?? null,
    controller: controllerIn(await files.place(folder)),
    vendor_id: hexIn(vendor_id),
    product_id: hexIn(product_id),
    manufacturer: shown(manufacturer),
    product: shown(product),
    serial: shown(serial),
    speed_mbit_s: speed ?? null,
    max_power_ma: numberIn(/^(\d{1,5})mA$/.exec(maxPower ?? '')?.[1] ?? null),
    port_count: isHub ? countOf(children) : null,
    interfaces: await Promise.all(own.map((name) => readInterface(files, name))),
  }
}

const MAX_TEXT = 126 // characters of a descriptor
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}]/gu // makers write anything there

const shown = (text: string | null | undefined): string | null =>
  text?.replace(UNSEEN, '').trim().slice(0, MAX_TEXT) || null

const hexIn = (text: string | null | undefined): string | null =>
  /^[0-9a-f]{4}$/.test(text ?? '') ? (text ?? null) : null

const MAX_PORTS = 127

const countOf = (count: number | null | undefined): number =>
  count && Number.isInteger(count) && count > 0 && count <= MAX_PORTS ? count : 0

const readInterface = async (files: SystemFiles, name: string): Promise<UsbInterfaceFacts> => {
  const kind = await files.text(`${DEVICES}/${name}/bInterfaceClass`)
  const driver = await files.place(`${DEVICES}/${name}/driver`)
  return {
    number: INTERFACE.exec(name)?.[2] ?? '',
    class: /^[0-9a-f]{2}$/.test(kind ?? '') ? kind : null,
    driver: driver === null ? null : lastOf(driver),
  }
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** `platform/scb/fd500000.pcie/pci0000:00/0000:00:00.0/0000:01:00.0`: as cameras have it. */
const controllerIn = (place: string | null): string =>
  /^\/sys\/devices\/(.*?)\/usb\d+(\/|$)/.exec(place ?? '')?.[1] ?? 'usb'

const driversOf = async (
  files: SystemFiles,
  devices: readonly UsbDeviceFacts[],
): Promise<Readonly<Record<string, string>>> => {
  const controllers = [...new Set(devices.map(({ controller }) => controller))]
  const drivers = await Promise.all(controllers.map((each) => files.place(`/sys/devices/${each}/driver`)))
  return Object.fromEntries(
    controllers.flatMap((controller, at) => {
      const driver = drivers[at]
      return driver ? [[controller, lastOf(driver)]] : []
    }),
  )
}

/** The ports of a hub that is bound to the kernel's driver of hubs. */
const readPorts = async (
  files: SystemFiles,
  { path, port_count }: UsbDeviceFacts,
): Promise<readonly UsbPortFacts[]> => {
  const folder = hubFolder(path)
  const numbers = (await files.names(folder))
    .flatMap((name) => PORT.exec(name)?.[2] ?? [])
    .map(Number)
    .filter((port) => port >= 1 && port <= MAX_PORTS)
  const all = numbers.length > 0 ? numbers : Array.from({ length: port_count ?? 0 }, (_, at) => at + 1)
  return Promise.all(
    all
      .sort((a, b) => a - b)
      .map(async (port): Promise<UsbPortFacts> => {
        const own = `${folder}/${path}-port${port}`
        const [names, connects, peer] = await Promise.all([
          files.names(own),
          files.text(`${own}/connect_type`),
          files.place(`${own}/peer`),
        ])
        const [, hub, number] = PORT.exec(lastOf(peer ?? '')) ?? []
        return {
          hub: path,
          port,
          ways: names.includes('disable') ? ['kernel'] : [],
          peer: hub !== undefined && number !== undefined ? { hub, port: Number(number) } : null,
          is_inside: connects === 'hardwired' || connects === 'not used',
          is_ganged: false,
        }
      }),
  )
}

const withUhubctl = (port: UsbPortFacts, { ports }: UhubctlPorts): UsbPortFacts => {
  const known = ports.find((each) => each.hub === port.hub && each.port === port.port)
  return known ? { ...port, ways: [...port.ways, 'uhubctl'], is_ganged: known.isGanged } : port
}

/** What the system has made of USB devices, of one kind. */
const usersOf = async <Name extends string>(
  files: SystemFiles,
  kind: Name,
  folder: string,
  before = '',
): Promise<readonly UsbUser<Name>[]> => {
  const names = await files.names(folder)
  const places = await Promise.all(names.map((name) => files.place(`${folder}/${name}`)))
  return names.flatMap((name, at) => {
    const device = places[at]?.split('/').findLast((part) => /^\d+-[\d.]+$/.test(part))
    return device ? [{ kind, name: `${before}${name}`, device }] : []
  })
}

/** Whole disks, each with where it and its parts are mounted. */
const disksOf = async (
  files: SystemFiles,
  blocks: readonly UsbUser<'disk'>[],
  mounts: readonly Mount[],
  dataMount: Mount | undefined,
): Promise<readonly UsbDisk[]> => {
  const numbered = await Promise.all(
    blocks.map(async (block) => ({ ...block, number: await files.text(`/sys/class/block/${block.name}/dev`) })),
  )
  const partsOf = ({ name, device }: UsbUser<'disk'>) =>
    numbered.filter((each) => each.device === device && each.name.startsWith(name))
  const isWhole = ({ name, device }: UsbUser<'disk'>) =>
    !blocks.some((each) => each.device === device && each.name !== name && name.startsWith(each.name))
  return blocks.filter(isWhole).map((block) => {
    const on = mounts.filter(({ number, source }) =>
      partsOf(block).some((part) => part.number === number || `/dev/${part.name}` === source),
    )
    return {
      ...block,
      mounts: [...new Set(on.map(({ at }) => at))].slice(0, MAX_MOUNTS),
      holds_data: dataMount !== undefined && on.some(({ at }) => at === dataMount.at),
    }
  })
}

const MAX_MOUNTS = 8
