// The one writer of the settings: commits one write after the other, and answers each exactly once. What is on disk is
// what counts; readers learn of a change only after it is there.
import { assign, emit, enqueueActions, setup } from 'xstate'
import { type ActionBodies, needed, providedAction } from '../effects.ts'
import { type Fault, faultOf, isFault, type Reply } from '../errors/fault.ts'
import { addCarriedOut, type CarriedOut, findCarriedOut } from '../requests/carried-out.ts'
import { COMING_UP } from '../supervision/child.ts'
import { busyReply, doneReply, failedReply, firstOf, MAX_ORDERS, tooManyWait } from '../supervision/order-queue.ts'
import type { Collections } from './collection.ts'
import { decide, isUnchanged, type SettingsCommand, type Unchanged, type Written } from './commit.ts'
import { type Commit, noSettings, type Settings, withCommit } from './store.ts'

/**
 * The effects. loadSettings: reads what is kept and fits, and shows it to readers. writeCommit: has it synced to disk
 * when it succeeds. watchStore: tells whether anything can be stored.
 */
const settingsWriterEffects = {
  loadSettings: needed<Settings, Collections>('loadSettings'),
  writeCommit: needed<void, Commit>('writeCommit'),
  watchStore: needed<never>('watchStore'),
}
export type SettingsWriterEffects = typeof settingsWriterEffects

/** What a write would be told now; null: nothing. */
export interface StoreChecked {
  readonly type: 'store.checked'
  readonly fault: Fault | null
}

/** How the writer ends: it never does by itself, unless it cannot read what is kept. */
export interface SettingsWriterOutput {
  readonly outcome: 'crashed'
  readonly fault: Fault
}

/** A commit takes 5 ms at worst, so the last one that waits does so for a third of a second. */
const busy: Fault = {
  code: 'actor.not_now',
  detail: `${MAX_ORDERS} writes of settings are waiting already; try again in a second`,
}

interface Context {
  readonly collections: Collections
  readonly settings: Settings
  readonly carried: readonly CarriedOut<Written>[]
  readonly waiting: readonly SettingsCommand[]
  /** What the first write means; null: none was looked at yet. */
  readonly decision: Decision | null
  readonly fault: Fault | null
}

type Decision = Commit | Unchanged | Fault

const decideFirst = ({ collections, settings, carried, waiting }: Context): Decision => {
  const first = firstOf({ waiting })
  const before = findCarriedOut(carried, first.request)
  if (before) return isFault(before) ? before : { unchanged: before.left }
  return decide(collections, settings, first)
}

/** value: left out, since whoever repeats a request is answered with what there is now. */
const leftBy = ({ id, revision, collectionRevision }: Commit): Written => ({
  id,
  revision,
  collectionRevision,
  value: undefined,
})

/** The actions that the actor provides. */
const settingsWriterActions = {
  /** Shows a change to the readers and publishes it. */
  announce: providedAction<Commit>(),
}

export const settingsWriterMachine = setup({
  types: {
    input: {} as { readonly collections: Collections },
    context: {} as Context,
    events: {} as SettingsCommand | StoreChecked,
    emitted: {} as Reply<Written>,
    output: {} as SettingsWriterOutput,
  },
  actors: settingsWriterEffects,
  actions: {
    ...settingsWriterActions,
    replyDone: emit(({ context }, { id, revision, collectionRevision, value }: Written) =>
      doneReply(context, { id, revision, collectionRevision, value }),
    ),
    replyRefused: emit(
      ({ context }, fault: Fault) => ({ type: 'reply', ask: firstOf(context).ask, outcome: 'refused', fault }) as const,
    ),
    replyFailed: emit(({ context }, fault: Fault) => failedReply(context, fault)),
    refuse: emit((_, ask: number) => busyReply(ask, busy)),
    decide: assign(({ context }) => ({ decision: decideFirst(context) })),
    dropFirst: assign({ waiting: ({ context }) => context.waiting.slice(1), decision: null }),
  },
  guards: {
    tooManyWait: ({ context }) => tooManyWait(context),
    somebodyWaits: ({ context }) => context.waiting.length > 0,
    isRefused: ({ context }) => isFault(context.decision),
    changesNothing: ({ context }) => context.decision !== null && isUnchanged(context.decision),
  },
}).createMachine({
  id: 'settings-writer',
  context: ({ input }) => ({ ...input, settings: noSettings, carried: [], waiting: [], decision: null, fault: null }),
  output: ({ context }) => ({ outcome: 'crashed', fault: context.fault ?? faultOf(undefined) }),
  invoke: { id: 'watchStore', src: 'watchStore' },
  initial: 'loading',
  on: {
    'store.checked': { actions: assign({ fault: ({ event }) => event.fault }) },
    'document.*': [
      {
        guard: 'tooManyWait',
        actions: { type: 'refuse', params: ({ event }) => event.ask },
      },
      { actions: assign({ waiting: ({ context, event }) => [...context.waiting, event] }) },
    ],
  },
  states: {
    loading: {
      tags: COMING_UP,
      invoke: {
        id: 'loadSettings',
        src: 'loadSettings',
        input: ({ context }) => context.collections,
        onDone: {
          target: 'ready',
          actions: assign({ settings: ({ context, event }) => event.output ?? context.settings }),
        },
        onError: { target: 'crashed', actions: assign({ fault: ({ event }) => faultOf(event.error) }) },
      },
    },
    ready: { always: { guard: 'somebodyWaits', target: 'deciding' } },
    deciding: {
      entry: 'decide',
      always: [
        {
          guard: 'isRefused',
          target: 'ready',
          actions: [{ type: 'replyRefused', params: ({ context }) => context.decision as Fault }, 'dropFirst'],
        },
        {
          guard: 'changesNothing',
          target: 'ready',
          actions: [
            { type: 'replyDone', params: ({ context }) => (context.decision as Unchanged).unchanged },
            'dropFirst',
          ],
        },
        { target: 'committing' },
      ],
    },
    /** The first of those that wait is being written. */
    committing: {
      invoke: {
        id: 'writeCommit',
        src: 'writeCommit',
        input: ({ context }) => context.decision as Commit,
        onDone: {
          target: 'ready',
          actions: enqueueActions(({ context, enqueue }) => {
            const { settings, carried } = context
            const commit = context.decision as Commit
            enqueue.assign({
              settings: withCommit(settings, commit),
              carried: addCarriedOut(carried, commit.request, leftBy(commit)),
            })
            enqueue({ type: 'announce', params: commit })
            enqueue({ type: 'replyDone', params: commit })
            enqueue('dropFirst')
          }),
        },
        onError: {
          target: 'ready',
          actions: [{ type: 'replyFailed', params: ({ event }) => faultOf(event.error) }, 'dropFirst'],
        },
      },
    },
    crashed: { type: 'final' },
  },
})

/** Their bodies. */
export type SettingsWriterActions = ActionBodies<typeof settingsWriterActions, typeof settingsWriterMachine>

declare module '../supervision/actors.ts' {
  interface Actors {
    readonly settings: typeof settingsWriterMachine
  }
}
