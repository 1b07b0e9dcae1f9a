// The embedded NT4 server: wanted or not, and whether it listens.
import { assign, emit, setup } from 'xstate'
import { type ActionBodies, needed, providedAction } from '../effects.ts'
import { type Fault, isFault } from '../errors/fault.ts'
import { addressText, type Nt4Address, parseNt4Target } from './target.ts'

/** holdServer: listens, reports `server.bound`, serves for as long as its state lasts. */
const nt4ServerEffects = { holdServer: needed<never, Nt4Address>('holdServer') }
export type Nt4ServerEffects = typeof nt4ServerEffects

export type Nt4ServerEvent =
  | { readonly type: 'target.set'; readonly target: string }
  /** Listening; port: the one the system chose when 0 was asked for. */
  | { readonly type: 'server.bound'; readonly at: Nt4Address }

/** What the server tells its listeners; the link needs to know its address. */
export type Nt4ServerSaid = { readonly type: 'server.listening'; readonly at: Nt4Address }

/** target: the setting of the link; only `serve` concerns the server, all else is off. */
export interface Nt4ServerInput {
  readonly target: string
}

interface Context {
  /** Where to listen; null: nowhere. */
  readonly wanted: Nt4Address | null
  readonly at: Nt4Address | null
  readonly failures: number
  readonly fault: Fault | null
}

/** The server as people see it. address: where it listens. */
export interface Nt4ServerStatus {
  readonly state: 'off' | 'binding' | 'listening' | 'backing-off'
  readonly address: string | null
  readonly fault: Fault | null
}

const MAX_FAILURES = 4 // 8 s: the program that holds the port is probably being stopped by hand

const ended: Fault = { code: 'nt4.not_listening', detail: 'the NT4 server ended without saying why' }

const wantedBy = (target: string): Nt4Address | null => {
  const parsed = parseNt4Target(target)
  return parsed.ok && parsed.target.kind === 'serve' ? parsed.target.at : null
}

const aimedAt = (target: string): Context => ({ wanted: wantedBy(target), at: null, failures: 0, fault: null })

/** The actions that the actor provides. */
const nt4ServerActions = {
  /** Enters the fault in the error history, once for a series of failures. */
  record: providedAction(),
}

export const nt4ServerMachine = setup({
  types: {
    input: {} as Nt4ServerInput,
    context: {} as Context,
    events: {} as Nt4ServerEvent,
    emitted: {} as Nt4ServerSaid,
  },
  actors: nt4ServerEffects,
  guards: {
    isUnwanted: ({ context }) => context.wanted === null,
    nothingChanges: ({ context, event }) =>
      event.type === 'target.set' && JSON.stringify(wantedBy(event.target)) === JSON.stringify(context.wanted),
    isFirstFailure: ({ context }) => context.failures === 0,
  },
  actions: {
    ...nt4ServerActions,
    setFault: assign({ fault: ({ event }) => ('error' in event && isFault(event.error) ? event.error : ended) }),
    countFailure: assign({ failures: ({ context }) => Math.min(MAX_FAILURES, context.failures + 1) }),
  },
  delays: { backOff: ({ context }) => 500 * 2 ** context.failures },
}).createMachine({
  id: 'nt4-server',
  context: ({ input }) => aimedAt(input.target),
  initial: 'aiming',
  on: {
    'target.set': [
      { guard: 'nothingChanges' },
      { target: '.aiming', actions: assign(({ event }) => aimedAt(event.target)) },
    ],
  },
  states: {
    aiming: { always: [{ guard: 'isUnwanted', target: 'off' }, { target: 'server' }] },
    off: {},
    server: {
      invoke: {
        id: 'holdServer',
        src: 'holdServer',
        input: ({ context }) => context.wanted as Nt4Address,
        onError: [
          { guard: 'isFirstFailure', target: 'backing-off', actions: ['setFault', 'record', 'countFailure'] },
          { target: 'backing-off', actions: ['setFault', 'countFailure'] },
        ],
      },
      initial: 'binding',
      states: {
        binding: {
          on: {
            'server.bound': {
              target: 'listening',
              actions: assign({ at: ({ event }) => event.at, failures: 0, fault: null }),
            },
          },
        },
        listening: {
          entry: emit(({ context }) => ({ type: 'server.listening', at: context.at as Nt4Address })),
          exit: assign({ at: null }),
        },
      },
    },
    'backing-off': { after: { backOff: 'server' } },
  },
})

/** What `GET` shows of the server; a snapshot of nt4ServerMachine is one. */
export const nt4ServerStatus = ({
  value,
  context,
}: {
  readonly value: unknown
  readonly context: Context
}): Nt4ServerStatus => {
  const state = typeof value === 'string' ? value : (value as { server: string }).server
  return {
    state: state as Nt4ServerStatus['state'],
    address: context.at ? addressText(context.at) : null,
    fault: context.fault,
  }
}

/** Their bodies. */
export type Nt4ServerActions = ActionBodies<typeof nt4ServerActions, typeof nt4ServerMachine>

declare module '../supervision/actors.ts' {
  interface Actors {
    readonly 'nt4-server': typeof nt4ServerMachine
  }
}
