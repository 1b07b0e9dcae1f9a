// Keeps what runs in step with what is wanted: one pass at a time, another one after each change and each request, and
// every 15 s while something could not be done.
import { assign, emit, setup } from 'xstate'
import { needed } from '../effects.ts'
import { type Fault, faultOf, type Reply } from '../errors/fault.ts'

/** One pass over everything. restart: ids of the children that get a new incarnation whatever they are doing. */
export interface Pass {
  readonly restart: readonly string[]
}

/**
 * watchWanted: tells of each change of what is wanted. runPass: answers with the faults of what could not be done, each
 * with its resource.
 */
const reconcilerEffects = {
  watchWanted: needed<never>('watchWanted'),
  runPass: needed<readonly Fault[], Pass>('runPass'),
}
export type ReconcilerEffects = typeof reconcilerEffects

export type ReconcilerEvent =
  | { readonly type: 'wanted.changed' }
  /** id: of the child, as `streams/front`. Answered at once; the child may still be ending then. */
  | { readonly type: 'child.restart'; readonly ask: number; readonly id: string }

const RETRY_EVERY_MS = 15_000 // as for a child that has failed: a match lasts three minutes

export const reconcilerMachine = setup({
  types: {
    context: {} as {
      /** What the next pass restarts, and what the present one does. */
      readonly requested: readonly string[]
      readonly restarting: readonly string[]
      /** Something changed during the present pass. */
      readonly isStale: boolean
      /** The first fault of the latest pass. */
      readonly fault: Fault | null
    },
    events: {} as ReconcilerEvent,
    emitted: {} as Reply,
  },
  actors: reconcilerEffects,
  actions: {
    request: assign({
      requested: ({ context, event }) =>
        event.type === 'child.restart' ? [...new Set([...context.requested, event.id])] : context.requested,
    }),
    replyDone: emit(({ event }) => ({ type: 'reply', ask: 'ask' in event ? event.ask : 0, outcome: 'done' })),
  },
  guards: {
    isStale: ({ context }) => context.isStale || context.requested.length > 0,
    isInStep: ({ context }) => context.fault === null,
  },
  delays: { retryEvery: RETRY_EVERY_MS },
}).createMachine({
  id: 'reconciler',
  context: { requested: [], restarting: [], isStale: false, fault: null },
  invoke: { id: 'watchWanted', src: 'watchWanted' },
  initial: 'reconciling',
  on: {
    'wanted.changed': '.reconciling',
    'child.restart': { target: '.reconciling', actions: ['request', 'replyDone'] },
  },
  states: {
    reconciling: {
      entry: assign({ requested: [], restarting: ({ context }) => context.requested, isStale: false }),
      invoke: {
        id: 'runPass',
        src: 'runPass',
        input: ({ context }) => ({ restart: context.restarting }),
        onDone: { target: 'settled', actions: assign({ fault: ({ event }) => event.output?.[0] ?? null }) },
        onError: { target: 'settled', actions: assign({ fault: ({ event }) => faultOf(event.error) }) },
      },
      on: {
        'wanted.changed': { actions: assign({ isStale: true }) },
        'child.restart': { actions: ['request', 'replyDone'] },
      },
    },
    /** A pass is over. */
    settled: {
      always: [
        { guard: 'isStale', target: 'reconciling' },
        { guard: 'isInStep', target: 'in-step' },
        { target: 'incomplete' },
      ],
    },
    'in-step': {},
    incomplete: { after: { retryEvery: 'reconciling' } },
  },
})
