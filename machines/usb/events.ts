// What is published about USB.
import { eventKind } from '../events/kind.ts'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'
import { UsbPowerState } from './usb-power.ts'

const strict = { additionalProperties: false } as const

/** Devices were plugged in or pulled out. */
export const usbChanged = eventKind({
  kind: 'usb_changed',
  about: 'USB devices were plugged in or pulled out, or what is known of them has changed.',
  reference: {},
  resource: 'GET /v1/peripherals/usb',
  data: Type.Object(
    {
      came: Type.Array(Type.String(), { description: 'By `path`; one that was plugged in again is among both.' }),
      went: Type.Array(Type.String(), { description: 'By `path`.' }),
    },
    { ...strict, title: 'UsbNews', description: 'Which devices came and went.' },
  ),
  revised: false,
  example: { resource_ref: {}, data: { came: ['1-1'], went: [] } },
})

/** The power of ports was switched. */
export const usbPowerChanged = eventKind({
  kind: 'usb_power_changed',
  about: oneLine`
    The power of USB ports is being switched, or was; also by the stream of a camera that hangs, as the last thing that
    it tries.
  `,
  reference: { switch_id: Type.String({ description: 'Of the ports, as in the list.' }) },
  resource: 'GET /v1/device/usb-power',
  data: Type.Object(
    { state: UsbPowerState },
    { ...strict, title: 'UsbPowerNews', description: 'How the power is now.' },
  ),
  revised: false,
  example: { resource_ref: { switch_id: 'usb1' }, data: { state: 'cycling' } },
})
