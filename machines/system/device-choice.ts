// Which device stands around the service: the one it runs on, or a made-up one, so that pages and programs can be made
// anywhere.

/** What can be wrong with a made-up device. */
export const TROUBLES = {
  hot: 'its processor is too hot and slowed down',
  'under-voltage': 'its supply is weak again and again',
  'low-memory': 'programs wait for memory',
  'full-disk': 'there is no room on its disk',
  'no-network-manager': 'nobody can change its network',
  'network-refuses': 'a change of its network is refused',
  'no-journal': 'the system keeps no log',
  'usb-refuses': 'its USB ports cannot be switched off',
  'i2c-stuck': 'a chip holds a line of its I2C bus low',
  'no-imu': 'it has no IMU',
  'camera-hangs': 'a camera gives no pictures until its port was without power',
} as const
export type Trouble = keyof typeof TROUBLES

/** linux: the one on which the service runs. */
export type DeviceChoice =
  | { readonly kind: 'linux' }
  | {
      readonly kind: 'fake'
      /** In the order of TROUBLES. */
      readonly troubles: readonly Trouble[]
    }
