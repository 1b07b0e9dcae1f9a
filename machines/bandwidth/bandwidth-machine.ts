// The sharing of the bandwidth among viewers over the network: nothing wakes the device for it while there are none.
import { setup } from 'xstate'
import { needed } from '../effects.ts'

/**
 * watchViewers: tells whether anybody watches over the network. share: gives every preview its part, again and again.
 */
const bandwidthEffects = {
  watchViewers: needed<never>('watchViewers'),
  share: needed<never>('share'),
}
export type BandwidthEffects = typeof bandwidthEffects

export type BandwidthEvent = { readonly type: 'viewers.came' } | { readonly type: 'viewers.left' }

export const bandwidthMachine = setup({
  types: { events: {} as BandwidthEvent },
  actors: bandwidthEffects,
}).createMachine({
  id: 'bandwidth',
  invoke: { id: 'watchViewers', src: 'watchViewers' },
  initial: 'unused',
  states: {
    /** Nobody watches over the network. */
    unused: { on: { 'viewers.came': 'sharing' } },
    sharing: {
      invoke: { id: 'share', src: 'share' },
      on: { 'viewers.left': 'unused' },
    },
  },
})

declare module '../supervision/actors.ts' {
  interface Actors {
    readonly bandwidth: typeof bandwidthMachine
  }
}
