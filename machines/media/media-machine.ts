// The keeper of the media: puts them in order at the start, carries out what is ordered, one after the other, and
// watches the room while something is being written. Writing itself does not pass here.
import { assign, emit, setup } from 'xstate'
import { needed } from '../effects.ts'
import { type Fault, faultOf, type Reply } from '../errors/fault.ts'
import type { CarriedOut } from '../requests/carried-out.ts'
import type { LeftBehind } from '../requests/request.ts'
import { COMING_UP } from '../supervision/child.ts'
import {
  busyReply,
  carriedWithFirst,
  carryOutStates,
  doneReply,
  failedReply,
  isRepeat,
  repeatedReply,
  tooManyWait,
} from '../supervision/order-queue.ts'
import type { MediaChange } from './orders.ts'

export type MediaOrder = Exclude<MediaChange, { readonly type: 'media.attach' }> & { readonly ask: number }

export type MediaEvent =
  | MediaOrder
  /** fault: there is none; null: there is some again. */
  | { readonly type: 'space.changed'; readonly fault: Fault | null }

/**
 * reconcile: makes files and index fit. watchSpace: tells of a lack of disk space. carryOut: changes or removes an
 * item; answers with the revision that it has then, or would have.
 */
export const mediaEffects = {
  reconcile: needed<void>('reconcile'),
  watchSpace: needed<never>('watchSpace'),
  carryOut: needed<LeftBehind, MediaOrder>('carryOut'),
}
export type MediaEffects = typeof mediaEffects

const RETRY_EVERY_MS = 15_000 // as for everything that failed
interface Context {
  readonly waiting: readonly MediaOrder[]
  readonly carried: readonly CarriedOut<LeftBehind>[]
  readonly fault: Fault | null
}

const media = setup({
  types: { context: {} as Context, events: {} as MediaEvent, emitted: {} as Reply<LeftBehind> },
  actors: mediaEffects,
  actions: {
    replyDone: emit(({ context }, value: LeftBehind) => doneReply(context, value)),
    replyFailed: emit(({ context }, fault: Fault) => failedReply(context, fault)),
    replyRepeated: emit(({ context }) => repeatedReply(context)),
    refuse: emit((_, ask: number) => busyReply(ask)),
    noteCarried: assign(({ context }, left: LeftBehind) => ({ carried: carriedWithFirst(context, left) })),
    addOrder: assign(({ context }, order: MediaOrder) => ({ waiting: [...context.waiting, order] })),
    dropFirst: assign({ waiting: ({ context }) => context.waiting.slice(1) }),
  },
  guards: {
    tooManyWait: ({ context }) => tooManyWait(context),
    somebodyWaits: ({ context }) => context.waiting.length > 0,
    isRepeat: ({ context }) => isRepeat(context),
  },
  delays: { retryEvery: RETRY_EVERY_MS },
})

const takeOrder = [
  { guard: 'tooManyWait', actions: { type: 'refuse', params: ({ event }: { event: MediaOrder }) => event.ask } },
  { actions: { type: 'addOrder', params: ({ event }: { event: MediaOrder }) => event } },
] as const

export const mediaMachine = media.createMachine({
  id: 'media',
  context: { waiting: [], carried: [], fault: null },
  initial: 'reconciling',
  states: {
    /** Orders that come meanwhile wait: a start takes a moment. */
    reconciling: {
      tags: COMING_UP,
      on: { 'media.*': takeOrder },
      invoke: {
        id: 'reconcile',
        src: 'reconcile',
        onDone: { target: 'ready', actions: assign({ fault: null }) },
        onError: { target: 'unreadable', actions: assign({ fault: ({ event }) => faultOf(event.error) }) },
      },
    },
    /** The folder or the index cannot be read. Those who waited hear why. */
    unreadable: {
      tags: COMING_UP,
      after: { retryEvery: 'reconciling' },
      always: {
        guard: 'somebodyWaits',
        actions: [{ type: 'replyFailed', params: ({ context }) => context.fault as Fault }, 'dropFirst'],
      },
    },
    ready: {
      invoke: { id: 'watchSpace', src: 'watchSpace' },
      on: {
        'media.*': takeOrder,
        'space.changed': { actions: assign({ fault: ({ event }) => event.fault }) },
      },
      initial: 'idle',
      states: {
        idle: { always: { guard: 'somebodyWaits', target: 'deciding' } },
        ...carryOutStates<MediaOrder, LeftBehind>()('idle'),
      },
    },
  },
})

declare module '../supervision/actors.ts' {
  interface Actors {
    readonly media: typeof mediaMachine
  }
}
