// A table of our own, of one stream, of localization or of the IMU: whether it can be published now.
import { assign, setup } from 'xstate'
import { type ActionBodies, needed, providedAction } from '../effects.ts'
import type { Fault } from '../errors/fault.ts'
import type { ExtcamEvent } from '../extcam/extcam-machine.ts'
import { type Nt4Standing, standingFault } from '../nt4/topic-conflicts.ts'
import { oneLine } from '../schema/one-line.ts'
import type { reconcilerMachine } from '../supervision/reconciler-machine.ts'
import { IMU_TABLE } from './imu-topics.ts'
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

/** What the table tells of. */
export type OwnTableInput =
  | { readonly of: 'stream'; readonly streamId: string }
  | { readonly of: 'localization' }
  | { readonly of: 'imu' }

const OF_LOCALIZATION = {
  resource: 'localization',
  table: `${OWN_ROOT}/${LOCALIZATION_TABLE}`,
  remedy: oneLine`
    have one of the two devices solve for both, with the cameras of the other as streams of peers, and switch
    localization off on the other`,
} as const

const OF_IMU = {
  resource: 'imu',
  table: IMU_TABLE,
  remedy: oneLine`
    switch the IMU off on one of the two devices (PATCH /v1/device/imu), or the tables of its own name
    (publish_own_table, POST /v1/device/nt4)`,
} as const

const ofStream = (streamId: string) => ({
  resource: `streams/${streamId}`,
  table: `${OWN_ROOT}/${streamId}`,
  remedy: 'have the stream under another id on one of the two devices',
})

const tableOf = (owner: OwnTableInput) => {
  if (owner.of === 'stream') return ofStream(owner.streamId)
  return owner.of === 'imu' ? OF_IMU : OF_LOCALIZATION
}

const contest = (owner: OwnTableInput, standing: Nt4Standing): Fault | null => {
  const { resource, ...table } = tableOf(owner)
  const fault = standingFault(standing, table)
  return fault && { ...fault, resource }
}

/** The actions that the actor provides. */
const ownTableActions = {
  /** Enters the fault in the error history. */
  record: providedAction(),
}

export const ownTableMachine = setup({
  types: {
    input: {} as OwnTableInput,
    /** fault: the conflict with another publisher of the table; null: there is none. */
    context: {} as { readonly owner: OwnTableInput; readonly fault: Fault | null },
    events: {} as OwnTableEvent,
  },
  actors: ownTableEffects,
  actions: {
    ...ownTableActions,
    setContest: assign({
      fault: ({ context: { owner }, event }) =>
        event.type === 'table.contested' ? contest(owner, event.standing) : null,
    }),
    clearFault: assign({ fault: null }),
  },
}).createMachine({
  id: 'own-table',
  context: ({ input }) => ({ owner: input, fault: null }),
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
