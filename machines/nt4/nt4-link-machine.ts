// The link to the robot: at which addresses it is looked for, with which one there is a session, and what is wrong
// while there is none.
import { assign, enqueueActions, setup } from 'xstate'
import { type ActionBodies, providedAction } from '../effects.ts'
import type { Fault } from '../errors/fault.ts'
import type { reconcilerMachine } from '../supervision/reconciler-machine.ts'
import { type Nt4CandidateInput, type Nt4CandidateNews, nt4CandidateMachine } from './nt4-candidate-machine.ts'
import { addressText, type Nt4Address, type Nt4Target, nt4Targets, parseNt4Target } from './target.ts'

/** candidate: looks for the robot at one address, and holds the session there. */
const nt4LinkEffects = { candidate: nt4CandidateMachine }
export type Nt4LinkEffects = typeof nt4LinkEffects

/** What a link to the robot begins with. */
export interface Nt4LinkInput {
  readonly target: string
  readonly clientName: string
  /** Where the embedded server listens, null while it does not. */
  readonly server: Nt4Address | null
  /** 0 to 1, different on each device, so that they do not dial in step. */
  readonly seed: number
}

export type Nt4LinkEvent =
  | {
      readonly type: 'target.set'
      readonly target: string
      readonly clientName: string
      /** Where the embedded server listens now; left out: as it is known here. */
      readonly server?: Nt4Address | null
    }
  /** The embedded server listens, at a place it may have been given by the system. */
  | { readonly type: 'server.listening'; readonly at: Nt4Address }
  | Nt4CandidateNews

interface Context extends Nt4LinkInput {
  /** null: the setting cannot be read. */
  readonly parsed: Nt4Target | null
  readonly addresses: readonly Nt4Address[]
  /** The address of the session, or of the last one; else the likeliest. */
  readonly index: number
  /** What came of the latest attempt at each address; null: no attempt has ended yet since the search began. */
  readonly failures: readonly (Fault | null)[]
  readonly fault: Fault | null
  /** How long after the loss of a session the robot is called again; null: none was lost since the search began. */
  readonly nextTryInMs: number | null
}

/** The link as people see it. nextTryInMs: of one that was lost. */
export interface Nt4LinkStatus {
  readonly state: 'off' | 'parked' | 'awaiting-server' | 'dialling' | 'connected'
  readonly target: string
  /**
   * `host:port` of the session, or of the last one; else the likeliest of those that are dialled; null when there is
   * none.
   */
  readonly address: string | null
  readonly fault: Fault | null
  readonly nextTryInMs: number | null
}

const SEED_STEP = 0.382 // between the addresses: they are not dialled in step either

/** Where to dial for a server of our own: it may listen everywhere. */
const reachable = ({ host, port }: Nt4Address): Nt4Address => ({
  host: host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host,
  port,
})

/** Whether a server listens where it is to listen, and not where it was to listen before. */
const isAt = ({ host, port }: Nt4Address, wanted: Nt4Address): boolean =>
  host === wanted.host && (wanted.port === 0 || port === wanted.port)

const addressesOf = (target: Nt4Target | null, server: Nt4Address | null): readonly Nt4Address[] => {
  if (target?.kind === 'serve') return server && isAt(server, target.at) ? [reachable(server)] : []
  return target ? nt4Targets(target) : []
}

const badTarget = (target: string): Fault | null => {
  const parsed = parseNt4Target(target)
  if (parsed.ok) return null
  const detail = `the NT4 target cannot be used: it ${parsed.reason}`
  return { code: 'nt4.bad_target', detail, errors: [{ pointer: '/target', message: parsed.reason }] }
}

/** A new target forgets everything about the old one. */
const aimedAt = ({ target, clientName, server, seed }: Nt4LinkInput): Context => {
  const parsed = parseNt4Target(target)
  const wanted = parsed.ok ? parsed.target : null
  const addresses = addressesOf(wanted, server)
  return {
    target,
    clientName,
    server,
    seed,
    addresses,
    parsed: wanted,
    index: 0,
    failures: addresses.map(() => null),
    fault: badTarget(target),
    nextTryInMs: null,
  }
}

/**
 * What to show of the failures at several addresses: one that answers wrongly says more than those that do not answer;
 * else the likeliest address.
 */
const maxTelling = (failures: readonly (Fault | null)[]): Fault | null =>
  failures.find((fault) => fault !== null && fault.code !== 'nt4.unreachable') ?? failures[0] ?? null

const candidatesOf = ({ addresses, clientName, seed }: Context): readonly Nt4CandidateInput[] =>
  addresses.map((at, index) => ({ index, at, clientName, seed: (seed + index * SEED_STEP) % 1 }))

const nameOf = (index: number): string => `candidate-${index}`

/** The actions that the actor provides. */
const nt4LinkActions = {
  /** Enters the fault in the error history; not at each of a hundred attempts while the robot is off. */
  record: providedAction(),
  /** Offers the session of the address in use to the adapters. */
  offerSession: providedAction(),
}

export const nt4LinkMachine = setup({
  types: {
    input: {} as Nt4LinkInput,
    context: {} as Context,
    events: {} as Nt4LinkEvent,
  },
  actors: nt4LinkEffects,
  guards: {
    targetIsBad: ({ context }) => context.parsed === null,
    targetIsOff: ({ context }) => context.parsed?.kind === 'off',
    serverIsMissing: ({ context }) => context.addresses.length === 0,
    nothingChanges: ({ context, event }) =>
      event.type === 'target.set' && event.target === context.target && event.clientName === context.clientName,
    serverIsOurs: ({ context }) => context.parsed?.kind === 'serve',
    isOfTheSession: ({ context, event }) => 'index' in event && event.index === context.index,
    isLastToFail: ({ context: { failures }, event }) =>
      'index' in event && failures.every((failure, index) => (failure === null) === (index === event.index)),
  },
  actions: {
    ...nt4LinkActions,
    startAll: enqueueActions(({ context, enqueue }) => {
      for (const input of candidatesOf(context)) enqueue.spawnChild('candidate', { id: nameOf(input.index), input })
    }),
    /** All but that of the address in use: it goes on by itself. */
    startOthers: enqueueActions(({ context, enqueue }) => {
      for (const input of candidatesOf(context))
        if (input.index !== context.index) enqueue.spawnChild('candidate', { id: nameOf(input.index), input })
    }),
    stopAll: enqueueActions(({ context, enqueue }) => {
      for (const { index } of candidatesOf(context)) enqueue.stopChild(nameOf(index))
    }),
    stopOthers: enqueueActions(({ context, enqueue }) => {
      for (const { index } of candidatesOf(context)) if (index !== context.index) enqueue.stopChild(nameOf(index))
    }),
    setFailure: assign(({ context, event }) => {
      if (event.type !== 'candidate.failed') return {}
      const failures = context.failures.map((before, index) => (index === event.index ? event.fault : before))
      return { failures, fault: failures.includes(null) ? context.fault : maxTelling(failures) }
    }),
    setLoss: assign(({ context, event }) =>
      event.type === 'candidate.lost'
        ? {
            fault: event.fault,
            failures: context.failures.map(() => event.fault), // what fails now is no news
            nextTryInMs: context.addresses.length > 1 ? 0 : event.pauseMs,
          }
        : {},
    ),
  },
}).createMachine({
  id: 'nt4-link',
  context: ({ input }) => aimedAt(input),
  initial: 'aiming',
  on: {
    'target.set': [
      { guard: 'nothingChanges' },
      {
        target: '.aiming',
        actions: [
          'stopAll',
          assign(({ context, event: { target, clientName, server = context.server } }) =>
            aimedAt({ ...context, target, clientName, server }),
          ),
        ],
      },
    ],
    'server.listening': [
      {
        guard: 'serverIsOurs',
        target: '.aiming',
        actions: ['stopAll', assign(({ context, event }) => aimedAt({ ...context, server: event.at }))],
      },
      { actions: assign({ server: ({ event }) => event.at }) },
    ],
  },
  states: {
    aiming: {
      always: [
        { guard: 'targetIsBad', target: 'parked' },
        { guard: 'targetIsOff', target: 'off' },
        { guard: 'serverIsMissing', target: 'awaiting-server' },
        { target: 'dialling', actions: 'startAll' },
      ],
    },
    off: {},
    parked: {},
    'awaiting-server': {},
    dialling: {
      on: {
        'candidate.opened': {
          target: 'connected',
          actions: [
            assign(({ context, event }) => ({
              index: event.index,
              fault: null,
              nextTryInMs: null,
              failures: context.failures.map(() => null),
            })),
            'stopOthers',
            'offerSession',
          ],
        },
        'candidate.failed': [{ guard: 'isLastToFail', actions: ['setFailure', 'record'] }, { actions: 'setFailure' }],
      },
    },
    connected: {
      on: {
        'candidate.lost': {
          guard: 'isOfTheSession',
          target: 'dialling',
          actions: ['setLoss', 'record', 'startOthers'],
        },
      },
    },
  },
})

/** Where the session of the link is; undefined while there is none. */
export const linkedAddress = ({
  value,
  context: { addresses, index },
}: {
  readonly value: unknown
  readonly context: Context
}): Nt4Address | undefined => (value === 'connected' ? addresses[index] : undefined)

/** What `GET` shows of the link; a snapshot of nt4LinkMachine is one. */
export const nt4LinkStatus = ({
  value,
  context,
}: {
  readonly value: unknown
  readonly context: Context
}): Nt4LinkStatus => {
  const { target, addresses, index, fault, nextTryInMs } = context
  const at = addresses[index]
  return {
    state: value as Nt4LinkStatus['state'],
    target,
    address: at ? addressText(at) : null,
    fault,
    nextTryInMs,
  }
}

/** Their bodies. */
export type Nt4LinkActions = ActionBodies<typeof nt4LinkActions, typeof nt4LinkMachine>

declare module '../supervision/actors.ts' {
  interface Actors {
    readonly nt4: typeof reconcilerMachine
    readonly 'nt4-link': typeof nt4LinkMachine
  }
}
