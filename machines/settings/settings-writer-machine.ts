// The one writer of the settings: commits one write after the other, and answers each exactly once. What is on disk is what counts; readers learn
// of a change only after it is there.
import { assign, emit, enqueueActions, setup } from 'xstate'
import { type ActionBodies, needed, providedAction } from '../effects.ts'
import { type Fault, faultOf, isFault, type Reply } from '../errors/fault.ts'
import { type Carried, carriedBefore, withCarried } from '../requests/carried.ts'
import { COMING_UP } from '../supervision/child.ts'
import type { Collections } from './collection.ts'
import { decide, isUnchanged, type SettingsCommand, type Unchanged, type Written } from './commit.ts'
import { type Commit, noSettings, type Settings, withCommit } from './store.ts'

/**
 * The effects. loadSettings: reads what is kept and fits, and shows it to readers. writeCommit: has it synced to disk when it
 * succeeds. watchStore: tells whether anything can be stored.
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

/** Writes that wait. A commit takes 5 ms at worst, so the last one waits a third of a second. */
export const MAX_WAITING = 64

const busy: Fault = {
  code: 'actor.not_now',
  detail: `${MAX_WAITING} writes of settings are waiting already; try again in a second`,
}

interface Context {
  readonly collections: Collections
  readonly settings: Settings
  readonly carried: readonly Carried<Written>[]
  readonly waiting: readonly SettingsCommand[]
  readonly fault: Fault | null
}

const decideFirst = ({ collections, settings, carried, waiting }: Context): Commit | Unchanged | Fault => {
  const first = waiting[0] as SettingsCommand
  const before = carriedBefore(carried, first.request)
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
    replyDone: emit((_, { ask, written }: { ask: number; written: Written }) => {
      const { id, revision, collectionRevision, value } = written
      return { type: 'reply', ask, outcome: 'done', value: { id, revision, collectionRevision, value } } as const
    }),
    reply: emit(
      (_, reply: { ask: number; outcome: 'refused' | 'failed'; fault: Fault }) =>
        ({ type: 'reply', ...reply }) as const,
    ),
    dropFirst: assign({ waiting: ({ context }) => context.waiting.slice(1) }),
  },
  guards: {
    tooManyWait: ({ context }) => context.waiting.length >= MAX_WAITING,
    nothingWaits: ({ context }) => context.waiting.length === 0,
    firstIsRefused: ({ context }) => isFault(decideFirst(context)),
    firstChangesNothing: ({ context }) => isUnchanged(decideFirst(context)),
  },
}).createMachine({
  id: 'settings-writer',
  context: ({ input }) => ({ ...input, settings: noSettings, carried: [], waiting: [], fault: null }),
  output: ({ context }) => ({ outcome: 'crashed', fault: context.fault ?? faultOf(undefined) }),
  invoke: { id: 'watchStore', src: 'watchStore' },
  initial: 'loading',
  on: {
    'store.checked': { actions: assign({ fault: ({ event }) => event.fault }) },
    'document.*': [
      {
        guard: 'tooManyWait',
        actions: { type: 'reply', params: ({ event }) => ({ ask: event.ask, outcome: 'refused', fault: busy }) },
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
    ready: {
      always: [
        { guard: 'nothingWaits' },
        {
          guard: 'firstIsRefused',
          target: 'ready',
          actions: [
            {
              type: 'reply',
              params: ({ context }) => ({
                ask: (context.waiting[0] as SettingsCommand).ask,
                outcome: 'refused',
                fault: decideFirst(context) as Fault,
              }),
            },
            'dropFirst',
          ],
        },
        {
          guard: 'firstChangesNothing',
          target: 'ready',
          actions: [
            {
              type: 'replyDone',
              params: ({ context }) => ({
                ask: (context.waiting[0] as SettingsCommand).ask,
                written: (decideFirst(context) as Unchanged).unchanged,
              }),
            },
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
        input: ({ context }) => decideFirst(context) as Commit,
        onDone: {
          target: 'ready',
          actions: enqueueActions(({ context, enqueue }) => {
            const { ask } = context.waiting[0] as SettingsCommand
            const commit = decideFirst(context) as Commit
            const { settings, carried } = context
            enqueue.assign({
              settings: withCommit(settings, commit),
              carried: withCarried(carried, commit.request, leftBy(commit)),
            })
            enqueue({ type: 'announce', params: commit })
            enqueue({ type: 'replyDone', params: { ask, written: commit } })
            enqueue('dropFirst')
          }),
        },
        onError: {
          target: 'ready',
          actions: [
            {
              type: 'reply',
              params: ({ context, event }) => ({
                ask: (context.waiting[0] as SettingsCommand).ask,
                outcome: 'failed',
                fault: faultOf(event.error),
              }),
            },
            'dropFirst',
          ],
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
