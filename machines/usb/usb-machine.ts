// The USB of the device: looked at whenever something is plugged in, and now and then, since such news gets lost; and
// the one place where the power of its ports is switched, one order after the other.
import { assign, emit, setup } from 'xstate'
import { needed } from '../effects.ts'
import { type Fault, faultOf, type Reply } from '../errors/fault.ts'
import { COMING_UP, ROUTINE } from '../supervision/child.ts'
import type { UsbPowerAction } from './usb-power.ts'

/** What is switched. */
export interface PowerOrder {
  readonly switch_id: string
  readonly action: UsbPowerAction
  /** Also what is in use. */
  readonly force?: boolean
  /** The address of this device to which whoever orders it is connected; null, or left out: not known. */
  readonly over?: string | null
}

/** The effects. */
const usbEffects = {
  /** Switches on what an earlier run has left off. */
  restorePower: needed<void>('restorePower'),
  /** Reads what there is, and tells of what came and went. */
  lookAtUsb: needed<void>('lookAtUsb'),
  /** Says when something may have come or gone; it never ends. */
  watchUsb: needed<never>('watchUsb'),
  /** Switches, and looks whether devices went and came back. It fails with a fault for whoever ordered it. */
  switchPower: needed<void, PowerOrder>('switchPower'),
}
export type UsbEffects = typeof usbEffects

export type UsbEvent =
  | ({ readonly type: 'usb.switch'; readonly ask: number } & PowerOrder)
  /** Something may have come or gone. */
  | { readonly type: 'usb.changed' }

interface Context {
  /** Of the order under way. */
  readonly order: PowerOrder & { readonly ask: number }
  /** Something may have come since the look began. */
  readonly missed: boolean
}

const SETTLE_MS = 200 // interfaces and their drivers come one after the other
const RESCAN_MS = 30_000 // a look reads a hundred files

const BUSY: Fault = {
  code: 'actor.not_now',
  detail: 'other USB ports are being switched; try again in a few seconds',
}

export const usbMachine = setup({
  types: { context: {} as Context, events: {} as UsbEvent, emitted: {} as Reply },
  actors: usbEffects,
  actions: {
    replyDone: emit(({ context }) => ({ type: 'reply', ask: context.order.ask, outcome: 'done' }) as const),
    replyFailed: emit(
      ({ context }, fault: Fault) => ({ type: 'reply', ask: context.order.ask, outcome: 'failed', fault }) as const,
    ),
    refuse: emit((_, ask: number) => ({ type: 'reply', ask, outcome: 'refused', fault: BUSY }) as const),
    keepOrder: assign(({ context, event }) =>
      event.type === 'usb.switch'
        ? {
            order: {
              ask: event.ask,
              switch_id: event.switch_id,
              action: event.action,
              force: event.force ?? false,
              over: event.over ?? null,
            },
          }
        : { order: context.order },
    ),
  },
  guards: { hasMissed: ({ context }) => context.missed },
  delays: { settled: SETTLE_MS, rescan: RESCAN_MS },
}).createMachine({
  id: 'usb',
  context: { order: { ask: 0, switch_id: '', action: 'on' }, missed: false },
  invoke: { id: 'watchUsb', src: 'watchUsb' },
  initial: 'restoring',
  states: {
    /** Before anybody may switch anything off. */
    restoring: {
      tags: COMING_UP,
      on: { 'usb.switch': { actions: { type: 'refuse', params: ({ event }) => event.ask } } },
      invoke: { id: 'restorePower', src: 'restorePower', onDone: 'looking', onError: 'looking' },
    },
    looking: {
      tags: ROUTINE,
      entry: assign({ missed: false }),
      on: {
        'usb.switch': { target: 'switching', actions: 'keepOrder' },
        'usb.changed': { actions: assign({ missed: true }) },
      },
      invoke: {
        id: 'lookAtUsb',
        src: 'lookAtUsb',
        onDone: [{ guard: 'hasMissed', target: 'settling' }, { target: 'watching' }],
        onError: 'watching',
      },
    },
    settling: {
      tags: ROUTINE,
      on: {
        'usb.switch': { target: 'switching', actions: 'keepOrder' },
        'usb.changed': { target: 'settling', reenter: true },
      },
      after: { settled: 'looking' },
    },
    watching: {
      tags: ROUTINE,
      on: { 'usb.switch': { target: 'switching', actions: 'keepOrder' }, 'usb.changed': 'settling' },
      after: { rescan: 'looking' },
    },
    switching: {
      on: { 'usb.switch': { actions: { type: 'refuse', params: ({ event }) => event.ask } } },
      invoke: {
        id: 'switchPower',
        src: 'switchPower',
        input: ({ context: { order } }) => order,
        onDone: { target: 'looking', actions: 'replyDone' },
        onError: {
          target: 'looking',
          actions: { type: 'replyFailed', params: ({ event }) => faultOf(event.error) },
        },
      },
    },
  },
})

declare module '../supervision/actors.ts' {
  interface Actors {
    readonly usb: typeof usbMachine
  }
}
