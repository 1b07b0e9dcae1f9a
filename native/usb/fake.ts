// USB of a made-up device: a board with two controllers, each of which switches its sockets together, and a hub that
// switches each port by itself.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { Trouble } from '../../machines/system/device-choice.ts'
import {
  devicesOn,
  NO_USB,
  parentOf,
  type UsbDeviceFacts,
  type UsbDisk,
  type UsbNetwork,
  type UsbPortFacts,
  type UsbReading,
} from '../../machines/usb/reading.ts'
import type { UsbPort } from './port.ts'

/** A device to be plugged in. */
export interface FakeUsbDevice {
  readonly path: string
  readonly vendor_id?: string
  readonly product_id?: string
  readonly product?: string
  readonly serial?: string | null
  readonly speed_mbit_s?: number
  readonly class?: string
  readonly driver?: string
  readonly ports?: number
}

const CONTROLLERS = ['platform/axi/1000120000.pcie/1f00200000.usb/xhci-hcd.0', 'platform/usb-host'] as const

export class FakeUsb implements UsbPort {
  model = 'Raspberry Pi 5 Model B Rev 1.0'
  /** Why no port is switched, while it is set. */
  powerFault: Fault | undefined
  /** Devices that do not come back when they have power again, by path. */
  readonly broken = new Set<string>()
  /** The hubs take orders and do nothing. */
  isDeaf = false
  /** What was ordered: `usb1-port1 off`. */
  readonly orders: string[] = []
  readonly networks: UsbNetwork[] = []
  readonly disks: UsbDisk[] = []
  /** Told of each device that gets or loses its power. */
  onPower: (path: string, isOn: boolean) => void = () => {}
  /** What an earlier run has left off. */
  left = 0
  /** Device files of cameras that give no pictures until their port was without power, by the path of the device. */
  readonly hanging = new Map<string, string>()
  readonly #devices = new Map<string, UsbDeviceFacts>()
  readonly #off = new Map<string, UsbDeviceFacts>()
  readonly #watchers = new Set<() => void>()
  #count = 0

  constructor(troubles: readonly Trouble[] = []) {
    if (troubles.includes('usb-refuses'))
      this.powerFault = { code: 'device.failed', detail: 'the hub does not take the order (EIO)' }
    for (const [bus, speed_mbit_s, ports] of [
      [1, 480, 2],
      [2, 5000, 2],
      [3, 480, 2],
      [4, 5000, 2],
    ] as const)
      this.plug({
        path: `usb${bus}`,
        vendor_id: '1d6b',
        product_id: speed_mbit_s === 480 ? '0002' : '0003',
        product: 'xHCI Host Controller',
        speed_mbit_s,
        class: '09',
        driver: 'hub',
        ports,
      })
  }

  readonly read = Effect.sync((): UsbReading => {
    const devices = [...this.#devices.values()].sort((a, b) => (placeOf(a.path) < placeOf(b.path) ? -1 : 1))
    return {
      ...NO_USB,
      model: this.model,
      kernel: '6.6.31-v8',
      devices,
      drivers: Object.fromEntries(CONTROLLERS.map((each) => [each, 'xhci-hcd'])),
      ports: devices.flatMap(portsOf),
      networks: this.networks.filter(({ device }) => this.#devices.has(device)),
      disks: this.disks.filter(({ device }) => this.#devices.has(device)),
    }
  })

  readonly watch = (changed: () => void) =>
    Effect.asVoid(
      Effect.acquireRelease(
        Effect.sync(() => this.#watchers.add(changed)),
        () => Effect.sync(() => this.#watchers.delete(changed)),
      ),
    )

  readonly power = (ports: readonly UsbPortFacts[], isOn: boolean) =>
    Effect.suspend(() => {
      for (const { hub, port } of ports) this.orders.push(`${hub}-port${port} ${isOn ? 'on' : 'off'}`)
      if (this.powerFault) return Effect.fail(this.powerFault)
      if (this.isDeaf) return Effect.void
      if (isOn) this.#powerUp(ports)
      else this.#powerDown(ports)
      this.#tell()
      return Effect.void
    })

  readonly restore = Effect.sync(() => {
    const { left } = this
    this.left = 0
    return left
  })

  /** Plugs one in; its hub is there. */
  plug(device: FakeUsbDevice): void {
    this.#count += 1
    const { path, vendor_id = '0c45', product_id = '6366', product = 'HD Cam', serial = null } = device
    const parent = parentOf(path)
    const bus = Number(/\d+/.exec(path)?.[0])
    this.#devices.set(path, {
      path,
      parent: parent?.hub ?? null,
      port: parent?.port ?? null,
      bus,
      number: this.#count,
      controller: CONTROLLERS[bus <= 2 ? 1 : 0],
      vendor_id,
      product_id,
      manufacturer: 'Acme',
      product,
      serial,
      speed_mbit_s: device.speed_mbit_s ?? 480,
      max_power_ma: parent ? 500 : 0,
      port_count: device.ports ?? null,
      interfaces: [{ number: '1.0', class: device.class ?? '0e', driver: device.driver ?? 'uvcvideo' }],
    })
    this.#tell()
  }

  unplug(path: string): void {
    this.#devices.delete(path)
    this.#tell()
  }

  #powerDown(ports: readonly UsbPortFacts[]): void {
    for (const device of devicesOn({ devices: [...this.#devices.values()] }, ports)) {
      this.#devices.delete(device.path)
      this.hanging.delete(device.path)
      this.#off.set(device.path, device)
      this.onPower(device.path, false)
    }
  }

  #powerUp(ports: readonly UsbPortFacts[]): void {
    const roots = [...this.#devices.values()].filter(({ port_count }) => port_count !== null)
    for (const device of devicesOn({ devices: [...roots, ...this.#off.values()] }, ports)) {
      if (!this.#off.delete(device.path) || this.broken.has(device.path)) continue
      this.#count += 1
      this.#devices.set(device.path, { ...device, number: this.#count })
      this.onPower(device.path, true)
    }
  }

  #tell(): void {
    for (const changed of [...this.#watchers]) changed()
  }
}

/** What a made-up device has plugged in: two cameras, one of which may hang, and a hub with a network adapter. */
export const believableUsb = (troubles: readonly Trouble[]): FakeUsb => {
  const usb = new FakeUsb(troubles)
  usb.plug({ path: '1-1', product: 'HD Cam', vendor_id: '1d6c', product_id: '0103' })
  usb.plug({
    path: '3-1',
    product: 'USB2.0 Hub',
    vendor_id: '05e3',
    product_id: '0610',
    class: '09',
    driver: 'hub',
    ports: 4,
  })
  usb.plug({ path: '3-1.2', product: 'HD Cam', vendor_id: '1d6c', product_id: '0103' })
  usb.plug({
    path: '3-1.4',
    product: 'USB 10/100/1000 LAN',
    vendor_id: '0bda',
    product_id: '8153',
    class: 'ff',
    driver: 'r8152',
  })
  usb.networks.push({ kind: 'network', name: 'eth1', device: '3-1.4', addresses: ['10.12.34.11'] })
  if (troubles.includes('camera-hangs')) usb.hanging.set('1-1', '/dev/video0')
  return usb
}

/** By which paths stand in order: each device after its hub. */
const placeOf = (path: string): string => (path.match(/\d+/g) ?? []).map((part) => part.padStart(3, '0')).join(' ')

/** The two halves of a socket are ports of the same number on neighbouring buses. */
const portsOf = ({ path, port_count, bus }: UsbDeviceFacts): readonly UsbPortFacts[] =>
  Array.from({ length: port_count ?? 0 }, (_, at) => ({
    hub: path,
    port: at + 1,
    ways: ['kernel'],
    peer: path.startsWith('usb') ? { hub: `usb${bus % 2 === 1 ? bus + 1 : bus - 1}`, port: at + 1 } : null,
    is_inside: false,
    is_ganged: false,
  }))
