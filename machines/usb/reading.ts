// What the system says of USB, as it was read: devices, the ports of hubs, and what hangs on which device. Whatever
// cannot be read is null or missing.

/** An interface of a device: what the system has a driver for. */
export interface UsbInterfaceFacts {
  /** `1.0`: of the configuration, and its own. */
  readonly number: string
  /** Two hexadecimal digits of the USB standard; `0e` is video. */
  readonly class: string | null
  readonly driver: string | null
}

/** A device, be it a hub or not. */
export interface UsbDeviceFacts {
  /** `1-1.3`: the bus, and the ports from hub to hub; a root hub is `usb1`. It holds until the next start. */
  readonly path: string
  /** The hub in which it is; null: it is a root hub. */
  readonly parent: string | null
  /** Of that hub; null: it is a root hub. */
  readonly port: number | null
  readonly bus: number
  /** Another one each time that it is plugged in. */
  readonly number: number | null
  /** Where its bus sits in this device, as cameras have it. */
  readonly controller: string
  readonly vendor_id: string | null
  readonly product_id: string | null
  readonly manufacturer: string | null
  readonly product: string | null
  readonly serial: string | null
  readonly speed_mbit_s: number | null
  /** The most that it may draw, as it says itself. */
  readonly max_power_ma: number | null
  /** null: it is no hub. */
  readonly port_count: number | null
  readonly interfaces: readonly UsbInterfaceFacts[]
}

/** A port of a hub. */
export interface UsbPortRef {
  /** The path of the hub. */
  readonly hub: string
  /** From 1 on. */
  readonly port: number
}

/** What can switch the power of a port. kernel: its file `disable`. uhubctl: that program. */
export type PowerWay = 'kernel' | 'uhubctl'

/** A port, with what the system says of it. */
export interface UsbPortFacts extends UsbPortRef {
  /** In the order in which they are tried; empty: nothing can. */
  readonly ways: readonly PowerWay[]
  /** The other half of the same socket: USB 2 and USB 3 have a hub each. */
  readonly peer: UsbPortRef | null
  /** Something soldered hangs on it, or nothing can: no socket. */
  readonly is_inside: boolean
  /** The hub says that it switches all of its ports together. */
  readonly is_ganged: boolean
}

/** A file or interface of the system that a USB device has made. */
export interface UsbUser<Name extends string> {
  readonly kind: Name
  /** `/dev/video0`, `eth1`, `sda`. */
  readonly name: string
  /** The path of the device. */
  readonly device: string
}

/** A network interface on USB. */
export interface UsbNetwork extends UsbUser<'network'> {
  readonly addresses: readonly string[]
}

/** A disk on USB. */
export interface UsbDisk extends UsbUser<'disk'> {
  /** Where the system shows its files. */
  readonly mounts: readonly string[]
  /** The data folder of this service lies on it. */
  readonly holds_data: boolean
}

/** All of it. */
export interface UsbReading {
  /** As the board calls itself: `Raspberry Pi 4 Model B Rev 1.4`. */
  readonly model: string | null
  /** Of the running system: `6.1.0-49-amd64`. */
  readonly kernel: string | null
  /** Hubs before what hangs on them. */
  readonly devices: readonly UsbDeviceFacts[]
  /** The driver of each controller. */
  readonly drivers: Readonly<Record<string, string>>
  readonly ports: readonly UsbPortFacts[]
  readonly videos: readonly UsbUser<'video'>[]
  readonly networks: readonly UsbNetwork[]
  readonly disks: readonly UsbDisk[]
  /** Whether the program uhubctl is installed; null: nobody has asked, since the kernel can switch all ports. */
  readonly has_uhubctl: boolean | null
}

/** Nothing is known, or there is no USB. */
export const NO_USB: UsbReading = {
  model: null,
  kernel: null,
  devices: [],
  drivers: {},
  ports: [],
  videos: [],
  networks: [],
  disks: [],
  has_uhubctl: null,
}

/** The devices that hang on ports, be it over further hubs, in the order of the reading. */
export const devicesOn = (
  { devices }: Pick<UsbReading, 'devices'>,
  ports: readonly UsbPortRef[],
): readonly UsbDeviceFacts[] => {
  const found = new Set<string>()
  return devices.filter(({ path, parent, port }) => {
    const hangs =
      parent !== null && (found.has(parent) || ports.some((each) => each.hub === parent && each.port === port))
    if (hangs) found.add(path)
    return hangs
  })
}

/** `usb1` for `1-1`, `1-1` for `1-1.3`; null for `usb1`. */
export const parentOf = (path: string): UsbPortRef | null => {
  const [, bus, ports] = /^(\d+)-([\d.]+)$/.exec(path) ?? []
  if (bus === undefined || ports === undefined) return null
  const at = ports.lastIndexOf('.')
  return at < 0
    ? { hub: `usb${bus}`, port: Number(ports) }
    : { hub: `${bus}-${ports.slice(0, at)}`, port: Number(ports.slice(at + 1)) }
}

/** What makes a device the same one after it was away: where it is, and what it says to be. */
export const identityOf = ({ path, vendor_id, product_id, serial }: UsbDeviceFacts): string =>
  [path, vendor_id, product_id, serial].join(' ')

/** What people call a device: `Logitech C270 (1-1.3)`. */
export const deviceName = ({ manufacturer, product, vendor_id, product_id, path }: UsbDeviceFacts): string => {
  const brand = manufacturer?.split(' ')[0] ?? ''
  const named = product && brand && !product.startsWith(brand) ? `${manufacturer} ${product}` : product
  return `${named ?? ([vendor_id, product_id].filter(Boolean).join(':') || 'a device')} (${path})`
}
