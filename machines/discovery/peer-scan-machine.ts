// Looking for other devices on request: the ones that announce themselves are asked, and a list of addresses is looked
// at, some at a time.
import { assign, emit, setup } from 'xstate'
import { type ActionBodies, needed, providedAction } from '../effects.ts'
import type { Fault, Reply } from '../errors/fault.ts'
import type { BaseUrl } from './base-url.ts'
import type { PeerKind } from './probe-result.ts'

/** The most addresses that wait to be looked at, the present scan included. */
export const MAX_TARGETS = 64

/** An address to look at. mayLeave: also outside of private networks, since an administrator wants it. */
export interface ScanTarget {
  readonly at: BaseUrl
  readonly mayLeave: boolean
}

/** What became of one. fault: why nobody was found there. */
export interface ScanResult {
  readonly base_url: string
  readonly kind: PeerKind | null
  readonly fault: Fault | null
}

export interface PeerScanEvent {
  readonly type: 'peers.discover'
  readonly ask: number
  readonly targets: readonly ScanTarget[]
}

/** lookAtAll: looks at addresses, and lists who is there. */
const peerScanEffects = { lookAtAll: needed<readonly ScanResult[], readonly ScanTarget[]>('lookAtAll') }
export type PeerScanEffects = typeof peerScanEffects

interface Context {
  /** Those that are being looked at. */
  readonly targets: readonly ScanTarget[]
  readonly waiting: readonly ScanTarget[]
  /** Of the last look that ended. */
  readonly results: readonly ScanResult[]
}

/** The actions that the actor provides. */
const peerScanActions = {
  /** Those who announce themselves are asked. */
  askAround: providedAction(),
}

export const peerScanMachine = setup({
  types: { context: {} as Context, events: {} as PeerScanEvent, emitted: {} as Reply },
  actors: peerScanEffects,
  actions: {
    ...peerScanActions,
    enqueue: assign({ waiting: ({ context, event }) => withTargets(context, event.targets) }),
    reply: emit(({ event }) => ({ type: 'reply', ask: event.ask, outcome: 'done' }) as const),
    refuse: emit(({ event }) => ({ type: 'reply', ask: event.ask, outcome: 'refused', fault: TOO_MANY }) as const),
  },
  guards: {
    somebodyWaits: ({ context }) => context.waiting.length > 0,
    areTooMany: ({ context, event }) =>
      context.targets.length + withTargets(context, event.targets).length > MAX_TARGETS,
  },
}).createMachine({
  id: 'peer-scan',
  context: { targets: [], waiting: [], results: [] },
  initial: 'idle',
  on: {
    'peers.discover': [{ guard: 'areTooMany', actions: 'refuse' }, { actions: ['enqueue', 'reply', 'askAround'] }],
  },
  states: {
    idle: { always: { guard: 'somebodyWaits', target: 'scanning' } },
    scanning: {
      entry: assign({ targets: ({ context }) => context.waiting, waiting: [] }),
      exit: assign({ targets: [] }),
      invoke: {
        id: 'lookAtAll',
        src: 'lookAtAll',
        input: ({ context }) => context.targets,
        onDone: { target: 'idle', actions: assign({ results: ({ event }) => event.output }) },
        onError: 'idle',
      },
    },
  },
})

/** An address that waits already waits once. */
const withTargets = ({ waiting }: Context, targets: readonly ScanTarget[]): readonly ScanTarget[] => [
  ...new Map([...waiting, ...targets].map((target) => [target.at.origin, target])).values(),
]

const TOO_MANY: Fault = {
  code: 'actor.not_now',
  detail: `${MAX_TARGETS} addresses at most are looked at in one go, and others wait already; try again in a moment`,
}

/** Their bodies. */
export type PeerScanActions = ActionBodies<typeof peerScanActions, typeof peerScanMachine>

declare module '../supervision/actors.ts' {
  interface Actors {
    readonly 'peer-scan': typeof peerScanMachine
  }
}
