// One console session: its program is started once, somebody is attached or nobody is, and however it ends, its program
// and all that it started are gone before that is told.
import { assign, setup } from 'xstate'
import { type ActionBodies, needed, providedAction } from '../effects.ts'
import { faultOf } from '../errors/fault.ts'
import type { ConsoleEnding, ConsoleState, ProgramExit } from './session.ts'

/**
 * The effects. runProgram: runs the program until it ends by itself; leaving it ends the program with all that it
 * started. waitUntilGone: done when nothing of it is left.
 */
export const consoleSessionEffects = {
  runProgram: needed<ProgramExit>('runProgram'),
  waitUntilGone: needed<void>('waitUntilGone'),
}
export type ConsoleSessionEffects = typeof consoleSessionEffects

export type ConsoleSessionEvent =
  | { readonly type: 'program.started' }
  | { readonly type: 'console.attached' }
  | { readonly type: 'console.detached' }
  /** Told once in a while, not for each key. */
  | { readonly type: 'console.typed' }
  | { readonly type: 'session.end' }

const START_LIMIT_MS = 10_000 // a loaded device takes two seconds
const DETACHED_LIMIT_MS = 15 * 60_000 // a robot that was switched to another network is back by then
const IDLE_LIMIT_MS = 60 * 60_000 // a shell that was left open on a desk in the pit

/** The actions that the actor provides. */
const consoleSessionActions = {
  showState: providedAction<ConsoleState>(),
  showEnd: providedAction<ConsoleEnding>(),
}

export const consoleSessionMachine = setup({
  types: {
    context: {} as { readonly isAttached: boolean; readonly ending: ConsoleEnding },
    events: {} as ConsoleSessionEvent,
  },
  actors: consoleSessionEffects,
  actions: {
    ...consoleSessionActions,
    noteAttached: assign({ isAttached: true }),
    noteDetached: assign({ isAttached: false }),
    noteEnding: assign((_, ending: ConsoleEnding) => ({ ending })),
  },
  guards: { isAttached: ({ context }) => context.isAttached },
  delays: { startLimit: START_LIMIT_MS, detachedLimit: DETACHED_LIMIT_MS, idleLimit: IDLE_LIMIT_MS },
}).createMachine({
  id: 'console-session',
  context: { isAttached: false, ending: { reason: 'stopped' } },
  initial: 'alive',
  on: {
    'console.attached': { actions: 'noteAttached' },
    'console.detached': { actions: 'noteDetached' },
  },
  states: {
    alive: {
      invoke: {
        id: 'runProgram',
        src: 'runProgram',
        onDone: {
          target: 'ended',
          actions: {
            type: 'noteEnding',
            params: ({ event }) => ({ reason: 'exited', ...(event.output as ProgramExit) }),
          },
        },
        onError: {
          target: 'ended',
          actions: {
            type: 'noteEnding',
            params: ({ event }) => ({ reason: 'failed', detail: faultOf(event.error).detail }),
          },
        },
      },
      on: { 'session.end': { target: 'ending', actions: { type: 'noteEnding', params: { reason: 'deleted' } } } },
      initial: 'starting',
      states: {
        starting: {
          on: { 'program.started': 'detached' },
          after: {
            startLimit: {
              target: '#console-session.ending',
              actions: {
                type: 'noteEnding',
                params: { reason: 'failed', detail: `its program did not start in ${START_LIMIT_MS / 1000} s` },
              },
            },
          },
        },
        detached: {
          entry: { type: 'showState', params: 'detached' },
          always: { guard: 'isAttached', target: 'open' },
          on: { 'console.attached': { target: 'open', actions: 'noteAttached' } },
          after: {
            detachedLimit: {
              target: '#console-session.ending',
              actions: { type: 'noteEnding', params: { reason: 'abandoned' } },
            },
          },
        },
        open: {
          entry: { type: 'showState', params: 'open' },
          on: {
            'console.detached': { target: 'detached', actions: 'noteDetached' },
            'console.typed': { target: 'open', reenter: true },
          },
          after: {
            idleLimit: {
              target: '#console-session.ending',
              actions: { type: 'noteEnding', params: { reason: 'idle' } },
            },
          },
        },
      },
    },
    ending: {
      entry: { type: 'showState', params: 'ending' },
      invoke: { id: 'waitUntilGone', src: 'waitUntilGone', onDone: 'ended', onError: 'ended' },
    },
    ended: { entry: { type: 'showEnd', params: ({ context }) => context.ending }, type: 'final' },
  },
})

/** Their bodies. */
export type ConsoleSessionActions = ActionBodies<typeof consoleSessionActions, typeof consoleSessionMachine>
