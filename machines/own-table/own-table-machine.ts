// A table of our own, of one stream or of localization: whether it can be published now.
import { assign, setup } from 'xstate'
import { type ActionBodies, needed, providedAction } from '../effects.ts'
import type { Fault } from '../errors/fault.ts'
import type { ExtcamEvent } from '../extcam/extcam-machine.ts'
import { type Nt4Standing, standingFault } from '../nt4/topic-conflicts.ts'
import { oneLine } from '../schema/one-line.ts'
import type { reconcilerMachine } from '../supervision/reconciler-machine.ts'
import { LOCALIZATION_TABLE, OWN_ROOT } from './topics.ts'

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
  /** null: that of localization. */
  readonly streamId: string | null
}

const OF_LOCALIZATION = {
  table: `${OWN_ROOT}/${LOCALIZATION_TABLE}`,
  remedy: oneLine`
    have one of the two devices solve for both, with the cameras of the other as streams of peers, and switch
    localization off on the other`,
} as const

const ofStream = (streamId: string) => ({
  table: `${OWN_ROOT}/${streamId}`,
  remedy: 'have the stream under another id on one of the two devices',
})

const contest = (streamId: string | null, standing: Nt4Standing): Fault | null => {
  const fault = standingFault(standing, streamId === null ? OF_LOCALIZATION : ofStream(streamId))
  return fault && { ...fault, resource: streamId === null ? LOCALIZATION_TABLE : `streams/${streamId}` }
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
    context: {} as { readonly streamId: string | null; readonly fault: Fault | null },
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
