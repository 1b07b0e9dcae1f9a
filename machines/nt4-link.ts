// The link to the robot: whether there is a session, with whom, and when the next attempt is made.
import { assign, emit, setup } from 'xstate'
import { needed } from './effects.ts'
import { type Fault, isFault, type Reply } from './fault.ts'
import { addressText, type Nt4Address, type Nt4Target, nt4Targets, parseNt4Target } from './nt4-target.ts'

/** Whom to connect to, and as whom. */
export interface HoldSession {
  readonly at: Nt4Address
  readonly clientName: string
}

/** holdSession: connects, reports `session.opened` and `session.synced`, fails with the fault when the session ends. */
export const nt4LinkEffects = { holdSession: needed<never, HoldSession>('holdSession') }
export type Nt4LinkEffects = typeof nt4LinkEffects

/** What is known of a session. server_offset_us: server time minus CLOCK_MONOTONIC of this device. */
export interface Nt4SessionFacts {
  readonly protocol: '4.1' | '4.0'
  readonly round_trip_us: number
  readonly server_offset_us: number
}

/** server: where the embedded server listens, null while it does not. seed: 0 to 1, different on each device, so that they do not dial in step. */
export interface Nt4LinkInput {
  readonly target: string
  readonly clientName: string
  readonly server: Nt4Address | null
  readonly seed: number
}

export type Nt4LinkEvent =
  | { readonly type: 'target.set'; readonly ask: number; readonly target: string; readonly clientName: string }
  /** The embedded server listens, at a place it may have been given by the system. */
  | { readonly type: 'server.listening'; readonly at: Nt4Address }
  | { readonly type: 'session.opened'; readonly facts: Nt4SessionFacts }
  | { readonly type: 'session.synced'; readonly facts: Nt4SessionFacts }

/** What the link says to whoever listens. */
export type Nt4LinkSaid =
  | Reply
  | { readonly type: 'link.up'; readonly facts: Nt4SessionFacts }
  | { readonly type: 'link.down' }

interface Context extends Nt4LinkInput {
  /** null: the setting cannot be read. */
  readonly parsed: Nt4Target | null
  readonly addresses: readonly Nt4Address[]
  /** The address in use, and how many have been tried in this round. */
  readonly index: number
  readonly tried: number
  readonly failures: number
  readonly facts: Nt4SessionFacts | null
  readonly fault: Fault | null
}

/** The link as people see it. */
export interface Nt4LinkStatus {
  readonly state: 'off' | 'parked' | 'awaiting-server' | 'dialling' | 'connected' | 'backing-off'
  readonly target: string
  /** `host:port` that is or was last dialled; null when there is none. */
  readonly address: string | null
  readonly protocol: '4.1' | '4.0' | null
  readonly round_trip_us: number | null
  readonly server_offset_us: number | null
  readonly fault: Fault | null
}

const BASE_MS = 1_000
const MAX_FAILURES = 3 // 4 s: a robot that has just started shall not wait longer for its camera

/** The pause after the nth failure in a row, a quarter longer or shorter: after a power cut all devices of a field dial at once. */
export const backOffMs = (failures: number, seed: number): number =>
  BASE_MS * 2 ** (Math.min(failures, MAX_FAILURES) - 1) * (0.75 + 0.5 * ((seed + failures * 0.618) % 1))

const lost: Fault = { code: 'nt4.closed', detail: 'the NT4 session ended without saying why' }

/** Where to dial for a server of our own: it may listen everywhere. */
const reachable = ({ host, port }: Nt4Address): Nt4Address => ({
  host: host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host,
  port,
})

const addressesOf = (target: Nt4Target | null, server: Nt4Address | null): readonly Nt4Address[] => {
  if (target?.kind === 'serve') return server ? [reachable(server)] : []
  return target ? nt4Targets(target) : []
}

const badTarget = (target: string): Fault | null => {
  const parsed = parseNt4Target(target)
  if (parsed.ok) return null
  const detail = `the NT4 target cannot be used: ${parsed.reason}`
  return { code: 'nt4.bad_target', detail, errors: [{ pointer: '/target', message: parsed.reason }] }
}

/** A new aim forgets everything about the old one. */
const aimedAt = (input: Nt4LinkInput): Context => {
  const parsed = parseNt4Target(input.target)
  const target = parsed.ok ? parsed.target : null
  return {
    ...input,
    parsed: target,
    addresses: addressesOf(target, input.server),
    index: 0,
    tried: 0,
    failures: 0,
    facts: null,
    fault: badTarget(input.target),
  }
}

export const nt4LinkMachine = setup({
  types: {
    input: {} as Nt4LinkInput,
    context: {} as Context,
    events: {} as Nt4LinkEvent,
    emitted: {} as Nt4LinkSaid,
  },
  actors: nt4LinkEffects,
  guards: {
    targetIsBad: ({ context }) => context.parsed === null,
    targetIsOff: ({ context }) => context.parsed?.kind === 'off',
    serverIsMissing: ({ context }) => context.addresses.length === 0,
    newTargetIsBad: ({ event }) => event.type === 'target.set' && badTarget(event.target) !== null,
    nothingChanges: ({ context, event }) =>
      event.type === 'target.set' && event.target === context.target && event.clientName === context.clientName,
    serverIsOurs: ({ context }) => context.parsed?.kind === 'serve',
    wasConnected: ({ context }) => context.facts !== null,
    moreAddresses: ({ context }) => context.tried + 1 < context.addresses.length,
    isFirstFailure: ({ context }) => context.failures === 0,
  },
  actions: {
    /** Enters the fault in the error history; not at each of a hundred attempts while the robot is off. Given a body by the actor. */
    record: () => {},
    noteFault: assign({ fault: ({ event }) => ('error' in event && isFault(event.error) ? event.error : lost) }),
    countFailure: assign({ failures: ({ context }) => Math.min(MAX_FAILURES, context.failures + 1), tried: 0 }),
    tryNextAddress: assign({ index: ({ context }) => (context.index + 1) % context.addresses.length }),
    countTry: assign({ tried: ({ context }) => context.tried + 1 }),
    replyDone: emit(({ event }) => ({ type: 'reply', ask: 'ask' in event ? event.ask : 0, outcome: 'done' })),
  },
  delays: { backOff: ({ context }) => backOffMs(context.failures, context.seed) },
}).createMachine({
  id: 'nt4-link',
  context: ({ input }) => aimedAt(input),
  initial: 'aiming',
  on: {
    'target.set': [
      {
        guard: 'newTargetIsBad',
        actions: emit(({ event }) => ({
          type: 'reply',
          ask: event.ask,
          outcome: 'refused',
          fault: badTarget(event.target) ?? lost,
        })),
      },
      { guard: 'nothingChanges', actions: 'replyDone' },
      {
        target: '.aiming',
        actions: [
          assign(({ context, event }) => aimedAt({ ...context, target: event.target, clientName: event.clientName })),
          'replyDone',
        ],
      },
    ],
    'server.listening': [
      {
        guard: 'serverIsOurs',
        target: '.aiming',
        actions: assign(({ context, event }) => aimedAt({ ...context, server: event.at })),
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
        { target: 'session' },
      ],
    },
    off: {},
    parked: {},
    'awaiting-server': {},
    session: {
      invoke: {
        id: 'holdSession',
        src: 'holdSession',
        input: ({ context: { addresses, index, clientName } }) => ({ at: addresses[index] as Nt4Address, clientName }),
        onError: [
          { guard: 'wasConnected', target: 'backing-off', actions: ['noteFault', 'record', 'countFailure'] },
          { guard: 'moreAddresses', target: 'session', reenter: true, actions: ['tryNextAddress', 'countTry'] },
          {
            guard: 'isFirstFailure',
            target: 'backing-off',
            actions: ['tryNextAddress', 'noteFault', 'record', 'countFailure'],
          },
          { target: 'backing-off', actions: ['tryNextAddress', 'noteFault', 'countFailure'] },
        ],
      },
      initial: 'dialling',
      states: {
        dialling: {
          on: {
            'session.opened': {
              target: 'connected',
              actions: assign({ facts: ({ event }) => event.facts, failures: 0, tried: 0, fault: null }),
            },
          },
        },
        connected: {
          entry: emit(({ context }) => ({ type: 'link.up', facts: context.facts as Nt4SessionFacts })),
          exit: [emit({ type: 'link.down' }), assign({ facts: null })],
          on: { 'session.synced': { actions: assign({ facts: ({ event }) => event.facts }) } },
        },
      },
    },
    'backing-off': { after: { backOff: 'session' } },
  },
})

/** What `GET` shows of the link; a snapshot of nt4LinkMachine is one. */
export const nt4LinkStatus = ({
  value,
  context,
}: {
  readonly value: unknown
  readonly context: Context
}): Nt4LinkStatus => {
  const { target, addresses, index, facts, fault } = context
  const at = addresses[index]
  const state = typeof value === 'string' ? value : (value as { session: string }).session
  return {
    state: state as Nt4LinkStatus['state'],
    target,
    address: at ? addressText(at) : null,
    protocol: facts?.protocol ?? null,
    round_trip_us: facts?.round_trip_us ?? null,
    server_offset_us: facts?.server_offset_us ?? null,
    fault,
  }
}
