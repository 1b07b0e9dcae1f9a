// The tree of USB as clients see it: devices with their hubs, what hangs where, and which of them share a bus.
import type { Static } from 'typebox'
import { USB2_BUS_BYTES_PER_S, USB3_BUS_BYTES_PER_S } from '../cameras/bandwidth.ts'
import { CameraUid } from '../cameras/mode.ts'
import { enumOf } from '../schema/enum-of.ts'
import { oneLine } from '../schema/one-line.ts'
import { orNull } from '../schema/or-null.ts'
import Type from '../schema/type.ts'
import { type PowerSwitch, switchOfDevice } from './power-switches.ts'
import type { UsbDeviceFacts, UsbReading } from './reading.ts'

const strict = { additionalProperties: false } as const
const KINDS = {
  hub: 'it has ports for others',
  camera: 'the system finds video in it',
  network: 'it is a network interface',
  disk: 'it stores files',
  audio: 'sound',
  input: 'a keyboard, a mouse, a gamepad',
  serial: 'a serial port',
  other: 'anything else, or nothing is known',
} as const
type UsbKind = keyof typeof KINDS

const UsbCamera = Type.Object(
  {
    camera_uid: CameraUid,
    name: Type.String({ description: 'As in the list of cameras.' }),
    device: Type.String({ description: 'Its device file.' }),
    stream_id: orNull(Type.String(), 'The stream that has it; null: none.'),
  },
  { ...strict, title: 'UsbCamera', description: 'A camera of a USB device.' },
)
export type UsbCamera = Static<typeof UsbCamera>

const UsbDevice = Type.Object(
  {
    path: Type.String({
      description: oneLine`
        The bus, and the ports from hub to hub: \`1-1.3\`. A root hub is \`usb1\`. It holds until the device is started
        again.
      `,
    }),
    parent: orNull(Type.String(), 'The hub in which it is plugged; null: it is a root hub.'),
    port: orNull(Type.Integer({ minimum: 1 }), 'Of that hub; null: it is a root hub.'),
    kind: enumOf(KINDS, 'UsbKind'),
    vendor_id: orNull(Type.String(), 'Four hexadecimal digits; null: it does not say.'),
    product_id: orNull(Type.String(), 'Four hexadecimal digits; null: it does not say.'),
    manufacturer: orNull(Type.String(), 'As it says itself; null: it does not.'),
    product: orNull(Type.String(), 'As it says itself; null: it does not.'),
    serial: orNull(Type.String(), 'As it says itself, often the same for all of a model; null: none.'),
    bus: Type.Integer({ minimum: 0, description: 'Whose bandwidth it uses.' }),
    speed_mbit_s: orNull(Type.Number({ minimum: 0 }), 'At which it is connected; null: not known.'),
    max_power_ma: orNull(
      Type.Integer({ minimum: 0 }),
      'The most that it may draw from its port, as it says itself; null: it does not.',
    ),
    ports: orNull(Type.Integer({ minimum: 0 }), 'How many a hub has; null: it is none.'),
    drivers: Type.Array(Type.String(), { description: 'Of the system, that serve it; empty: none does.' }),
    cameras: Type.Array(UsbCamera, { description: 'That it is.' }),
    network_interfaces: Type.Array(Type.String(), { description: 'That it is: `eth1`.' }),
    disks: Type.Array(Type.String(), { description: 'That it is: `sda`.' }),
    power_switch: orNull(
      Type.String(),
      'The id in `GET /v1/device/usb-power` by which its power is switched; null: nothing can.',
    ),
  },
  { ...strict, title: 'UsbDevice', description: 'Something that is plugged in, or a hub of the device itself.' },
)

const UsbBus = Type.Object(
  {
    bus: Type.Integer({ minimum: 0, description: 'Its number, until the device is started again.' }),
    controller: Type.String({ description: 'Where it sits in the device, as cameras have it.' }),
    driver: orNull(Type.String(), 'Of the controller; null: not known.'),
    speed_mbit_s: orNull(Type.Number({ minimum: 0 }), 'Of the bus; null: not known.'),
    carries_bytes_per_s: Type.Integer({
      minimum: 0,
      description: 'What pictures of all cameras together can have of it, by experience.',
    }),
    shared_by: Type.Array(Type.String(), {
      description: 'The devices that share it, by `path`, without hubs.',
    }),
    stream_ids: Type.Array(Type.String(), { description: 'The streams whose cameras share it.' }),
  },
  { ...strict, title: 'UsbBus', description: 'What devices on one bus share is its bandwidth.' },
)

/** The tree on the wire. */
export const UsbTree = Type.Object(
  {
    devices: Type.Array(UsbDevice, { description: 'Each hub before what hangs on it.' }),
    buses: Type.Array(UsbBus, { description: 'Who shares bandwidth with whom.' }),
  },
  { ...strict, title: 'UsbTree', description: 'What is plugged in over USB, and where.' },
)
export type UsbTree = Static<typeof UsbTree>

/** A camera, with the device in which it was found. */
export interface FoundCamera extends UsbCamera {
  /** Of its USB device. */
  readonly path: string
}

/** Makes the tree of what was read. */
export const usbTree = (
  reading: UsbReading,
  switches: readonly PowerSwitch[],
  cameras: readonly FoundCamera[],
): UsbTree => ({
  devices: reading.devices.map((facts) => deviceOf(reading, switches, cameras, facts)),
  buses: reading.devices.filter(({ parent }) => parent === null).map((root) => busOf(reading, cameras, root)),
})

const deviceOf = (
  reading: UsbReading,
  switches: readonly PowerSwitch[],
  cameras: readonly FoundCamera[],
  facts: UsbDeviceFacts,
): UsbTree['devices'][number] => {
  const { path, parent, port, vendor_id, product_id, manufacturer, product, serial, bus, speed_mbit_s } = facts
  const isHere = ({ device }: { readonly device: string }) => device === path
  return {
    path,
    parent,
    port,
    kind: kindOf(reading, facts),
    vendor_id,
    product_id,
    manufacturer,
    product,
    serial,
    bus,
    speed_mbit_s,
    max_power_ma: facts.max_power_ma,
    ports: facts.port_count,
    drivers: [...new Set(facts.interfaces.flatMap(({ driver }) => driver ?? []))],
    cameras: cameras
      .filter((each) => each.path === path)
      .map(({ camera_uid, name, device, stream_id }) => ({ camera_uid, name, device, stream_id })),
    network_interfaces: reading.networks.filter(isHere).map(({ name }) => name),
    disks: reading.disks.filter(isHere).map(({ name }) => name),
    power_switch: switchOfDevice(switches, path)?.id ?? null,
  }
}

const busOf = (
  { devices, drivers }: UsbReading,
  cameras: readonly FoundCamera[],
  { bus, controller, speed_mbit_s }: UsbDeviceFacts,
): UsbTree['buses'][number] => {
  const sharing = devices.filter((each) => each.bus === bus && each.port_count === null).map(({ path }) => path)
  return {
    bus,
    controller,
    driver: drivers[controller] ?? null,
    speed_mbit_s,
    carries_bytes_per_s: (speed_mbit_s ?? 0) <= 480 ? USB2_BUS_BYTES_PER_S : USB3_BUS_BYTES_PER_S,
    shared_by: sharing,
    stream_ids: [
      ...new Set(cameras.flatMap(({ path, stream_id }) => (sharing.includes(path) ? (stream_id ?? []) : []))),
    ],
  }
}

const CLASSES: Readonly<Record<string, UsbKind>> = {
  '01': 'audio',
  '02': 'serial',
  '03': 'input',
  '08': 'disk',
  '09': 'hub',
  '0e': 'camera',
}

/** In the order in which one that is several things is told as one of them. */
const ORDER: readonly UsbKind[] = ['hub', 'camera', 'disk', 'network', 'serial', 'audio', 'input']

const kindOf = (reading: UsbReading, { path, port_count, interfaces }: UsbDeviceFacts): UsbKind => {
  const isHere = ({ device }: { readonly device: string }) => device === path
  if (port_count !== null) return 'hub'
  if (reading.videos.some(isHere)) return 'camera'
  if (reading.disks.some(isHere)) return 'disk'
  if (reading.networks.some(isHere)) return 'network'
  const kinds = interfaces.map((each) => CLASSES[each.class ?? ''])
  return ORDER.find((kind) => kinds.includes(kind)) ?? 'other'
}

/** As the references show it: two cameras behind the hub of a board. */
export const usbTreeExample: UsbTree = {
  devices: [
    {
      path: 'usb1',
      parent: null,
      port: null,
      kind: 'hub',
      vendor_id: '1d6b',
      product_id: '0002',
      manufacturer: 'Linux 6.6.31 xhci-hcd',
      product: 'xHCI Host Controller',
      serial: 'xhci-hcd.0',
      bus: 1,
      speed_mbit_s: 480,
      max_power_ma: 0,
      ports: 2,
      drivers: ['hub'],
      cameras: [],
      network_interfaces: [],
      disks: [],
      power_switch: null,
    },
    {
      path: '1-1',
      parent: 'usb1',
      port: 1,
      kind: 'camera',
      vendor_id: '0c45',
      product_id: '6366',
      manufacturer: 'Arducam Technology Co., Ltd.',
      product: 'Arducam OV9281 USB Camera',
      serial: 'UC762',
      bus: 1,
      speed_mbit_s: 480,
      max_power_ma: 500,
      ports: null,
      drivers: ['uvcvideo'],
      cameras: [
        {
          camera_uid: 'cam-k3f7q2ma',
          name: 'Arducam OV9281 USB Camera',
          device: '/dev/video0',
          stream_id: 'front',
        },
      ],
      network_interfaces: [],
      disks: [],
      power_switch: 'usb1',
    },
  ],
  buses: [
    {
      bus: 1,
      controller: 'platform/axi/1000120000.pcie/1f00200000.usb/xhci-hcd.0',
      driver: 'xhci-hcd',
      speed_mbit_s: 480,
      carries_bytes_per_s: USB2_BUS_BYTES_PER_S,
      shared_by: ['1-1'],
      stream_ids: ['front'],
    },
  ],
}
