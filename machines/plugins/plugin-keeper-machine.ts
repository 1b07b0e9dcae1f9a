// The keeper of plugins: carries out what is ordered of them, one after the other.
//
// What is stored of a plugin (stored-plugin.ts) comes first of what comes to run, and last of what comes to the disk or
// leaves it, so that a power cut finds one of two things: a folder that nothing names, which the next start removes; or
// a plugin in a state that says what is to be gone on with.
//
//   install   unpack beside, sync, rename into place | store `starting` with the previous version | run the new one |
//             came up: store `enabled`, remove the previous one | did not: store the previous one, remove the new one
//   enable    store `starting` | run | store `enabled`, or `disabled` with why
//   disable   store `disabled` | end what runs
//   remove    store `removing` | end what runs | remove its files and its data | store that there is none
//
// Between any two of these steps the power may go.
import { assign, emit, setup } from 'xstate'
import { needed, providedAction } from '../effects.ts'
import { type Fault, faultOf, type Reply } from '../errors/fault.ts'
import { COMING_UP } from '../supervision/child.ts'
import { busyReply, tooManyWait } from '../supervision/order-queue.ts'
import type { FirstWrite, NextStep, PluginChange, UnpackedPackage } from './transitions.ts'

/** An order that somebody waits for. */
export type PluginOrder = Exclude<PluginChange, Unasked> & { readonly ask: number }

/** What nobody waits for. */
type Unasked = Extract<PluginChange, { readonly type: 'plugin.resume' | 'plugin.give_up' }>

export type PluginKeeperEvent = PluginOrder | Unasked

/** Which plugin a step is about. */
export interface OnePlugin {
  readonly name: string
}

/** What a reply says: which plugin it was about. */
export interface PluginDone {
  readonly id: string
  /** Of its removal. */
  readonly revision?: number
}

/** What the first write is made of. */
export interface WriteInput {
  readonly order: PluginChange
  readonly unpacked: UnpackedPackage | null
}

/** What a plugin that was to come up came to. */
export interface ConcludeInput {
  readonly name: string
  readonly fault: Fault | null
}

/**
 * restore: makes the disk fit what is stored; which plugins are to be gone on with. watchRuns: tells of programs that
 * are given up. unpack: puts a package into its place. write: the first write. awaitUp: fails with why it did not come
 * up. awaitGone: until nothing of it runs. conclude: the second write. sweep: removes files of a plugin that nothing
 * names any more. forget: stores that there is none, and answers with the revision of that.
 */
export const pluginKeeperEffects = {
  restore: needed<readonly string[]>('restore'),
  watchRuns: needed<never>('watchRuns'),
  unpack: needed<UnpackedPackage, { readonly upload: string }>('unpack'),
  write: needed<FirstWrite, WriteInput>('write'),
  awaitUp: needed<void, OnePlugin>('awaitUp'),
  awaitGone: needed<void, OnePlugin>('awaitGone'),
  conclude: needed<void, ConcludeInput>('conclude'),
  sweep: needed<void, OnePlugin>('sweep'),
  forget: needed<number, OnePlugin>('forget'),
}
export type PluginKeeperEffects = typeof pluginKeeperEffects

/** showEnabled: those who run plugins are told which ones. */
export const pluginKeeperActions = { showEnabled: providedAction(), record: providedAction<Fault>() }
export type PluginKeeperActions = typeof pluginKeeperActions

const RETRY_EVERY_MS = 15_000 // as for everything that failed

interface Context {
  readonly waiting: readonly PluginKeeperEvent[]
  /** What the present order is about; empty: not known yet. */
  readonly name: string
  readonly unpacked: UnpackedPackage | null
  /** Whether all of it goes. */
  readonly isRemoval: boolean
  /** Of the removal; null: nothing is removed yet. */
  readonly revision: number | null
  /** Why the present order is not done; null: nothing is wrong with it. */
  readonly failure: Fault | null
  /** Why plugins cannot be kept. */
  readonly fault: Fault | null
}

const fresh = { name: '', unpacked: null, isRemoval: false, revision: null, failure: null } as const

const keeper = setup({
  types: { context: {} as Context, events: {} as PluginKeeperEvent, emitted: {} as Reply<PluginDone> },
  actors: pluginKeeperEffects,
  actions: {
    ...pluginKeeperActions,
    refuse: emit((_, ask: number) => busyReply(ask)),
    addOrder: assign(({ context }, order: PluginKeeperEvent) => ({ waiting: [...context.waiting, order] })),
    noteWrite: assign((_, { name, next }: FirstWrite) => ({ name, isRemoval: next === 'removed' })),
    noteFailure: assign((_, failure: Fault) => ({ failure })),
    dropFirst: assign(({ context }) => ({ ...fresh, waiting: context.waiting.slice(1) })),
  },
  guards: {
    isRefused: ({ context, event }) => 'ask' in event && tooManyWait({ waiting: asked(context.waiting) }),
    isKnown: ({ context, event }) => context.waiting.some((order) => isSameUnasked(order, event)),
    somebodyWaits: ({ context }) => context.waiting.length > 0,
    somebodyAsks: ({ context }) => context.waiting.length > 0 && 'ask' in firstOf(context),
    isAsked: ({ context }) => 'ask' in firstOf(context),
    isInstall: ({ context }) => firstOf(context).type === 'plugin.install',
    isRemoval: ({ context }) => context.isRemoval,
    hasUnpacked: ({ context }) => context.unpacked !== null,
  },
  delays: { retryEvery: RETRY_EVERY_MS },
})

const asked = (waiting: Context['waiting']): readonly PluginOrder[] => waiting.filter((order) => 'ask' in order)

const isSameUnasked = (order: PluginKeeperEvent, event: PluginKeeperEvent): boolean =>
  !('ask' in order) && !('ask' in event) && order.type === event.type && order.name === event.name

const firstOf = ({ waiting }: Context): PluginKeeperEvent => waiting[0] as PluginKeeperEvent

const takeOrder = [
  {
    guard: 'isRefused',
    actions: { type: 'refuse', params: ({ event }: { event: PluginKeeperEvent }) => (event as PluginOrder).ask },
  },
  { guard: 'isKnown' },
  { actions: { type: 'addOrder', params: ({ event }: { event: PluginKeeperEvent }) => event } },
] as const

const aboutIt = ({ context }: { readonly context: Context }): OnePlugin => ({ name: context.name })

const failureOf = ({ event }: { readonly event: { readonly error: unknown } }): Fault => faultOf(event.error)

const isNext =
  (next: NextStep) =>
  ({ event }: { readonly event: { readonly output: FirstWrite } }): boolean =>
    event.output.next === next

const noteWrite = [
  { type: 'noteWrite', params: ({ event }: { readonly event: { readonly output: FirstWrite } }) => event.output },
  'showEnabled',
] as const

const noteFailure = { type: 'noteFailure', params: failureOf } as const

export const pluginKeeperMachine = keeper.createMachine({
  id: 'plugin-keeper',
  context: { ...fresh, waiting: [], fault: null },
  initial: 'restoring',
  on: { 'plugin.*': takeOrder },
  states: {
    /** Orders that come meanwhile wait: a start takes a moment. */
    restoring: {
      tags: COMING_UP,
      invoke: {
        id: 'restore',
        src: 'restore',
        onDone: {
          target: 'ready',
          actions: [
            assign(({ context, event }) => ({
              fault: null,
              waiting: [
                ...event.output.map((name) => ({ type: 'plugin.resume', name }) as const),
                ...context.waiting.filter((order) => order.type !== 'plugin.resume'),
              ],
            })),
            'showEnabled',
          ],
        },
        onError: { target: 'unreadable', actions: assign({ fault: ({ event }) => faultOf(event.error) }) },
      },
    },
    /** The folder cannot be read. Those who waited hear why. */
    unreadable: {
      tags: COMING_UP,
      after: { retryEvery: 'restoring' },
      always: [
        {
          guard: 'somebodyAsks',
          actions: [emit(({ context }) => replyTo(context, context.fault)), 'dropFirst'],
        },
        { guard: 'somebodyWaits', actions: 'dropFirst' },
      ],
    },
    ready: {
      invoke: { id: 'watchRuns', src: 'watchRuns' },
      initial: 'idle',
      states: {
        idle: { always: { guard: 'somebodyWaits', target: 'deciding' } },
        deciding: { always: [{ guard: 'isInstall', target: 'unpacking' }, { target: 'writing' }] },
        unpacking: {
          invoke: {
            id: 'unpack',
            src: 'unpack',
            input: ({ context }) => firstOf(context) as { readonly upload: string },
            onDone: {
              target: 'writing',
              actions: assign({
                unpacked: ({ event }) => event.output,
                name: ({ event }) => event.output.manifest.name,
              }),
            },
            onError: { target: 'answering', actions: noteFailure },
          },
        },
        writing: {
          invoke: {
            id: 'write',
            src: 'write',
            input: ({ context }) => ({ order: firstOf(context), unpacked: context.unpacked }),
            onDone: [
              { guard: isNext('up'), target: 'starting', actions: noteWrite },
              { guard: isNext('gone'), target: 'ending', actions: noteWrite },
              { guard: isNext('removed'), target: 'ending', actions: noteWrite },
              { target: 'sweeping', actions: noteWrite },
            ],
            onError: [
              { guard: 'hasUnpacked', target: 'sweeping', actions: noteFailure },
              { target: 'answering', actions: noteFailure },
            ],
          },
        },
        starting: {
          invoke: {
            id: 'awaitUp',
            src: 'awaitUp',
            input: aboutIt,
            onDone: 'concluding',
            onError: { target: 'concluding', actions: noteFailure },
          },
        },
        /** Whether it came up is being stored. Where that cannot be, the next start finds it starting, and goes on. */
        concluding: {
          invoke: {
            id: 'conclude',
            src: 'conclude',
            input: ({ context }) => ({ name: context.name, fault: context.failure }),
            onDone: { target: 'sweeping', actions: 'showEnabled' },
            onError: { target: 'answering', actions: noteFailure },
          },
        },
        ending: {
          invoke: {
            id: 'awaitGone',
            src: 'awaitGone',
            input: aboutIt,
            onDone: 'sweeping',
            onError: { target: 'answering', actions: noteFailure },
          },
        },
        /** Files that nothing names any more are removed; those that stay are removed at the next start. */
        sweeping: {
          invoke: {
            id: 'sweep',
            src: 'sweep',
            input: aboutIt,
            onDone: [{ guard: 'isRemoval', target: 'forgetting' }, { target: 'answering' }],
            onError: [
              { guard: 'isRemoval', target: 'answering', actions: noteFailure },
              { target: 'answering', actions: { type: 'record', params: failureOf } },
            ],
          },
        },
        forgetting: {
          invoke: {
            id: 'forget',
            src: 'forget',
            input: aboutIt,
            onDone: { target: 'answering', actions: assign({ revision: ({ event }) => event.output }) },
            onError: { target: 'answering', actions: noteFailure },
          },
        },
        answering: {
          always: [
            {
              guard: 'isAsked',
              target: 'idle',
              actions: [emit(({ context }) => replyTo(context, context.failure)), 'dropFirst'],
            },
            { target: 'idle', actions: 'dropFirst' },
          ],
        },
      },
    },
  },
})

const replyTo = (context: Context, fault: Fault | null): Reply<PluginDone> => {
  const { ask } = firstOf(context) as PluginOrder
  if (fault) return { type: 'reply', ask, outcome: 'failed', fault }
  const { name: id, revision } = context
  return { type: 'reply', ask, outcome: 'done', value: { id, ...(revision !== null && { revision }) } }
}

declare module '../supervision/actors.ts' {
  interface Actors {
    readonly 'plugin-keeper': typeof pluginKeeperMachine
  }
}
