// Switches the power of ports, and looks in the tree of devices what came of it: the file of a port may say anything.
import type * as Duration from 'effect/Duration'
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { PowerSwitch } from '../../machines/usb/power-switches.ts'
import { deviceName, devicesOn, identityOf, type UsbDeviceFacts } from '../../machines/usb/reading.ts'
import type { PowerOrder } from '../../machines/usb/usb-machine.ts'
import { notBack, notCut, refusalByReading, type UsbPowerOutcome } from '../../machines/usb/usb-power.ts'
import type { UsbPort } from '../../native/usb/port.ts'
import type { UsbDevices } from './usb-devices.ts'

/** How patiently. */
export interface PowerTimes {
  /** For how long ports that are cycled have no power. */
  readonly off: Duration.Input
  /** From one look at the tree to the next. */
  readonly betweenLooks: Duration.Input
  /** How many looks until what should have gone has not. */
  readonly looksToGo: number
  /** How many looks until what should have come back has not. */
  readonly looksToReturn: number
}

/** Cameras forget what hung them within two seconds; behind a controller they are back after four and more. */
export const POWER_TIMES: PowerTimes = {
  off: '2500 millis',
  betweenLooks: '250 millis',
  looksToGo: 12,
  looksToReturn: 48,
}

/** What it works with. */
export interface SwitchPowerParts {
  readonly usb: UsbPort
  readonly devices: UsbDevices
  readonly nowMs: () => number
  /** Tells everybody how the ports are now. */
  readonly tell: (switch_id: string) => void
  readonly times?: PowerTimes
}

/** Carries an order out. Fails with `device.failed`, `usb.not_back`, `usb.unavailable`, `usb.in_use`. */
export const switchPower = (
  parts: SwitchPowerParts,
  { switch_id, action, force = false }: PowerOrder,
): Effect.Effect<void, Fault> =>
  Effect.suspend(() => {
    const { devices, nowMs, tell } = parts
    const found = devices.switch(switch_id)
    if (!found || found.granularity === 'none') return Effect.fail(GONE)
    let outcome: UsbPowerOutcome | undefined
    const note = (done: boolean, detail: string) =>
      Effect.sync(() => {
        outcome = { action, at_ms: nowMs(), done, detail }
      })
    return Effect.acquireUseRelease(
      Effect.sync(() => {
        devices.begin(switch_id, action === 'cycle' ? 'cycling' : 'switching')
        tell(switch_id)
      }),
      () =>
        Effect.tapError(
          Effect.flatMap(ORDERS[action](parts, found, force), (detail) => note(true, detail)),
          ({ detail }) => note(false, detail),
        ),
      () =>
        Effect.sync(() => {
          devices.end(switch_id, outcome)
          tell(switch_id)
        }),
    )
  })

type Switching = (parts: SwitchPowerParts, found: PowerSwitch, force: boolean) => Effect.Effect<string, Fault>

/** What there is now; fails where something would lose its power that is in use. */
const readUnlessInUse = ({ usb }: Pick<SwitchPowerParts, 'usb'>, found: PowerSwitch, force: boolean) =>
  Effect.gen(function* () {
    const reading = yield* usb.read
    const refusal = refusalByReading(found, reading, force)
    return refusal ? yield* Effect.fail(refusal) : reading
  })

const off: Switching = ({ usb, devices, times = POWER_TIMES }, found, force) =>
  Effect.gen(function* () {
    const before = yield* readUnlessInUse({ usb }, found, force)
    const there = devicesOn(before, found.ports)
    const away = devices.isOff(found.id) ? devices.awayWith(found.id) : there
    const on = usb.power(found.ports, true)
    yield* Effect.onError(usb.power(found.ports, false), () => Effect.ignore(on)) // half of a gang is no help
    devices.noteOff(found.id, away)
    const still = yield* staying(usb, found, there, times)
    if (still.length === 0) return `${found.name}: switched off`
    yield* Effect.ignore(on)
    devices.noteOn(found.id)
    return yield* Effect.fail(notCut(before, still))
  })

const on: Switching = ({ usb, devices, times = POWER_TIMES }, found) =>
  Effect.gen(function* () {
    const away = devices.awayWith(found.id)
    yield* usb.power(found.ports, true)
    devices.noteOn(found.id)
    return yield* returned(usb, found, away, times)
  })

const cycle: Switching = ({ usb, devices, times = POWER_TIMES }, found, force) =>
  Effect.gen(function* () {
    const before = yield* readUnlessInUse({ usb }, found, force)
    const there = devicesOn(before, found.ports)
    const away = devices.isOff(found.id) ? devices.awayWith(found.id) : there
    const went = yield* Effect.acquireUseRelease(
      Effect.onError(usb.power(found.ports, false), () => Effect.ignore(usb.power(found.ports, true))),
      () => Effect.andThen(Effect.sleep(times.off), usb.read),
      () => Effect.ignore(usb.power(found.ports, true)), // also when interrupted: nothing else would do it
    )
    yield* usb.power(found.ports, true) // what it refused just now it says here
    devices.noteOn(found.id)
    const still = devicesOn(went, found.ports).filter((each) => isAmong(there, each))
    if (still.length === 0) return yield* returned(usb, found, away, times)
    return yield* Effect.fail(
      notCut(
        before,
        still.map(({ path }) => path),
      ),
    )
  })

const ORDERS: Readonly<Record<PowerOrder['action'], Switching>> = { off, on, cycle }

const GONE: Fault = {
  code: 'usb.unavailable',
  detail: 'these ports are not there any more: their hub was pulled out; GET /v1/device/usb-power lists those that are',
}

const isAmong = (devices: readonly UsbDeviceFacts[], { path, number }: UsbDeviceFacts): boolean =>
  devices.some((each) => each.path === path && each.number === number)

/** Those that do not go, by path. */
const staying = (
  usb: UsbPort,
  { ports }: PowerSwitch,
  there: readonly UsbDeviceFacts[],
  { betweenLooks, looksToGo }: PowerTimes,
): Effect.Effect<readonly string[]> => {
  const look = Effect.map(usb.read, (reading) =>
    devicesOn(reading, ports)
      .filter((each) => isAmong(there, each))
      .map(({ path }) => path),
  )
  return lookUntilNone(look, looksToGo, betweenLooks)
}

/** A sentence about what came back; a fault about what did not. */
const returned = (
  usb: UsbPort,
  { name, ports }: PowerSwitch,
  wanted: readonly UsbDeviceFacts[],
  { betweenLooks, looksToReturn }: PowerTimes,
): Effect.Effect<string, Fault> =>
  Effect.gen(function* () {
    const look = Effect.map(usb.read, (reading) => {
      const back = devicesOn(reading, ports).map(identityOf)
      return wanted.filter((each) => !back.includes(identityOf(each))).map(({ path }) => path)
    })
    const missing = yield* lookUntilNone(look, looksToReturn, betweenLooks)
    if (missing.length > 0) return yield* Effect.fail(notBack({ devices: wanted }, missing))
    const names = wanted.map(deviceName).join(', ')
    return `${name}: switched on${names ? `; ${names} ${wanted.length === 1 ? 'is' : 'are'} back` : ''}`
  })

const lookUntilNone = (
  look: Effect.Effect<readonly string[]>,
  looks: number,
  pause: Duration.Input,
): Effect.Effect<readonly string[]> =>
  Effect.gen(function* () {
    let found = yield* look
    for (let done = 1; found.length > 0 && done < looks; done++) {
      yield* Effect.sleep(pause)
      found = yield* look
    }
    return found
  })
