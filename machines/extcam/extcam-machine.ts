// One stream's appearance as the vendor's camera: whether its table can be published now.
import { assign, setup } from 'xstate'
import { type ActionBodies, needed, providedAction } from '../effects.ts'
import { type Fault, isFault } from '../errors/fault.ts'
import { type Nt4Standing, standingFault } from '../nt4/topic-conflicts.ts'
import type { reconcilerMachine } from '../supervision/reconciler-machine.ts'
import type { TableClaim } from './table.ts'

/**
 * watchLink: reports the link to the robot coming and going. publishTable: publishes the table for as long as its state
 * lasts. readWrites: reads what the robot writes, as long as that. carryOutWrites: does what of it takes more than a
 * moment, whatever becomes of the link meanwhile.
 */
const extcamEffects = {
  watchLink: needed<never>('watchLink'),
  publishTable: needed<never, { readonly table: string }>('publishTable'),
  readWrites: needed<never, { readonly table: string }>('readWrites'),
  carryOutWrites: needed<never>('carryOutWrites'),
}
export type ExtcamEffects = typeof extcamEffects

/**
 * What an adapter is told. link.up: a session is ready, the first or another one in the place of one that was lost.
 * table.contested: the other publishers of the same table, once they have changed.
 */
export type ExtcamEvent =
  | { readonly type: 'link.up' }
  | { readonly type: 'link.down' }
  | { readonly type: 'table.contested'; readonly standing: Nt4Standing }

/** Which stream, and the table it was given or refused. */
export interface ExtcamInput {
  readonly streamId: string
  readonly claim: TableClaim
}

const contest = (streamId: string, table: string, standing: Nt4Standing): Fault | null => {
  const remedy = `give one of the two another table (extcam.table of the stream ${streamId})`
  const fault = standingFault(standing, { table: `/${table}`, remedy })
  return fault && { ...fault, resource: `streams/${streamId}` }
}

/** The actions that the actor provides. */
const extcamActions = {
  /** Enters the fault in the error history. */
  record: providedAction(),
}

export const extcamMachine = setup({
  types: {
    input: {} as ExtcamInput,
    context: {} as {
      readonly streamId: string
      /** null: it was refused one. */
      readonly table: string | null
      /** Why nothing is published, when the link is not the reason. */
      readonly fault: Fault | null
    },
    events: {} as ExtcamEvent,
  },
  actors: extcamEffects,
  guards: { hasTable: ({ context }) => context.table !== null },
  actions: {
    ...extcamActions,
    setFault: assign({ fault: ({ event }) => ('error' in event && isFault(event.error) ? event.error : null) }),
    setContest: assign({
      fault: ({ context: { streamId, table }, event }) =>
        event.type === 'table.contested' && table !== null ? contest(streamId, table, event.standing) : null,
    }),
  },
}).createMachine({
  id: 'extcam',
  context: ({ input: { streamId, claim } }) => ({
    streamId,
    table: 'table' in claim ? claim.table : null,
    fault:
      'parked' in claim ? { code: 'extcam.table_taken', detail: claim.parked, resource: `streams/${streamId}` } : null,
  }),
  invoke: [
    { id: 'watchLink', src: 'watchLink' },
    { id: 'carryOutWrites', src: 'carryOutWrites' },
  ],
  initial: 'choosing',
  states: {
    choosing: { always: [{ guard: 'hasTable', target: 'waiting' }, { target: 'parked' }] },
    waiting: { on: { 'link.up': 'publishing' } },
    publishing: {
      entry: assign({ fault: null }),
      invoke: [
        {
          id: 'publishTable',
          src: 'publishTable',
          input: ({ context }) => ({ table: context.table as string }), // only `hasTable` leads here
          onError: { target: 'waiting', actions: 'setFault' },
        },
        {
          id: 'readWrites',
          src: 'readWrites',
          input: ({ context }) => ({ table: context.table as string }),
          onError: { target: 'waiting', actions: 'setFault' },
        },
      ],
      on: {
        'link.up': { target: 'publishing', reenter: true },
        'link.down': { target: 'waiting', actions: assign({ fault: null }) },
        'table.contested': { actions: ['setContest', 'record'] },
      },
    },
    parked: { entry: 'record' },
  },
})

/** Their bodies. */
export type ExtcamActions = ActionBodies<typeof extcamActions, typeof extcamMachine>

declare module '../supervision/actors.ts' {
  interface Actors {
    readonly extcam: typeof reconcilerMachine
  }
}
