// One stream's own table: whether it can be published now.
import { assign, setup } from 'xstate'
import { type ActionBodies, needed, providedAction } from '../effects.ts'
import type { Fault } from '../errors/fault.ts'
import type { ExtcamEvent } from '../extcam/extcam-machine.ts'
import { type Nt4Standing, standingFault } from '../nt4/topic-conflicts.ts'
import type { reconcilerMachine } from '../supervision/reconciler-machine.ts'
import { OWN_ROOT } from './topics.ts'

/**
 * watchLink: reports the link to the robot coming and going. publishTable: publishes the table for as long as its state
 * lasts.
 */
const ownTableEffects = {
  watchLink: needed<never>('watchLink'),
  publishTable: needed<never>('publishTable'),
}
export type OwnTableEffects = typeof ownTableEffects

/** What the table's actor is told; as of the vendor's table (machines/extcam/extcam-machine.ts). */
export type OwnTableEvent = ExtcamEvent

/** Whose table it is. */
export interface OwnTableInput {
  readonly streamId: string
}

const contest = (streamId: string, standing: Nt4Standing): Fault | null => {
  const remedy = 'have the stream under another id on one of the two devices'
  const fault = standingFault(standing, { table: `${OWN_ROOT}/${streamId}`, remedy })
  return fault && { ...fault, resource: `streams/${streamId}` }
}

/** The actions that the actor provides. */
const ownTableActions = {
  /** Enters the fault in the error history. */
  record: providedAction(),
}

export const ownTableMachine = setup({
  types: {
    input: {} as OwnTableInput,
    /** fault: who else publishes the table. */
    context: {} as { readonly streamId: string; readonly fault: Fault | null },
    events: {} as OwnTableEvent,
  },
  actors: ownTableEffects,
  actions: {
    ...ownTableActions,
    setContest: assign({
      fault: ({ context: { streamId }, event }) =>
        event.type === 'table.contested' ? contest(streamId, event.standing) : null,
    }),
    clearFault: assign({ fault: null }),
  },
}).createMachine({
  id: 'own-table',
  context: ({ input: { streamId } }) => ({ streamId, fault: null }),
  invoke: { id: 'watchLink', src: 'watchLink' },
  initial: 'waiting',
  states: {
    waiting: { on: { 'link.up': 'publishing' } },
    publishing: {
      invoke: { id: 'publishTable', src: 'publishTable' },
      entry: 'clearFault',
      on: {
        'link.up': { target: 'publishing', reenter: true },
        'link.down': { target: 'waiting', actions: 'clearFault' },
        'table.contested': { actions: ['setContest', 'record'] },
      },
    },
  },
})

/** Their bodies. */
export type OwnTableActions = ActionBodies<typeof ownTableActions, typeof ownTableMachine>

declare module '../supervision/actors.ts' {
  interface Actors {
    readonly 'own-table': typeof reconcilerMachine
  }
}
