// USB: what is plugged in, and the power of its ports.
import { api, ask, type Documents } from '../api/client.ts'
import { createLive } from './live.ts'

export type UsbDevice = Documents['UsbDevice']
export type UsbBus = Documents['UsbBus']
export type UsbSwitch = Documents['UsbPowerSwitch']

const HEEDED = ['usb_changed', 'camera_presence', 'camera_changed', 'stream_changed']

/** The tree of devices. */
export const usbTree = createLive<Documents['UsbTree']>({
  read: () => ask(api.GET('/v1/peripherals/usb')),
  heed: ({ kind, resource_ref }) => (resource_ref.peer_id === undefined && HEEDED.includes(kind) ? 'stale' : undefined),
})

/** The power of the ports. What speaks against switching follows from streams, too. */
export const usbPower = createLive<Documents['UsbPower']>({
  read: () => ask(api.GET('/v1/device/usb-power')),
  heed: ({ kind, resource_ref }) =>
    resource_ref.peer_id === undefined && [...HEEDED, 'usb_power_changed', 'stream_state'].includes(kind)
      ? 'stale'
      : undefined,
})

/** Switches ports. force: also when something speaks against it. */
export const switchPower = (switch_id: string, action: Documents['UsbPowerAction'], force: boolean) =>
  ask(api.POST('/v1/device/usb-power', { body: { switch_id, action, ...(force && { force }) } }))
