// The link to one other device: called, greeted, its inventory fetched and kept in step by its events; lost and called
// again, for as long as it is wanted.
import { assign, not, sendTo, setup } from 'xstate'
import { type ActionBodies, needed, providedAction } from '../effects.ts'
import { type Fault, faultOf } from '../errors/fault.ts'
import type { reconcilerMachine } from '../supervision/reconciler-machine.ts'
import { type Greeted, isRefusal } from './greeting.ts'
import { isSamePlace, type PeerAddress } from './peer-address.ts'
import { type PeerSessionNews, peerSessionMachine } from './peer-session-machine.ts'

/**
 * greet: tells `peer.connected`, answers with what the device is. holdSession: listens to its events; done with why it
 * has ended. fetchInventory: reads what the device has, and keeps it; tells `events.contradicted`.
 */
const peerLinkEffects = {
  greet: needed<Greeted, PeerAddress>('greet'),
  holdSession: peerSessionMachine,
  fetchInventory: needed<void, PeerAddress>('fetchInventory'),
}
export type PeerLinkEffects = typeof peerLinkEffects

/** What a link to a peer begins with. */
export interface PeerLinkInput {
  readonly address: PeerAddress
  /** 0 to 1, another one for each link, so that they do not dial in step. */
  readonly seed: number
  /** What the device has answered just now, to another caller; null: nothing. */
  readonly greeted: Greeted | null
}

export type PeerLinkEvent =
  /** Where it is from now on. greeted: as in the input. */
  | { readonly type: 'address.set'; readonly address: PeerAddress; readonly greeted: Greeted | null }
  /** The device takes the connection, and is who it must be. */
  | { readonly type: 'peer.connected' }
  /** What was read of it cannot be, after what its events have said. */
  | { readonly type: 'events.contradicted'; readonly fault: Fault }
  | PeerSessionNews

interface Context extends PeerLinkInput {
  /** Attempts in a row that came to no link that has lasted. It stops at the most that matter. */
  readonly tries: number
  /**
   * How many of them have failed since the device has taken a call. It stops at the most that matter, and begins there:
   * a device that never was there is away.
   */
  readonly failedSinceCall: number
  /** How many links in a row it has flooded. It stops at the most that matter. */
  readonly floods: number
  /** Something changed while the inventory was being read. */
  readonly isBehind: boolean
  /** The latest reading failed. */
  readonly readFailed: boolean
  readonly fault: Fault | null
}

const MAX_TRIES = 150 // some four minutes: a device that is away for so long has been switched off
const LASTING_MS = 10_000 // a device that loses each link at once is not called as soon as one whose link has held
const FIRST_PAUSE_MS = 250
const MAX_PAUSE_MS = 1_600 // with its spread below 2 s: so soon a device that comes back is found again
const AFTER_TIMEOUT_MS = 200 // the attempt itself took its time
const REFUSED_PAUSE_MS = 5_000 // it may be trusted there at any moment
const MAX_FLOODS = 7 // the last pause is five minutes: it may be mended by then
const LEGACY_PAUSE_MS = 60_000 // until it is updated, if ever
const GIVE_UP_MS = 5_000
const GATHER_MS = 50 // one change makes several events; the whole is not read for each of them
const READ_AGAIN_MS = 1_000

const spread = (ms: number, { tries, seed }: Pick<Context, 'tries' | 'seed'>): number =>
  ms * (0.75 + 0.5 * ((seed + tries * 0.618) % 1))

/**
 * How long after an attempt the next one follows, ms: spread by a quarter either way, for after a power cut all devices
 * dial at once.
 */
export const pauseMs = (context: Pick<Context, 'tries' | 'seed' | 'fault'>): number => {
  const { tries, fault } = context
  const grown = Math.min(FIRST_PAUSE_MS * 2 ** Math.max(0, tries - 1), MAX_PAUSE_MS)
  return spread(fault?.code === 'peer.too_slow' ? AFTER_TIMEOUT_MS : grown, context)
}

const isFlood = ({ code }: Fault): boolean => code === 'peer.floods'

/**
 * How long a device is left alone that refuses or is refused, ms. One that floods each link has it doubled each time:
 * every call costs others a moment.
 */
export const refusedPauseMs = ({ fault, floods }: Pick<Context, 'fault' | 'floods'>): number =>
  REFUSED_PAUSE_MS * 2 ** (fault && isFlood(fault) ? Math.max(0, floods - 1) : 0)

const fresh = ({ address, seed, greeted }: PeerLinkInput): Context => ({
  address,
  seed,
  greeted,
  tries: 0,
  failedSinceCall: MAX_TRIES,
  floods: 0,
  isBehind: false,
  readFailed: false,
  fault: null,
})

const isLegacy = (greeted: Greeted | null | undefined): boolean => greeted?.kind === 'legacy'

const addressOf = ({ context }: { readonly context: Context }): PeerAddress => context.address

/** Why an effect has failed, or the session is over. */
const faultIn = (event: object): Fault | undefined => {
  if ('error' in event) return faultOf(event.error)
  return 'output' in event ? faultOf(event.output) : undefined
}

/** The actions that the actor provides. */
const peerLinkActions = {
  /** Enters the fault in the error history, when it is news. */
  record: providedAction(),
  /** What is known of the device is of another one from now on. */
  forget: providedAction(),
}

export const peerLinkMachine = setup({
  types: { input: {} as PeerLinkInput, context: {} as Context, events: {} as PeerLinkEvent },
  actors: peerLinkEffects,
  guards: {
    hasOtherAim: ({ context: { address }, event }) =>
      event.type === 'address.set' && !(isSamePlace(event.address, address) && event.address.token === address.token),
    hasGreeted: ({ event }) => event.type === 'address.set' && event.greeted !== null,
    isNative: ({ context: { greeted } }) => greeted?.kind === 'native',
    isLegacy: ({ context: { greeted } }) => isLegacy(greeted),
    isRefused: ({ context: { fault } }) => fault !== null && (isRefusal(fault) || isFlood(fault)),
    wasThere: ({ context }) => context.failedSinceCall < MAX_TRIES,
    isBehind: ({ context }) => context.isBehind,
  },
  actions: {
    ...peerLinkActions,
    setFault: assign(({ context, event }) => {
      const fault = faultIn(event)
      return {
        fault: fault ?? context.fault,
        tries: Math.min(context.tries + 1, MAX_TRIES),
        failedSinceCall: Math.min(context.failedSinceCall + 1, MAX_TRIES),
        floods: Math.min(context.floods + (fault && isFlood(fault) ? 1 : 0), MAX_FLOODS),
      }
    }),
    noteCall: assign({ failedSinceCall: 0 }),
    noteChange: assign({ isBehind: true }),
    settleAsLegacy: assign({ fault: null, tries: 0 }),
  },
  delays: {
    pause: ({ context }) => pauseMs(context),
    refusedPause: ({ context }) => spread(refusedPauseMs(context), context),
    legacyPause: ({ context }) => spread(LEGACY_PAUSE_MS, context),
    giveUp: GIVE_UP_MS,
    lasting: LASTING_MS,
    gather: ({ context }) => (context.readFailed ? READ_AGAIN_MS : GATHER_MS),
  },
}).createMachine({
  id: 'peer-link',
  context: ({ input }) => fresh(input),
  initial: 'beginning',
  on: {
    'address.set': [
      {
        guard: 'hasOtherAim',
        target: '.beginning',
        actions: [assign(({ context, event }) => fresh({ ...context, ...event })), 'forget'],
      },
      { guard: 'hasGreeted', target: '.beginning', actions: assign(({ event }) => ({ greeted: event.greeted })) },
    ],
  },
  states: {
    /** A device that has greeted just now is not asked the same again. */
    beginning: {
      always: [
        { guard: 'isNative', target: 'session' },
        { guard: 'isLegacy', target: 'legacy', actions: 'settleAsLegacy' },
        { target: 'approach' },
      ],
      exit: assign({ greeted: null }),
    },
    approach: {
      invoke: {
        id: 'greet',
        src: 'greet',
        input: addressOf,
        onDone: [
          {
            guard: ({ event }) => isLegacy(event.output),
            target: 'legacy',
            actions: 'settleAsLegacy',
          },
          { target: 'session' }, // what was wrong before is so until there is a link
        ],
        onError: { target: 'parted', actions: ['setFault', 'record'] },
      },
      initial: 'dialling',
      states: {
        dialling: { on: { 'peer.connected': { target: 'greeting', actions: 'noteCall' } } },
        greeting: {},
      },
    },
    session: {
      entry: 'noteCall',
      invoke: {
        id: 'holdSession',
        src: 'holdSession',
        input: addressOf,
        onDone: { target: 'parted', actions: ['setFault', 'record'] },
      },
      on: {
        'address.set': { guard: not('hasOtherAim') }, // a greeting is no news to a link that has a session
        'events.contradicted': {
          actions: sendTo('holdSession', ({ event: { fault } }) => ({ type: 'session.refuted', fault })),
        },
      },
      initial: 'synchronising',
      states: {
        synchronising: {
          initial: 'opening',
          states: {
            opening: { on: { 'session.opened': 'reading' } },
            reading: {
              entry: assign({ isBehind: false }),
              on: { 'inventory.changed': { actions: 'noteChange' } },
              invoke: {
                id: 'readWhole',
                src: 'fetchInventory',
                input: addressOf,
                onDone: {
                  target: '#peer-link.session.linked',
                  actions: assign({ fault: null, readFailed: false }),
                },
                onError: { target: '#peer-link.parted', actions: ['setFault', 'record'] },
              },
            },
          },
          on: { 'peer.silent': 'stale' },
        },
        linked: {
          initial: 'settled',
          on: { 'peer.silent': 'stale' },
          after: { lasting: { actions: assign({ tries: 0, floods: 0 }) } },
          states: {
            settled: {
              always: { guard: 'isBehind', target: 'gathering' },
              on: { 'inventory.changed': 'gathering' },
            },
            gathering: { after: { gather: 'reading' } },
            reading: {
              entry: assign({ isBehind: false }),
              on: { 'inventory.changed': { actions: 'noteChange' } },
              invoke: {
                id: 'readAgain',
                src: 'fetchInventory',
                input: addressOf,
                onDone: { target: 'settled', actions: assign({ readFailed: false, fault: null }) },
                onError: {
                  target: 'gathering',
                  actions: [assign(({ event }) => ({ readFailed: true, fault: faultOf(event.error) })), 'record'],
                },
              },
            },
          },
        },
        /** Nothing is heard, and what is known gets old; the connection may still come back. */
        stale: {
          on: { 'peer.heard': 'synchronising.reading' },
          after: { giveUp: '#peer-link.approach' },
        },
      },
    },
    /** There is no link: what follows depends on why, and on whether the device has taken a call. */
    parted: {
      always: [
        { guard: 'isRefused', target: 'refused' },
        { guard: 'wasThere', target: 'backing-off' },
        { target: 'offline' },
      ],
    },
    /** It takes calls, or has within the last minutes. */
    'backing-off': { after: { pause: 'approach' } },
    /** The device is away, and that is no news. It is called as often: people switch it on and wait for it. */
    offline: { after: { pause: 'approach' } },
    /** It is not listened to. What is asked of it is another matter: after a flood an order may be what ends it. */
    refused: { after: { refusedPause: 'approach' } },
    legacy: { after: { legacyPause: 'approach' } },
  },
})

/** How it is with the link, as people see it. */
export type PeerLinkState =
  | 'offline'
  | 'dialling'
  | 'greeting'
  | 'synchronising'
  | 'linked'
  | 'stale'
  | 'backing-off'
  | 'refused'
  | 'legacy'

/** The state of a snapshot of peerLinkMachine, by one name. */
export const peerLinkState = (value: unknown): PeerLinkState => {
  if (typeof value === 'string') return value as PeerLinkState
  const { approach, session } = value as { readonly approach?: string; readonly session?: string | object }
  if (approach !== undefined) return approach as PeerLinkState
  return (typeof session === 'string' ? session : Object.keys(session ?? {})[0]) as PeerLinkState
}

/** Their bodies. */
export type PeerLinkActions = ActionBodies<typeof peerLinkActions, typeof peerLinkMachine>

declare module '../supervision/actors.ts' {
  interface Actors {
    readonly peers: typeof reconcilerMachine
    readonly [link: `peers/${string}`]: typeof peerLinkMachine
  }
}
