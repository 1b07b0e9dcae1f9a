// The networks of the device: seen, and changed one at a time. A change is tried: it is in force until somebody
// confirms it over its new address, or else it is undone. Each step is on the disk before the next one is done, so that
// a run that was killed in the middle is gone on with (docs/decisions/0317-a-network-that-is-tried.md).
import { assign, emit, setup } from 'xstate'
import { type ActionBodies, needed, providedAction } from '../effects.ts'
import { type Fault, faultOf, type Reply } from '../errors/fault.ts'
import { oneLine } from '../schema/one-line.ts'
import { DEFAULT_CONFIRM_S, type NetworkChange } from './change.ts'
import { type ChangeNews, type ChangeOutcome, type ChangeRecord, type Checkpoint, undoneFault } from './record.ts'

/** An order, with over which address of this device it came. */
export interface OrderedChange {
  readonly change: NetworkChange
  readonly over: string
}

/** What was found of an earlier run. remainingMs: until it would be undone; null: nothing is under way. */
export interface RestoredChange {
  readonly record: ChangeRecord | null
  readonly next: 'nothing' | 'wait' | 'keep' | 'undo'
  readonly remainingMs: number
  readonly reason: string
}

interface Recorded {
  readonly record: ChangeRecord
}

/**
 * The effects. watch: tells what is seen of the networks. restore: what an earlier run left. check: what is wrong with
 * an order. order: has it on the disk, and its job. apply: has it in force, with its checkpoint. watchKeeper: ends with
 * the reason when what would undo it is gone. judge: why a confirmation does not count. keep: for good. undo: all as
 * before.
 */
export const networkEffects = {
  watch: needed<never>('watch'),
  restore: needed<RestoredChange>('restore'),
  check: needed<void, OrderedChange>('check'),
  order: needed<ChangeRecord, OrderedChange>('order'),
  apply: needed<Checkpoint, Recorded>('apply'),
  watchKeeper: needed<string, Recorded>('watchKeeper'),
  judge: needed<void, Recorded & { readonly over: string }>('judge'),
  keep: needed<void, Recorded>('keep'),
  undo: needed<void, Recorded>('undo'),
}
export type NetworkEffects = typeof networkEffects

export type NetworkCommand =
  | ({ readonly type: 'network.change'; readonly ask: number } & OrderedChange)
  /** over: the address of this device at which it arrived. */
  | { readonly type: 'network.confirm'; readonly ask: number; readonly over: string }

export type NetworkEvent =
  | NetworkCommand
  /** Its job was cancelled. */
  | { readonly type: 'change.cancelled'; readonly jobId: string }
  /** missing: what should have an address and has none, as a sentence; null: nothing. */
  | { readonly type: 'network.seen'; readonly missing: string | null }

interface Context {
  readonly ordered: OrderedChange | null
  readonly record: ChangeRecord | null
  /** How long a change is tried from now on. */
  readonly remainingMs: number
  readonly over: string
  /** Who is to be answered; null: nobody. */
  readonly ask: number | null
  readonly outcome: ChangeOutcome | null
  /** What should have an address and has none. */
  readonly missing: string | null
  /** What is wrong: with a change that cannot be undone, else with an interface. */
  readonly fault: Fault | null
}

/** The actions that the actor provides. */
export const networkActions = {
  /** Shows where a change stands. */
  show: providedAction<ChangeNews>(),
}

const NOBODY = 0
const MS = 1_000

const news = (step: ChangeNews['step'], { record, remainingMs }: Context): ChangeNews => ({
  step,
  record: record as ChangeRecord,
  limitMs: remainingMs,
})
const show = (step: ChangeNews['step']) =>
  ({ type: 'show', params: ({ context }: { context: Context }) => news(step, context) }) as const

const NO_ADDRESS = 'network.no_address'
const faultOfMissing = (missing: string | null): Fault | null =>
  missing === null ? null : { code: NO_ADDRESS, detail: missing }

const faultOfEnd = ({ record, outcome }: Context): Fault => undoneFault(record as ChangeRecord, outcome ?? UNKNOWN_END)

const SET_STUCK = {
  type: 'setStuck',
  params: ({ event }: { event: unknown }) => faultOf((event as { error: unknown }).error),
} as const
const REPLY_FAILED = [
  { type: 'replyFailed', params: ({ event }: { event: unknown }) => faultOf((event as { error: unknown }).error) },
  'forgetAsk',
] as const
const TAKE_RESTORED = {
  type: 'takeRestored',
  params: ({ event }: { event: { output: RestoredChange } }) => event.output,
} as const

const outcomeOf = (kept: boolean, reason: string): ChangeOutcome => ({ kept, reason })
const UNKNOWN_END = outcomeOf(false, 'the change was not confirmed')
const NOT_CONFIRMED = 'nobody confirmed the change in time'

const setUndone = (reason: string) => ({ type: 'setOutcome', params: outcomeOf(false, reason) }) as const
const setUndoneBy = {
  type: 'setOutcome',
  params: ({ event }: { event: unknown }) => outcomeOf(false, faultOf((event as { error: unknown }).error).detail),
} as const

const CANCELLABLE = {
  'change.cancelled': {
    guard: { type: 'isOfThis', params: ({ event }: { event: { jobId: string } }) => event.jobId },
    target: '#network.undoing',
    actions: setUndone('the change was cancelled'),
  },
} as const

const restored = <const Target extends string>(is: RestoredChange['next'], target: Target) =>
  ({
    guard: {
      type: 'isNext',
      params: ({ event }: { event: { output: RestoredChange } }) => ({ next: event.output.next, is }),
    },
    target,
    actions: TAKE_RESTORED,
  }) as const

const refusalOfChange = ({ record }: Context, ask: number) => {
  const under = record && record.phase !== 'ended' ? `of ${record.change.interface} ` : ''
  const fault: Fault = {
    code: 'actor.not_now',
    detail: oneLine`
      another change ${under}is not decided yet; confirm it over its new address, cancel its job, or wait until it is
      undone
    `,
  }
  return { ask, fault }
}

const nothingToConfirm = (ask: number) => {
  const fault: Fault = {
    code: 'network.nothing_waits',
    detail: oneLine`
      no change of the network waits to be confirmed: none was ordered, it is not in force yet, or it has ended; GET
      /v1/device/network says which
    `,
  }
  return { ask, fault }
}

export const networkMachine = setup({
  types: { context: {} as Context, events: {} as NetworkEvent, emitted: {} as Reply },
  actors: networkEffects,
  actions: {
    ...networkActions,
    /** Nobody may wait. */
    replyDone: emit(({ context }) => ({ type: 'reply', ask: context.ask ?? NOBODY, outcome: 'done' }) as const),
    replyFailed: emit(
      ({ context }, fault: Fault) => ({ type: 'reply', ask: context.ask ?? NOBODY, outcome: 'failed', fault }) as const,
    ),
    forgetAsk: assign({ ask: null }),
    refuse: emit(
      (_, { ask, fault }: { readonly ask: number; readonly fault: Fault }) =>
        ({ type: 'reply', ask, outcome: 'refused', fault }) as const,
    ),
    see: assign(({ context }, missing: string | null) => ({
      missing,
      fault: context.fault && context.fault.code !== NO_ADDRESS ? context.fault : faultOfMissing(missing),
    })),
    setStuck: assign({ fault: (_, fault: Fault) => fault }),
    clearStuck: assign({ fault: ({ context }) => faultOfMissing(context.missing) }),
    takeRestored: assign((_, { record, remainingMs, reason, next }: RestoredChange) => ({
      record,
      remainingMs,
      outcome: outcomeOf(next === 'keep', reason),
    })),
    setOutcome: assign({ outcome: (_, outcome: ChangeOutcome) => outcome }),
    endRecord: assign({
      record: ({ context }) =>
        context.record && { ...context.record, phase: 'ended' as const, outcome: context.outcome },
    }),
  },
  guards: {
    isNext: (_, { next, is }: { readonly next: RestoredChange['next']; readonly is: RestoredChange['next'] }) =>
      next === is,
    isOfThis: ({ context }, jobId: string) => context.record?.job_id === jobId,
  },
  delays: {
    retry: 5_000,
    /** The answer to the order is on its way by then. */
    answerTime: 500,
    limit: ({ context }) => context.remainingMs,
  },
}).createMachine({
  id: 'network',
  context: {
    ordered: null,
    record: null,
    remainingMs: 0,
    over: '',
    ask: null,
    outcome: null,
    missing: null,
    fault: null,
  },
  invoke: { id: 'watch', src: 'watch' },
  initial: 'restoring',
  on: {
    'network.seen': { actions: { type: 'see', params: ({ event }) => event.missing } },
    'network.change': {
      actions: { type: 'refuse', params: ({ context, event }) => refusalOfChange(context, event.ask) },
    },
    'network.confirm': { actions: { type: 'refuse', params: ({ event }) => nothingToConfirm(event.ask) } },
  },
  states: {
    restoring: {
      invoke: {
        id: 'restore',
        src: 'restore',
        onDone: [
          restored('wait', '#network.tried.in-force'),
          restored('keep', '#network.keeping'),
          restored('undo', '#network.undoing'),
          { target: 'idle', actions: TAKE_RESTORED },
        ],
        onError: { target: 'unknown', actions: SET_STUCK },
      },
    },
    /** What an earlier run left cannot be looked at now. */
    unknown: { after: { retry: { target: 'restoring', actions: 'clearStuck' } } },
    idle: {
      on: {
        'network.change': {
          target: 'checking',
          actions: assign(({ event: { change, over, ask } }) => ({ ordered: { change, over }, ask })),
        },
      },
    },
    checking: {
      invoke: {
        id: 'check',
        src: 'check',
        input: ({ context }) => context.ordered as OrderedChange,
        onDone: 'ordering',
        onError: { target: 'idle', actions: REPLY_FAILED },
      },
    },
    ordering: {
      invoke: {
        id: 'order',
        src: 'order',
        input: ({ context }) => context.ordered as OrderedChange,
        onDone: {
          target: 'answered',
          actions: [
            assign({
              record: ({ event }) => event.output,
              remainingMs: ({ event }) => (event.output.change.confirm_within_s ?? DEFAULT_CONFIRM_S) * MS,
              outcome: null,
            }),
            'replyDone',
            'forgetAsk',
          ],
        },
        onError: { target: 'idle', actions: REPLY_FAILED },
      },
    },
    /** The address under whoever ordered it stays for as long as the answer needs. */
    answered: {
      entry: show('ordered'),
      on: CANCELLABLE,
      after: { answerTime: 'tried' },
    },
    tried: {
      on: CANCELLABLE,
      after: { limit: { target: 'undoing', actions: setUndone(NOT_CONFIRMED) } },
      initial: 'applying',
      states: {
        applying: {
          entry: show('applying'),
          invoke: {
            id: 'apply',
            src: 'apply',
            input: ({ context }) => ({ record: context.record as ChangeRecord }),
            onDone: {
              target: 'in-force',
              actions: assign({
                record: ({ context, event }) =>
                  context.record && { ...context.record, phase: 'waiting' as const, checkpoint: event.output },
              }),
            },
            onError: { target: '#network.undoing', actions: setUndoneBy },
          },
        },
        'in-force': {
          invoke: {
            id: 'watchKeeper',
            src: 'watchKeeper',
            input: ({ context }) => ({ record: context.record as ChangeRecord }),
            onDone: {
              target: '#network.undoing',
              actions: { type: 'setOutcome', params: ({ event }) => outcomeOf(false, event.output) },
            },
            onError: { target: '#network.undoing', actions: setUndoneBy },
          },
          initial: 'waiting',
          states: {
            waiting: {
              entry: show('waiting'),
              on: {
                'network.confirm': {
                  target: 'judging',
                  actions: assign(({ event: { ask, over } }) => ({ ask, over })),
                },
              },
            },
            judging: {
              invoke: {
                id: 'judge',
                src: 'judge',
                input: ({ context }) => ({ record: context.record as ChangeRecord, over: context.over }),
                onDone: {
                  target: '#network.keeping',
                  actions: { type: 'setOutcome', params: outcomeOf(true, 'it was confirmed') },
                },
                onError: {
                  target: 'waiting',
                  actions: REPLY_FAILED,
                },
              },
            },
          },
        },
      },
    },
    keeping: {
      entry: show('keeping'),
      invoke: {
        id: 'keep',
        src: 'keep',
        input: ({ context }) => ({ record: context.record as ChangeRecord }),
        onDone: { target: 'idle', actions: ['endRecord', 'replyDone', 'forgetAsk', show('ended')] },
        onError: { target: 'undoing', actions: setUndoneBy },
      },
    },
    undoing: {
      entry: [show('undoing'), { type: 'replyFailed', params: ({ context }) => faultOfEnd(context) }, 'forgetAsk'],
      invoke: {
        id: 'undo',
        src: 'undo',
        input: ({ context }) => ({
          record: { ...(context.record as ChangeRecord), outcome: context.outcome },
        }),
        onDone: { target: 'idle', actions: ['clearStuck', 'endRecord', show('ended')] },
        onError: { target: 'stuck', actions: SET_STUCK },
      },
    },
    /** What gives the interface its addresses is not there, or refuses. */
    stuck: { after: { retry: 'undoing' } },
  },
})

/** Their bodies. */
export type NetworkActions = ActionBodies<typeof networkActions, typeof networkMachine>

declare module '../supervision/actors.ts' {
  interface Actors {
    readonly network: typeof networkMachine
  }
}
