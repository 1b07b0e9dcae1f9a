// Watching how the device does: each second while somebody needs to know, else only now and then whether its supply and
// its speed are well.
import { assign, setup } from 'xstate'
import { needed } from '../effects.ts'
import type { Fault } from '../errors/fault.ts'

/**
 * watchNeeds: tells whether anybody needs samples. sample: takes one each second. lookNowAndThen: looks at the supply
 * every ten seconds. The latter two tell what is wrong.
 */
const systemEffects = {
  watchNeeds: needed<never>('watchNeeds'),
  sample: needed<never>('sample'),
  lookNowAndThen: needed<never>('lookNowAndThen'),
}
export type SystemEffects = typeof systemEffects

export type SystemEvent =
  | { readonly type: 'metrics.needed' }
  | { readonly type: 'metrics.unneeded' }
  /** fault: what is wrong with the device now; null: nothing. */
  | { readonly type: 'condition.seen'; readonly fault: Fault | null }

interface Context {
  /** What a team must know of. */
  readonly fault: Fault | null
}

export const systemMachine = setup({
  types: { context: {} as Context, events: {} as SystemEvent },
  actors: systemEffects,
}).createMachine({
  id: 'system',
  context: { fault: null },
  invoke: { id: 'watchNeeds', src: 'watchNeeds' },
  on: { 'condition.seen': { actions: assign({ fault: ({ event }) => event.fault }) } },
  initial: 'quiet',
  states: {
    /** Nobody needs samples. */
    quiet: {
      invoke: { id: 'lookNowAndThen', src: 'lookNowAndThen' },
      on: { 'metrics.needed': 'sampling' },
    },
    sampling: {
      invoke: { id: 'sample', src: 'sample' },
      on: { 'metrics.unneeded': 'quiet' },
    },
  },
})

declare module '../supervision/actors.ts' {
  interface Actors {
    readonly system: typeof systemMachine
  }
}
