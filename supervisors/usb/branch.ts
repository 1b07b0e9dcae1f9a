// USB: what is plugged in, and the power of the ports. Started after the streams, which may be what is plugged in.
import * as Effect from 'effect/Effect'
import { CAMERA_POWER, CAMERAS } from '../../actors/cameras/tokens.ts'
import { DIRECTORY } from '../../actors/directory.ts'
import { STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import { cameraPower } from '../../actors/usb/camera-power.ts'
import { USB_DEVICES } from '../../actors/usb/tokens.ts'
import { usbActor } from '../../actors/usb/usb-actor.ts'
import { UsbDevices } from '../../actors/usb/usb-devices.ts'
import { usbChanged, usbPowerChanged } from '../../machines/usb/events.ts'
import { CLOCK } from '../../native/clock/port.ts'
import { USB } from '../../native/usb/port.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'
import { LOG, SUPERVISOR } from '../composition/tokens.ts'
import { usbPorts } from './ports.ts'

export const usbBranch = branch({
  events: [usbChanged, usbPowerChanged],
  ports: usbPorts,
  offers: [
    offer(USB_DEVICES, { cameras: CAMERAS, streams: STREAM_REGISTRY }, (parts) => new UsbDevices(parts)),
    offer(CAMERA_POWER, { devices: USB_DEVICES, directory: DIRECTORY, clock: CLOCK }, cameraPower),
  ],
  needs: { supervisor: SUPERVISOR, directory: DIRECTORY, usb: USB, devices: USB_DEVICES, log: LOG },
  start: ({ supervisor, directory: { events, clock }, usb, devices, log }) =>
    supervisor.start({
      id: 'usb',
      incarnate: Effect.sync(() => ({
        logic: usbActor({ usb, devices, events, nowMs: clock.nowMs, log: (message) => log('info', message) }),
      })),
    }),
})
