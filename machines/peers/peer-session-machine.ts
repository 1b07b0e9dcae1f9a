// The events of a peer while there is a link: they begin with a hello, their numbers rise, and the session is over with
// the first one that cannot be.
import { assign, setup } from 'xstate'
import { type ActionBodies, needed, providedAction } from '../effects.ts'
import { type Fault, faultOf } from '../errors/fault.ts'
import type { PeerAddress } from './peer-address.ts'
import { type EventPlace, helloFault, numberFault, type PeerEvent, type PeerGreeting } from './peer-messages.ts'

/**
 * listen: tells `events.asked`, then `socket.opened` and what is heard; fails with why the connection was not made, or
 * has ended.
 */
const peerSessionEffects = { listen: needed<never, PeerAddress>('listen') }
export type PeerSessionEffects = typeof peerSessionEffects

/** What the session tells its link. */
export type PeerSessionNews =
  /** The peer says its events from now on, and those that were missed where it knows them. */
  | { readonly type: 'session.opened' }
  /** Any sign of life, after none. */
  | { readonly type: 'peer.heard' }
  /** None for 15 s. */
  | { readonly type: 'peer.silent' }
  /** Something of what it has is another by now. */
  | { readonly type: 'inventory.changed' }

export type PeerSessionEvent =
  /** The peer is called, and asked for what came after that event; null: for nothing of before. */
  | { readonly type: 'events.asked'; readonly since: EventPlace | null }
  | { readonly type: 'socket.opened' }
  | { readonly type: 'greeting.heard'; readonly greeting: PeerGreeting }
  | { readonly type: 'event.heard'; readonly event: PeerEvent }
  /** What the peer says makes no sense, or is too much; or what was read of it contradicts its events. */
  | { readonly type: 'session.refuted'; readonly fault: Fault }
  | Exclude<PeerSessionNews, { readonly type: 'session.opened' }>

interface Context {
  readonly address: PeerAddress
  /** The newest event that was heard; null: unknown. */
  readonly newest: EventPlace | null
  /** Why it is over. */
  readonly fault: Fault
}

const HELLO_LIMIT_MS = 5_000

const notOver: Fault = { code: 'peer.unreachable', detail: 'the events have ended without saying why' }

const isSamePoint = (one: EventPlace | null, other: EventPlace): boolean =>
  one?.epoch === other.epoch && one.seq === other.seq

/** Where the events go on after a greeting: a number that was lower would have those that come taken for old. */
const placeAfter = ({ type, epoch, seq, resumed }: PeerGreeting, newest: EventPlace | null): EventPlace => {
  const isResumed = type === 'hello' && resumed && newest?.epoch === epoch && seq >= newest.seq
  return isResumed ? newest : { epoch, seq }
}

/** What is wrong with an event after the newest one. */
const orderFault = ({ address, newest }: Context, { seq }: PeerEvent): Fault | undefined =>
  numberFault(newest?.seq ?? 0, seq, address.origin)

/** The actions that the actor provides. */
const peerSessionActions = {
  /** Notes where the events go on; all that is known of the peer is to be read. */
  takeGreeting: providedAction<EventPlace>(),
  /** Notes the event, tells it again here, and notes what is to be read because of it. */
  takeEvent: providedAction<PeerEvent>(),
  /**
   * Forgets which event was the newest: a device that has told what cannot be, or too much, is not asked for what came
   * since. It would begin with all of the flood, or the same nonsense, and after a number that cannot be all that comes
   * would be taken for old. What it has is read with each link.
   */
  loseTrack: providedAction(),
}

/** What the actions are given of an event of one kind. */
interface Heard<Event> {
  readonly context: Context
  readonly event: Event
}
type Greeting = Extract<PeerSessionEvent, { type: 'greeting.heard' }>
type Told = Extract<PeerSessionEvent, { type: 'event.heard' }>

/** Taken after `place`, which says where that is. */
const takeGreeting = {
  type: 'takeGreeting',
  params: ({ context: { newest }, event: { greeting } }: Heard<Greeting>) => newest ?? greeting,
} as const

const report = (type: PeerSessionNews['type']) => ({ type: 'report', params: { type } }) as const

export const peerSessionMachine = setup({
  types: {
    input: {} as PeerAddress,
    context: {} as Context,
    events: {} as PeerSessionEvent,
    output: {} as Fault,
  },
  actors: peerSessionEffects,
  guards: {
    /** It follows the greeting after which everything is read anyway. */
    isRepeated: ({ context, event }) => event.type === 'greeting.heard' && isSamePoint(context.newest, event.greeting),
    isOutOfOrder: ({ context, event }) =>
      event.type === 'event.heard' && orderFault(context, event.event) !== undefined,
  },
  actions: {
    ...peerSessionActions,
    place: assign(({ context, event }) =>
      event.type === 'greeting.heard' ? { newest: placeAfter(event.greeting, context.newest) } : {},
    ),
    setNewest: assign(({ context: { newest }, event }) =>
      event.type === 'event.heard' ? { newest: { epoch: newest?.epoch ?? '', seq: event.event.seq } } : {},
    ),
    setFault: assign((_, fault: Fault) => ({ fault })),
    /** News for the link that holds this session. */
    report: ({ self }, news: PeerSessionNews) => self._parent?.send(news),
  },
  delays: { helloLimit: HELLO_LIMIT_MS },
}).createMachine({
  id: 'peer-session',
  context: ({ input }) => ({ address: input, newest: null, fault: notOver }),
  output: ({ context }) => context.fault,
  invoke: {
    id: 'listen',
    src: 'listen',
    input: ({ context }) => context.address,
    onError: {
      target: '.over',
      actions: { type: 'setFault', params: ({ event }) => faultOf(event.error) },
    },
  },
  initial: 'awaiting-hello',
  on: {
    'session.refuted': {
      target: '.over',
      actions: [{ type: 'setFault', params: ({ event }) => event.fault }, 'loseTrack'],
    },
    'peer.heard': { actions: report('peer.heard') },
    'peer.silent': { actions: report('peer.silent') },
    'inventory.changed': { actions: report('inventory.changed') },
  },
  states: {
    'awaiting-hello': {
      on: {
        'greeting.heard': { target: 'following', actions: ['place', takeGreeting, report('session.opened')] },
        'event.heard': {
          target: 'over',
          actions: [{ type: 'setFault', params: ({ context }) => helloFault(context.address.origin) }, 'loseTrack'],
        },
      },
      initial: 'calling',
      states: {
        calling: {
          on: {
            'events.asked': { actions: assign({ newest: ({ event }) => event.since }) },
            'socket.opened': 'connected',
          },
        },
        connected: {
          after: {
            helloLimit: {
              target: '#peer-session.over',
              actions: { type: 'setFault', params: ({ context }) => helloFault(context.address.origin) },
            },
          },
        },
      },
    },
    following: {
      on: {
        'greeting.heard': { target: '.greeted', actions: ['place', takeGreeting, report('inventory.changed')] },
        'event.heard': [
          {
            guard: 'isOutOfOrder',
            target: 'over',
            actions: [
              {
                type: 'setFault',
                params: ({ context, event }: Heard<Told>) => orderFault(context, event.event) ?? notOver,
              },
              'loseTrack',
            ],
          },
          {
            target: '.told',
            actions: ['setNewest', { type: 'takeEvent', params: ({ event }) => event.event }],
          },
        ],
      },
      initial: 'greeted',
      states: {
        /** It has said where it stands, and nothing since. */
        greeted: { on: { 'greeting.heard': { guard: 'isRepeated' } } },
        told: {},
      },
    },
    over: { type: 'final' },
  },
})

/** Their bodies. */
export type PeerSessionActions = ActionBodies<typeof peerSessionActions, typeof peerSessionMachine>
