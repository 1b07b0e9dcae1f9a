// Which ports of USB get and lose their power together, and by what means. Boards differ: a port of a Raspberry Pi 4
// keeps its power until all of them are switched off, and one of a Raspberry Pi 5 until all of its controller are.
import { oneLine } from '../schema/one-line.ts'
import { parentOf, type UsbDeviceFacts, type UsbPortFacts, type UsbPortRef, type UsbReading } from './reading.ts'

/** How fine the power can be switched. none: not at all. */
export type PowerGranularity = 'port' | 'gang' | 'none'

/** Ports that are switched together. */
export interface PowerSwitch {
  /** Holds until the next start of the device. */
  readonly id: string
  /** For people: `all USB ports of this device`. */
  readonly name: string
  readonly granularity: PowerGranularity
  readonly ports: readonly UsbPortFacts[]
  /** Why nothing can switch them, and what can be done; null: something can. */
  readonly detail: string | null
}

/** All of them, in the order of the hubs. */
export const powerSwitches = (reading: UsbReading): readonly PowerSwitch[] => {
  const groups = new Map<string, UsbPortFacts[]>()
  const join = groupsOf(reading)
  for (const port of reading.ports.filter((each) => !isWithin(reading, each))) {
    const key = join(port)
    groups.set(key, [...(groups.get(key) ?? []), port])
  }
  return [...groups].map(([id, ports]) => switchOf(reading, id, ports))
}

/**
 * The switch that takes a device along, the finest one first: its own port before that of the hub before it. The device
 * need not be there now.
 */
export const switchOfDevice = (switches: readonly PowerSwitch[], path: string): PowerSwitch | undefined => {
  for (let at = parentOf(path); at; at = parentOf(at.hub)) {
    const { hub, port } = at
    const found = switches.find(
      ({ granularity, ports }) => granularity !== 'none' && ports.some((each) => isSamePort(each, { hub, port })),
    )
    if (found) return found
  }
  return undefined
}

const switchOf = (reading: UsbReading, key: string, ports: readonly UsbPortFacts[]): PowerSwitch => {
  const canSwitch = !key.startsWith(FIXED)
  return {
    id: key.replace(GANG, '').replace(FIXED, ''),
    name: nameOf(reading, key, ports),
    granularity: canSwitch ? (key.startsWith(GANG) ? 'gang' : 'port') : 'none',
    ports,
    detail: canSwitch ? null : whyNot(reading),
  }
}

const GANG = 'gang:'
const FIXED = 'fixed:'

const isSamePort = (one: UsbPortRef, other: UsbPortRef): boolean => one.hub === other.hub && one.port === other.port

/**
 * Where nothing can be plugged in there is nothing to switch, and behind a hub that is soldered on are its own ports.
 */
const isWithin = ({ model, devices }: UsbReading, { hub, port, is_inside }: UsbPortFacts): boolean => {
  const there = devices.find((each) => each.parent === hub && each.port === port)
  return is_inside || (there !== undefined && isOfBoard(model, there))
}

/** Says of each port to which switch it belongs. */
const groupsOf = (reading: UsbReading): ((port: UsbPortFacts) => string) => {
  const hubs = new Map(reading.devices.map((device) => [device.path, device]))
  return (port) => {
    const hub = hubs.get(port.hub)
    if (port.ways.length === 0) return FIXED + port.hub
    const gang = hub && gangOfBoard(reading, hub)
    if (gang) return GANG + gang
    const first = halvesOf(reading, port)[0] ?? port
    return first.is_ganged ? `${GANG}${first.hub}` : portId(first)
  }
}

/** `1-1-port2`, as the kernel calls it. */
const portId = ({ hub, port }: UsbPortRef): string => `${hub}-port${port}`

/** The port and the other half of its socket, where that can be switched too, that of USB 2 first. */
const halvesOf = ({ ports, devices }: UsbReading, port: UsbPortFacts): readonly UsbPortFacts[] => {
  const other = ports.find(
    (each) =>
      each.ways.length > 0 &&
      ((port.peer && isSamePort(each, port.peer)) || (each.peer && isSamePort(port, each.peer))),
  )
  const speedOf = ({ hub }: UsbPortRef) => devices.find(({ path }) => path === hub)?.speed_mbit_s ?? 0
  return other ? [port, other].sort((a, b) => speedOf(a) - speedOf(b)) : [port]
}

const PI_4 = /^Raspberry Pi 4 Model B\b/
const PI_5 = /^Raspberry Pi 5\b/

/** What is known of boards on which the ports of several hubs hang on one switch; undefined: of this one nothing is. */
const gangOfBoard = ({ model, devices }: UsbReading, hub: UsbDeviceFacts): string | undefined => {
  // its other controller serves the socket of the supply
  if (model && PI_4.test(model) && isOnPci(hub) && (hub.parent === null || isOfBoard(model, hub)))
    return devices.find((each) => isOnPci(each))?.path
  if (model && PI_5.test(model) && hub.parent === null)
    return devices.find(({ controller }) => controller === hub.controller)?.path
  return undefined
}

const isOnPci = ({ controller }: UsbDeviceFacts): boolean => /(^|\/)pci/.test(controller)

/** The hub that is soldered onto a Raspberry Pi 4, with its four sockets. */
const isOfBoard = (model: string | null, { vendor_id, product_id }: UsbDeviceFacts): boolean =>
  model !== null && PI_4.test(model) && vendor_id === '2109' && product_id === '3431'

const nameOf = ({ model, devices }: UsbReading, key: string, ports: readonly UsbPortFacts[]): string => {
  const [first] = ports
  if (!first) return key
  if (key.startsWith(GANG) && model && PI_4.test(model)) return 'all USB ports of this device'
  const numbers = [...new Set(ports.map(({ port }) => port))].sort((a, b) => a - b)
  const of = `of ${hubName(devices, first.hub)}`
  if (numbers.length === 1) return `the USB port ${first.port} ${of}`
  return `the USB ports ${numbers.join(', ')} ${of}${key.startsWith(GANG) ? ', which are switched together' : ''}`
}

const hubName = (devices: readonly UsbDeviceFacts[], path: string): string => {
  const hub = devices.find((each) => each.path === path)
  if (!hub || hub.parent === null) return `the controller ${path}`
  return `the hub ${[hub.manufacturer, hub.product].filter(Boolean).join(' ') || path} (${path})`
}

const whyNot = ({ kernel, has_uhubctl }: UsbReading): string => oneLine`
  Nothing on this device can switch its power: the kernel${kernel ? ` (${kernel})` : ''} has no file for it, as it has
  from version 6.0 on, and ${
    has_uhubctl
      ? 'uhubctl finds no hub here that switches power'
      : 'the program uhubctl is not installed (apt install uhubctl)'
  }. A hub that switches power port by port helps
`
