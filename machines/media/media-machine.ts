// The one who keeps the media: puts them in order at the start, carries out what is ordered, one after the other, and watches the room while something
// is being written. Writing itself does not pass here.
import { assign, emit, setup } from 'xstate'
import { needed } from '../effects.ts'
import { type Fault, faultOf, type Reply } from '../errors/fault.ts'
import { COMING_UP } from '../supervision/child.ts'
import { busyReply, doneReply, failedReply, firstOf, tooManyWait } from '../supervision/order-queue.ts'
import type { MediaChange } from './orders.ts'

/** What an order answers with: the revision that the item has then, or would have. */
export interface MediaDone {
  readonly name: string
  readonly revision: number
}

export type MediaOrder = Exclude<MediaChange, { readonly type: 'media.attach' }> & { readonly ask: number }

export type MediaEvent =
  | MediaOrder
  /** fault: there is none; null: there is some again. */
  | { readonly type: 'room.changed'; readonly fault: Fault | null }

/** reconcile: makes files and index fit. watchRoom: tells of a lack of room. carryOut: changes or removes an item. */
export const mediaEffects = {
  reconcile: needed<void>('reconcile'),
  watchRoom: needed<never>('watchRoom'),
  carryOut: needed<MediaDone, MediaOrder>('carryOut'),
}
export type MediaEffects = typeof mediaEffects

const RETRY_EVERY_MS = 15_000 // as for everything that failed
interface Context {
  readonly waiting: readonly MediaOrder[]
  readonly fault: Fault | null
}

export const mediaMachine = setup({
  types: { context: {} as Context, events: {} as MediaEvent, emitted: {} as Reply<MediaDone> },
  actors: mediaEffects,
  actions: {
    replyDone: emit(({ context }, value: MediaDone) => doneReply(context, value)),
    replyFailed: emit(({ context }, fault: Fault) => failedReply(context, fault)),
    refuse: emit((_, ask: number) => busyReply(ask)),
    dropFirst: assign({ waiting: ({ context }) => context.waiting.slice(1) }),
  },
  guards: {
    tooManyWait: ({ context }) => tooManyWait(context),
    somebodyWaits: ({ context }) => context.waiting.length > 0,
  },
  delays: { retryEvery: RETRY_EVERY_MS },
}).createMachine({
  id: 'media',
  context: { waiting: [], fault: null },
  initial: 'reconciling',
  states: {
    reconciling: {
      tags: COMING_UP,
      invoke: {
        id: 'reconcile',
        src: 'reconcile',
        onDone: { target: 'ready', actions: assign({ fault: null }) },
        onError: { target: 'unreadable', actions: assign({ fault: ({ event }) => faultOf(event.error) }) },
      },
    },
    /** The folder or the index cannot be read. */
    unreadable: { tags: COMING_UP, after: { retryEvery: 'reconciling' } },
    ready: {
      invoke: { id: 'watchRoom', src: 'watchRoom' },
      on: {
        'media.*': [
          { guard: 'tooManyWait', actions: { type: 'refuse', params: ({ event }) => event.ask } },
          { actions: assign({ waiting: ({ context, event }) => [...context.waiting, event] }) },
        ],
        'room.changed': { actions: assign({ fault: ({ event }) => event.fault }) },
      },
      initial: 'idle',
      states: {
        idle: { always: { guard: 'somebodyWaits', target: 'ordering' } },
        /** The first of those that wait is being carried out. */
        ordering: {
          invoke: {
            id: 'carryOut',
            src: 'carryOut',
            input: ({ context }) => firstOf(context),
            onDone: {
              target: 'idle',
              actions: [{ type: 'replyDone', params: ({ event }) => event.output }, 'dropFirst'],
            },
            onError: {
              target: 'idle',
              actions: [{ type: 'replyFailed', params: ({ event }) => faultOf(event.error) }, 'dropFirst'],
            },
          },
        },
      },
    },
  },
})

declare module '../supervision/actors.ts' {
  interface Actors {
    readonly media: typeof mediaMachine
  }
}
