// The program of one plugin: started, ready, gone and started again, and given up when that does not help.
import { assign, setup } from 'xstate'
import { type ActionBodies, needed, providedAction } from '../effects.ts'
import { type Fault, faultOf } from '../errors/fault.ts'

/** runProgram: starts it, tells `program.ready`, fails when it has ended; ended when nobody wants it any more. */
const pluginEffects = { runProgram: needed<never>('runProgram') }
export type PluginEffects = typeof pluginEffects

/** The actions that the actor provides. */
const pluginActions = {
  /** Enters the fault in the error history. */
  record: providedAction(),
}

export type PluginEvent =
  /** It says that it has started. */
  { readonly type: 'program.ready' }

interface Context {
  /** In a row, without a good run between. It stops at the most that matter. */
  readonly crashes: number
  /** Of the latest crash; null since it came up again. */
  readonly fault: Fault | null
}

/** So often a program is started again; then it is given up, as one that is broken takes from others for ever. */
export const MAX_PLUGIN_CRASHES = 5
export const READY_LIMIT_MS = 30_000 // it has only what others leave: on a busy device a start takes its time
const GOOD_RUN_MS = 30_000 // one that lives for so long has done something between two crashes
const FIRST_PAUSE_MS = 500

const notReady: Fault = {
  code: 'plugin.failed',
  detail: `It did not say that it is ready within ${READY_LIMIT_MS / 1000} s.`,
}

export const pluginMachine = setup({
  types: { context: {} as Context, events: {} as PluginEvent },
  actors: pluginEffects,
  guards: { hasCrashedTooOften: ({ context }) => context.crashes >= MAX_PLUGIN_CRASHES },
  actions: {
    ...pluginActions,
    noteCrash: assign(({ context, event }) => ({
      crashes: Math.min(context.crashes + 1, MAX_PLUGIN_CRASHES),
      fault: 'error' in event ? faultOf(event.error) : notReady,
    })),
    forgetFault: assign({ fault: null }),
    forgetCrashes: assign({ crashes: 0 }),
  },
  delays: {
    pause: ({ context }) => FIRST_PAUSE_MS * 2 ** Math.max(0, context.crashes - 1),
    goodRun: GOOD_RUN_MS,
    readyLimit: READY_LIMIT_MS,
  },
}).createMachine({
  id: 'plugin',
  context: { crashes: 0, fault: null },
  initial: 'up',
  states: {
    up: {
      invoke: { id: 'runProgram', src: 'runProgram', onError: { target: 'crashed', actions: ['noteCrash', 'record'] } },
      initial: 'starting',
      states: {
        starting: {
          on: { 'program.ready': { target: 'running', actions: 'forgetFault' } },
          after: { readyLimit: { target: '#plugin.crashed', actions: ['noteCrash', 'record'] } },
        },
        running: { after: { goodRun: { actions: 'forgetCrashes' } } },
      },
    },
    crashed: { always: [{ guard: 'hasCrashedTooOften', target: 'givenUp' }, { target: 'waiting' }] },
    waiting: { after: { pause: 'up' } },
    /** One that is wanted again is another child. */
    givenUp: { type: 'final' },
  },
})

/** How people are told where it stands. */
export const pluginStateName = (snapshot: {
  readonly value: unknown
}): 'starting' | 'running' | 'waiting' | 'given-up' => {
  const { value } = snapshot
  if (typeof value === 'object') return (value as { readonly up: 'starting' | 'running' }).up
  return value === 'givenUp' ? 'given-up' : 'waiting'
}

export type PluginActions = ActionBodies<typeof pluginActions, typeof pluginMachine>
