// Looking at USB and switching its power, on the port.
import * as Effect from 'effect/Effect'
import { usbChanged, usbPowerChanged } from '../../machines/usb/events.ts'
import { identityOf, type UsbReading } from '../../machines/usb/reading.ts'
import { type PowerOrder, type UsbEffects, type UsbEvent, usbMachine } from '../../machines/usb/usb-machine.ts'
import type { UsbPort } from '../../native/usb/port.ts'
import type { EventBus } from '../events/event-bus.ts'
import { fromEffect, fromScoped } from '../run.ts'
import { type PowerTimes, switchPower } from './switch-power.ts'
import type { UsbDevices } from './usb-devices.ts'

/** What it works with. */
export interface UsbActorParts {
  readonly usb: UsbPort
  readonly devices: UsbDevices
  readonly events: Pick<EventBus, 'publish'>
  readonly nowMs: () => number
  readonly log: (message: string) => void
  /** Those of the product, if nothing is said. */
  readonly times?: PowerTimes
}

/** Looks whenever something is plugged in, and now and then. Takes `usb.switch`. */
export const usbActor = (parts: UsbActorParts) => {
  const { usb, devices, events, log } = parts
  const tell = (switch_id: string) =>
    events.publish(usbPowerChanged, { resource_ref: { switch_id }, data: { state: devices.stateOf(switch_id) } })
  return usbMachine.provide({
    actors: {
      restorePower: fromEffect(() =>
        // what this very run has left off stays off
        Effect.map(devices.hasLooked ? Effect.succeed(0) : usb.restore, (count) => {
          if (count > 0) log(`${count} USB ports that an earlier run had left off were switched on`)
        }),
      ),
      lookAtUsb: fromEffect(() => Effect.map(usb.read, (reading) => show(parts, reading))),
      watchUsb: fromScoped<never, void, UsbEvent>((_, { send, guard }) =>
        Effect.andThen(usb.watch(guard(() => send({ type: 'usb.changed' }))), Effect.never),
      ),
      switchPower: fromEffect((order: PowerOrder) => switchPower({ ...parts, tell }, order)),
    } satisfies Required<UsbEffects>,
  })
}

const show = ({ devices, events }: UsbActorParts, reading: UsbReading): void => {
  const isFirst = !devices.hasLooked
  const [before, after] = [pluggedIn(devices.reading), pluggedIn(reading)]
  devices.show(reading)
  const came = [...after].flatMap(([path, plugged]) => (before.get(path) === plugged ? [] : path))
  const went = [...before].flatMap(([path, plugged]) => (after.get(path) === plugged ? [] : path))
  if (!isFirst && came.length + went.length > 0) events.publish(usbChanged, { resource_ref: {}, data: { came, went } })
}

/** Each device, with what is another one each time that it is plugged in. */
const pluggedIn = ({ devices, ports, networks, disks, videos }: UsbReading): ReadonlyMap<string, string> =>
  new Map(
    devices.map((device) => {
      const { path, number, interfaces } = device
      const made = [...networks, ...disks, ...videos].filter((each) => each.device === path).map(({ name }) => name)
      const ways = ports.filter(({ hub }) => hub === path).map((port) => port.ways.length)
      return [path, JSON.stringify([identityOf(device), number, interfaces, made, ways])]
    }),
  )
