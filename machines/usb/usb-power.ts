// The power of USB ports as clients see it, and the rules: what a port takes along, and why it is not switched off.
import type { Static } from 'typebox'
import type { Fault } from '../errors/fault.ts'
import { enumOf } from '../schema/enum-of.ts'
import { oneLine } from '../schema/one-line.ts'
import { quote } from '../schema/quote.ts'
import Type from '../schema/type.ts'
import type { PowerGranularity, PowerSwitch } from './power-switches.ts'
import { deviceName, devicesOn, type UsbReading } from './reading.ts'

const strict = { additionalProperties: false } as const

const STATES = {
  on: 'they have power',
  off: 'they were switched off here; the next start of the service switches them on again',
  switching: 'they are being switched on or off',
  cycling: 'they are off for two seconds, and are switched on again',
} as const

/** The longest that an order takes: devices get twelve seconds to come back, and a hub is slow to answer. */
export const MAX_POWER_ORDER_MS = 30_000

/** How the power of ports is, on the wire. */
export const UsbPowerState = enumOf(STATES, 'UsbPowerState')
export type UsbPowerState = Static<typeof UsbPowerState>

const ACTIONS = {
  off: 'no power, until it is switched on, or the service starts again',
  on: 'power again',
  cycle: 'off for two seconds, then on again',
} as const

export const UsbPowerAction = enumOf(ACTIONS, 'UsbPowerAction')
export type UsbPowerAction = Static<typeof UsbPowerAction>

const GRANULARITIES: Readonly<Record<PowerGranularity, string>> = {
  port: 'one port by itself',
  gang: 'these ports only together',
  none: 'nothing can switch them, and `detail` says why',
}

/** What came of switching. */
export const UsbPowerOutcome = Type.Object(
  {
    action: UsbPowerAction,
    at_ms: Type.Integer({ minimum: 0, description: 'When it was over, Unix time.' }),
    done: Type.Boolean({ description: 'Whether all came of it that should.' }),
    detail: Type.String({ description: 'A sentence about it.' }),
  },
  { ...strict, title: 'UsbPowerOutcome', description: 'What came of switching.' },
)
export type UsbPowerOutcome = Static<typeof UsbPowerOutcome>

const UsbPowerSwitch = Type.Object(
  {
    id: Type.String({ description: 'It holds until the device is started again.' }),
    name: Type.String({ description: 'For people.' }),
    granularity: enumOf(GRANULARITIES, 'UsbPowerGranularity'),
    ports: Type.Array(
      Type.Object(
        {
          hub: Type.String({ description: 'By its `path`.' }),
          port: Type.Integer({ minimum: 1, description: 'Of that hub.' }),
        },
        { ...strict, title: 'UsbPort', description: 'A port of a hub.' },
      ),
      { description: 'Which are switched together. The two halves of one socket are two of them: USB 2 and USB 3.' },
    ),
    state: UsbPowerState,
    devices: Type.Array(Type.String(), { description: 'What loses its power with them, by `path`.' }),
    stream_ids: Type.Array(Type.String(), { description: 'The streams whose cameras lose their power with them.' }),
    needs_force: Type.Array(Type.String(), {
      description: oneLine`
        What speaks against switching them off now, for whoever is asking: each a sentence. Empty: nothing. It takes
        \`force\` else.
      `,
    }),
    last: Type.Union([UsbPowerOutcome, Type.Null()], {
      description: 'What came of switching them last, since the service started; null: nobody has.',
    }),
    detail: Type.Union([Type.String(), Type.Null()], {
      description: 'Why they cannot be switched, and what can be done; null: they can.',
    }),
  },
  { ...strict, title: 'UsbPowerSwitch', description: 'Ports that get and lose their power together.' },
)
export type UsbPowerSwitch = Static<typeof UsbPowerSwitch>

/** The power of all ports on the wire. */
export const UsbPower = Type.Object(
  { switches: Type.Array(UsbPowerSwitch, { description: 'In the order of the hubs.' }) },
  { ...strict, title: 'UsbPower', description: 'Which USB ports can be switched off and on.' },
)

/** The order on the wire. */
export const UsbPowerOrder = Type.Object(
  {
    switch_id: Type.String({ minLength: 1, maxLength: 64, description: 'Of the ports, as in the list.' }),
    action: UsbPowerAction,
    force: Type.Optional(
      Type.Boolean({ description: 'Also when something speaks against it: `needs_force` says what.' }),
    ),
  },
  { ...strict, title: 'UsbPowerOrder', description: 'Switches the power of ports.' },
)

/** A stream whose camera is plugged into a device. */
export interface StreamOnUsb {
  readonly stream_id: string
  /** Of the USB device. */
  readonly path: string
  readonly is_live: boolean
}

/** Who asks, and what goes on. */
export interface PowerUse {
  readonly streams: readonly StreamOnUsb[]
  /** Of this device, to which whoever asks is connected; null: not known. */
  readonly address: string | null
}

/** What speaks against switching it off, each a sentence without a full stop. */
export const objectionsTo = (
  { ports }: Pick<PowerSwitch, 'ports'>,
  reading: UsbReading,
  { streams, address }: PowerUse,
): readonly string[] => {
  const paths = devicesOn(reading, ports).map(({ path }) => path)
  const hangs = ({ device }: { readonly device: string }) => paths.includes(device)
  return [
    ...reading.networks.filter(hangs).flatMap(({ name, addresses }) => {
      if (address !== null && addresses.includes(address))
        return `your own connection comes over ${name} (${address}), which hangs on it: the device would be cut off`
      return addresses.length > 0 ? `the network interface ${name} (${addresses.join(', ')}) hangs on it` : []
    }),
    ...reading.disks.filter(hangs).flatMap(({ name, mounts, holds_data }) => {
      if (holds_data) return `the data folder of this service lies on ${name}, which hangs on it`
      return mounts.length > 0 ? `the disk ${name} hangs on it, and its files are in use (${mounts.join(', ')})` : []
    }),
    ...streams
      .filter(({ path, is_live }) => is_live && paths.includes(path))
      .map(({ stream_id }) => `the camera of the stream ${stream_id} hangs on it, and gives pictures`),
  ]
}

/** Why an order is not carried out; null: it is. */
export const refusalOfPower = (
  found: PowerSwitch | undefined,
  {
    switch_id,
    action,
    force = false,
  }: { readonly switch_id: string; readonly action: UsbPowerAction; readonly force?: boolean },
  objections: readonly string[],
): Fault | null => {
  if (!found)
    return {
      code: 'body.invalid',
      detail: `there is no switch ${quote(switch_id)}; GET /v1/device/usb-power lists them`,
      errors: [{ pointer: '/switch_id', message: `is ${quote(switch_id)}, which is none of the list` }],
    }
  if (found.granularity === 'none') return { code: 'usb.unavailable', detail: found.detail ?? '' }
  return action === 'on' || force || objections.length === 0 ? null : inUse(found, objections)
}

const inUse = ({ name }: Pick<PowerSwitch, 'name'>, objections: readonly string[]): Fault => ({
  code: 'usb.in_use',
  detail: `${name}: ${objections.join('; ')}. Send "force": true to do it all the same`,
})

/**
 * The same of what is read just before the power is cut: a disk may have been mounted since the last look, and a
 * network may have come up. null: neither is in use.
 */
export const refusalByReading = (
  found: Pick<PowerSwitch, 'name' | 'ports'>,
  reading: UsbReading,
  force: boolean,
): Fault | null => {
  const objections = force ? [] : objectionsTo(found, reading, { streams: [], address: null })
  return objections.length === 0 ? null : inUse(found, objections)
}

/** That devices did not come back when they had power again. */
export const notBack = (reading: Pick<UsbReading, 'devices'>, missing: readonly string[]): Fault => ({
  code: 'usb.not_back',
  detail: oneLine`
    the ports have power again, and ${missing.map((path) => nameIn(reading, path)).join(', ')}
    ${missing.length === 1 ? 'has' : 'have'} not come back; pull the cable and put it back, and look whether it is sound
  `,
})

/** That a hub has taken the order, and its devices did not notice. */
export const notCut = (reading: Pick<UsbReading, 'devices'>, still: readonly string[]): Fault => ({
  code: 'device.failed',
  detail: oneLine`
    the hub took the order, and ${still.map((path) => nameIn(reading, path)).join(', ')} did not go away: it does not
    switch the power of its ports, whatever it says
  `,
})

const nameIn = ({ devices }: Pick<UsbReading, 'devices'>, path: string): string => {
  const device = devices.find((each) => each.path === path)
  return device ? deviceName(device) : path
}

/** As the references show them. */
export const usbPowerExample: UsbPowerSwitch = {
  id: 'usb1',
  name: 'the USB ports 1, 2 of the controller usb1, which are switched together',
  granularity: 'gang',
  ports: [
    { hub: 'usb1', port: 1 },
    { hub: 'usb1', port: 2 },
  ],
  state: 'on',
  devices: ['1-1'],
  stream_ids: ['front'],
  needs_force: ['the camera of the stream front hangs on it, and gives pictures'],
  last: null,
  detail: null,
}
