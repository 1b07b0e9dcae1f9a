// The resource guard: it looks as long as a stream runs and it is not switched off, and cuts nothing otherwise.
import { assign, emit, setup } from 'xstate'
import { type ActionBodies, needed, providedAction } from '../effects.ts'
import type { Reply } from '../errors/fault.ts'

const guardEffects = {
  /** Tells of the settings and of whether a stream runs. */
  watchStreams: needed<never>('watchStreams'),
  /** Looks each second and tells the streams what they get; gives everything back when it ends. */
  guardStreams: needed<never>('guardStreams'),
}
export type GuardEffects = typeof guardEffects

export type GuardEvent =
  | { readonly type: 'settings.changed'; readonly isEnabled: boolean }
  | { readonly type: 'streams.changed'; readonly isAnyRunning: boolean }
  | { readonly type: 'streams.limited' }
  | { readonly type: 'streams.full' }
  /** The device has not told how it does for a while. */
  | { readonly type: 'figures.old' }
  | { readonly type: 'figures.came' }
  /** Give that stream back what it wants, and leave it alone for a while. */
  | { readonly type: 'guard.restore'; readonly ask: number; readonly stream_id: string }

/** The actions that the actor provides. */
const guardActions = {
  /** Params: the stream. */
  restoreStream: providedAction<string>(),
}

interface Context {
  readonly isAnyRunning: boolean
}

/** Its states below `on` are those of GuardStateName. */
export const guardMachine = setup({
  types: { context: {} as Context, events: {} as GuardEvent, emitted: {} as Reply },
  actors: guardEffects,
  actions: {
    ...guardActions,
    noteStreams: assign({
      isAnyRunning: ({ context, event }) =>
        event.type === 'streams.changed' ? event.isAnyRunning : context.isAnyRunning,
    }),
    replyDone: emit(({ event }) => ({ type: 'reply', ask: 'ask' in event ? event.ask : 0, outcome: 'done' }) as const),
  },
  guards: {
    isToBeOn: ({ event }) => event.type === 'settings.changed' && event.isEnabled,
    streamsRun: ({ context }) => context.isAnyRunning,
    noneRunsAnyMore: ({ event }) => event.type === 'streams.changed' && !event.isAnyRunning,
  },
}).createMachine({
  id: 'guard',
  context: { isAnyRunning: false },
  invoke: { id: 'watchStreams', src: 'watchStreams' },
  on: {
    'streams.changed': { actions: 'noteStreams' },
    // where nothing is cut there is nothing to be restored
    'guard.restore': { actions: 'replyDone' },
  },
  initial: 'off',
  states: {
    off: { on: { 'settings.changed': { guard: 'isToBeOn', target: 'on' } } },
    on: {
      on: { 'settings.changed': [{ guard: 'isToBeOn' }, { target: 'off' }] },
      initial: 'asleep',
      states: {
        /** No stream is to run. */
        asleep: { always: { guard: 'streamsRun', target: 'awake' } },
        awake: {
          invoke: { id: 'guardStreams', src: 'guardStreams' },
          on: {
            'streams.changed': [
              { guard: 'noneRunsAnyMore', target: 'asleep', actions: 'noteStreams' },
              { actions: 'noteStreams' },
            ],
            'guard.restore': {
              actions: [{ type: 'restoreStream', params: ({ event }) => event.stream_id }, 'replyDone'],
            },
            'figures.old': '.blind',
          },
          initial: 'watching',
          states: {
            /** All have what they want. */
            watching: { on: { 'streams.limited': 'limiting' } },
            limiting: { on: { 'streams.full': 'watching' } },
            /** What is not known cannot be guarded: all have what they want. */
            blind: { on: { 'figures.came': 'watching' } },
          },
        },
      },
    },
  },
})

/** Their bodies. */
export type GuardActions = ActionBodies<typeof guardActions, typeof guardMachine>

declare module '../supervision/actors.ts' {
  interface Actors {
    readonly guard: typeof guardMachine
  }
}
