// Keeps the error history on disk: a new fault at once, counts at most once a second. It is never itself the reason of
// a failure: when the disk refuses, the history in memory goes on and is saved with the next change.
import { assign, emit, setup } from 'xstate'
import { type ActionBodies, needed, providedAction } from '../effects.ts'
import { type Fault, faultOf, type Reply } from './fault.ts'

/**
 * The effects. loadErrors: puts the kept entries into the store. watchErrors: tells of each change of the store.
 * saveErrors, clearErrors: to disk.
 */
const errorKeeperEffects = {
  loadErrors: needed<void>('loadErrors'),
  watchErrors: needed<never>('watchErrors'),
  saveErrors: needed<void>('saveErrors'),
  clearErrors: needed<void>('clearErrors'),
}
export type ErrorKeeperEffects = typeof errorKeeperEffects

export type ErrorKeeperEvent =
  /** A fault that was not in the history before. */
  | { readonly type: 'errors.grew' }
  /** One that was came again. */
  | { readonly type: 'errors.counted' }
  | { readonly type: 'errors.clear'; readonly ask: number }

const SAVE_EVERY_MS = 1_000 // flash memory wears; a count that is a second old is good enough

/** The actions that the actor provides. */
const errorKeeperActions = {
  /** Empties the store and publishes that. */
  forgetErrors: providedAction(),
}

export const errorKeeperMachine = setup({
  types: {
    context: {} as { readonly ask: number },
    events: {} as ErrorKeeperEvent,
    emitted: {} as Reply,
  },
  actors: errorKeeperEffects,
  actions: {
    ...errorKeeperActions,
    replyDone: emit(({ context }) => ({ type: 'reply', ask: context.ask, outcome: 'done' }) as const),
    replyFailed: emit(
      ({ context }, fault: Fault) => ({ type: 'reply', ask: context.ask, outcome: 'failed', fault }) as const,
    ),
  },
  delays: { saveEvery: SAVE_EVERY_MS },
}).createMachine({
  id: 'error-keeper',
  context: { ask: 0 },
  invoke: { id: 'watchErrors', src: 'watchErrors' },
  initial: 'loading',
  states: {
    /** What is recorded meanwhile is in memory and saved next. */
    loading: { invoke: { id: 'loadErrors', src: 'loadErrors', onDone: 'open.saving', onError: 'open.saving' } },
    open: {
      initial: 'saved',
      on: {
        'errors.clear': { target: 'clearing', actions: assign({ ask: ({ event }) => event.ask }) },
        'errors.grew': '.saving',
      },
      states: {
        saved: { on: { 'errors.counted': 'saving' } },
        saving: {
          on: { 'errors.grew': { target: 'saving', reenter: true }, 'errors.counted': 'due' },
          invoke: { id: 'saveErrors', src: 'saveErrors', onDone: 'resting', onError: 'resting' },
        },
        /** Saved within the last second. */
        resting: { on: { 'errors.counted': 'due' }, after: { saveEvery: 'saved' } },
        /** There are counts to be saved when the second is over. */
        due: { after: { saveEvery: 'saving' } },
      },
    },
    clearing: {
      invoke: {
        id: 'clearErrors',
        src: 'clearErrors',
        onDone: { target: 'open.resting', actions: ['forgetErrors', 'replyDone'] },
        onError: {
          target: 'open.due',
          actions: { type: 'replyFailed', params: ({ event }) => faultOf(event.error) },
        },
      },
    },
  },
})

/** Their bodies. */
export type ErrorKeeperActions = ActionBodies<typeof errorKeeperActions, typeof errorKeeperMachine>

declare module '../supervision/actors.ts' {
  interface Actors {
    readonly errors: typeof errorKeeperMachine
  }
}
