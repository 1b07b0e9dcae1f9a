// USB: what is plugged in and where, and the power of the ports.
import { USB_DEVICES } from '../../actors/usb/tokens.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import type { Given } from '../../machines/token.ts'
import { usbChanged, usbPowerChanged } from '../../machines/usb/events.ts'
import {
  MAX_POWER_ORDER_MS,
  refusalOfPower,
  UsbPower,
  UsbPowerOrder,
  usbPowerExample,
} from '../../machines/usb/usb-power.ts'
import { UsbTree, usbTreeExample } from '../../machines/usb/usb-tree.ts'
import { areaOf } from '../endpoints/area.ts'
import { command } from '../endpoints/command.ts'
import { area, type Call } from '../endpoints/endpoint.ts'
import { read } from '../endpoints/read.ts'
import { fault } from '../problems/problem.ts'

const needs = { devices: USB_DEVICES }

export const usbArea = areaOf(needs, ({ devices }) =>
  area('usb', 'What is plugged in over USB, and the power of its ports.', [
    read('GET', '/v1/peripherals/usb', {
      summary: 'The tree of USB',
      about: oneLine`
        Every device with its hub, its speed, its driver, what it may draw, and what the system has made of it: cameras
        with their streams, network interfaces, disks. Devices on one bus share its bandwidth: \`buses\` says which.
        \`${usbChanged.kind}\` tells of what is plugged in and pulled out.
      `,
      answer: UsbTree,
      example: usbTreeExample,
      get: () => (devices.hasLooked ? devices.tree() : NOT_YET),
      faults: ['actor.unavailable'],
    }),

    read('GET', '/v1/device/usb-power', {
      summary: 'The power of USB ports',
      about: oneLine`
        Which ports are switched off and on together, what loses its power with them, and what speaks against that.
        Boards differ: on a Raspberry Pi 4 all ports are switched together, on a Raspberry Pi 5 those of a controller.
        On hubs that are not known a port may keep its power, and only lose its connection.
      `,
      answer: UsbPower,
      example: { switches: [usbPowerExample] },
      get: (call) => (devices.hasLooked ? { switches: devices.power(addressOf(call)) } : NOT_YET),
      faults: ['actor.unavailable'],
    }),

    command('POST', '/v1/device/usb-power', {
      summary: 'Switch the power of USB ports',
      about: oneLine`
        Answers when it is done, and what was there before is back: after some seconds. Where it does not come back the
        answer says what is missing (\`usb.not_back\`); where the hub only says that it switched, that
        (\`device.failed\`). What something speaks against needs \`force\`: a stream that gives pictures, a disk that is
        in use, the network over which this request comes. What was left off the next start of the service switches on.
      `,
      access: 'administer',
      to: 'usb',
      publishes: [usbPowerChanged],
      body: { schema: UsbPowerOrder, example: { switch_id: usbPowerExample.id, action: 'cycle', force: true } },
      limitMs: MAX_POWER_ORDER_MS,
      send: (call) => {
        const { switch_id, action, force = false } = call.body
        return refusal(devices, call) ?? { type: 'usb.switch', switch_id, action, force }
      },
      faults: ['usb.in_use', 'usb.unavailable', 'usb.not_back', 'device.failed'],
    }),
  ]),
)

const NOT_YET = fault('actor.unavailable', 'USB is being looked at for the first time; try again in a second')

const refusal = (
  devices: Given<typeof needs>['devices'],
  call: Call<string, unknown, Parameters<typeof refusalOfPower>[1]>,
): Fault | null => {
  if (!devices.hasLooked) return NOT_YET
  const found = devices.switch(call.body.switch_id)
  return refusalOfPower(found, call.body, found ? devices.objections(found, addressOf(call)) : [])
}

/** Of this device, to which whoever asks is connected. */
const addressOf = ({ request }: Pick<Call, 'request'>): string | null =>
  request.socket.localAddress?.replace(/^::ffff:/, '') ?? null
