// The keeper of jobs: accepts, cancels and forgets them, one order after the other, and keeps them on disk: an order is
// answered when it is there. What becomes of a job is in memory at once and on disk next; when the disk refuses, it is
// tried again.
import { assign, emit, setup } from 'xstate'
import { needed } from '../effects.ts'
import { type Fault, faultOf, type Reply } from '../errors/fault.ts'
import type { CarriedOut } from '../requests/carried-out.ts'
import type { RequestMark } from '../requests/request.ts'
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
import type { Job } from './job.ts'

declare const isWork: unique symbol

/** What a job does: an effect, of which machines know nothing (actors/jobs/jobs.ts). */
export interface JobWork {
  readonly [isWork]: true
}

export type JobOrder =
  /** Answered with the job. request: of the client that ordered this. */
  | (Pick<Job, 'kind' | 'resource_ref'> & {
      readonly type: 'job.start'
      readonly ask: number
      readonly work: JobWork
      readonly request?: RequestMark
    })
  /** Cancels a job that has not ended, and forgets one that has. */
  | { readonly type: 'job.remove'; readonly ask: number; readonly id: string; readonly request?: RequestMark }

export type JobKeeperEvent =
  | JobOrder
  /** What is on disk is not the case any more. */
  | { readonly type: 'jobs.changed' }

/**
 * The effects. loadJobs: shows what is kept. watchJobs: tells of changes. carryOut: has an order on disk and shows what
 * it changed. saveJobs: to disk.
 */
export const jobKeeperEffects = {
  loadJobs: needed<void>('loadJobs'),
  watchJobs: needed<never>('watchJobs'),
  carryOut: needed<Job | undefined, JobOrder>('carryOut'),
  saveJobs: needed<void>('saveJobs'),
}
export type JobKeeperEffects = typeof jobKeeperEffects

const RETRY_EVERY_MS = 15_000 // as for everything that failed
interface Context {
  readonly waiting: readonly JobOrder[]
  /** left: the job that was accepted; undefined: one was removed. */
  readonly carried: readonly CarriedOut<Job | undefined>[]
  readonly isStale: boolean
  readonly fault: Fault | null
}

export const jobKeeperMachine = setup({
  types: { context: {} as Context, events: {} as JobKeeperEvent, emitted: {} as Reply<Job> },
  actors: jobKeeperEffects,
  actions: {
    replyDone: emit(({ context }, value: Job | undefined) => doneReply(context, value)),
    replyFailed: emit(({ context }, fault: Fault) => failedReply(context, fault)),
    replyRepeated: emit(({ context }) => repeatedReply(context)),
    refuse: emit((_, ask: number) => busyReply(ask)),
    noteCarried: assign(({ context }, left: Job | undefined) => ({ carried: carriedWithFirst(context, left) })),
    dropFirst: assign({ waiting: ({ context }) => context.waiting.slice(1) }),
  },
  guards: {
    tooManyWait: ({ context }) => tooManyWait(context),
    somebodyWaits: ({ context }) => context.waiting.length > 0,
    isRepeat: ({ context }) => isRepeat(context),
    isStale: ({ context }) => context.isStale,
  },
  delays: { retryEvery: RETRY_EVERY_MS },
}).createMachine({
  id: 'job-keeper',
  // one before it may have crashed with something unsaved
  context: { waiting: [], carried: [], isStale: true, fault: null },
  invoke: { id: 'watchJobs', src: 'watchJobs' },
  initial: 'loading',
  on: {
    'job.*': [
      { guard: 'tooManyWait', actions: { type: 'refuse', params: ({ event }) => event.ask } },
      { actions: assign({ waiting: ({ context, event }) => [...context.waiting, event] }) },
    ],
    'jobs.changed': { actions: assign({ isStale: true }) },
  },
  states: {
    loading: {
      tags: COMING_UP,
      invoke: { id: 'loadJobs', src: 'loadJobs', onDone: 'ready', onError: 'ready' },
    },
    ready: {
      always: [
        { guard: 'somebodyWaits', target: 'deciding' },
        { guard: 'isStale', target: 'saving' },
      ],
    },
    ...carryOutStates<JobOrder, Job | undefined>()('ready'),
    saving: {
      entry: assign({ isStale: false }),
      invoke: {
        id: 'saveJobs',
        src: 'saveJobs',
        onDone: { target: 'ready', actions: assign({ fault: null }) },
        onError: { target: 'unsaved', actions: assign({ isStale: true, fault: ({ event }) => faultOf(event.error) }) },
      },
    },
    unsaved: {
      always: { guard: 'somebodyWaits', target: 'deciding' },
      on: { 'jobs.changed': 'saving' },
      after: { retryEvery: 'saving' },
    },
  },
})

declare module '../supervision/actors.ts' {
  interface Actors {
    readonly 'job-keeper': typeof jobKeeperMachine
  }
}
