// One stream's own table: whether it can be published now.
import { setup } from 'xstate'
import { needed } from '../effects.ts'
import type { reconcilerMachine } from '../supervision/reconciler-machine.ts'

/** watchLink: reports the link to the robot coming and going. publishTable: publishes the table for as long as its state lasts. */
const ownTableEffects = {
  watchLink: needed<never>('watchLink'),
  publishTable: needed<never>('publishTable'),
}
export type OwnTableEffects = typeof ownTableEffects

/** What the table's actor is told. link.up: a session is ready, the first or another one in the place of one that was lost. */
export type OwnTableEvent = { readonly type: 'link.up' } | { readonly type: 'link.down' }

export const ownTableMachine = setup({
  types: { events: {} as OwnTableEvent },
  actors: ownTableEffects,
}).createMachine({
  id: 'own-table',
  invoke: { id: 'watchLink', src: 'watchLink' },
  initial: 'waiting',
  states: {
    waiting: { on: { 'link.up': 'publishing' } },
    publishing: {
      invoke: { id: 'publishTable', src: 'publishTable' },
      on: { 'link.up': { target: 'publishing', reenter: true }, 'link.down': 'waiting' },
    },
  },
})

declare module '../supervision/actors.ts' {
  interface Actors {
    readonly 'own-table': typeof reconcilerMachine
  }
}
