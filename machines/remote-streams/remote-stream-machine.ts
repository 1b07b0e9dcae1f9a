// A stream of a peer whose pictures are processed here, while that is requested. Its state says which device decides
// about that pipeline.
import { assign, setup } from 'xstate'
import { type ActionBodies, needed, providedAction } from '../effects.ts'
import type { reconcilerMachine } from '../supervision/reconciler-machine.ts'

/** Where the pictures of a stream of a peer are worked on. */
export type Compute = 'proxy' | 'local_attach'

/** What is known of the stream at its source. status: its state there. */
export interface SeenSource {
  readonly revision: number
  readonly status: string
}

/**
 * watchSource: tells `compute.set`, `engine.left`, `source.seen` and `peer.deleted`, for as long as the machine runs.
 * openInlet: an engine here may take the pictures, for as long as it runs. mirror: brings what belongs to the capture
 * up to what it is at the source. detach: has the stream here forgotten. release: done when nothing of it runs here any
 * more.
 */
const remoteStreamEffects = {
  watchSource: needed<never>('watchSource'),
  openInlet: needed<never>('openInlet'),
  mirror: needed<void>('mirror'),
  detach: needed<void>('detach'),
  release: needed<void>('release'),
}
export type RemoteStreamEffects = typeof remoteStreamEffects

export type RemoteStreamEvent =
  /** What is stored: where the pictures are to be processed. */
  | { readonly type: 'compute.set'; readonly compute: Compute }
  /** It is not wanted here, and a previous engine may still run. */
  | { readonly type: 'engine.left' }
  /** null: there is no link to the peer, or it has no such stream. */
  | { readonly type: 'source.seen'; readonly source: SeenSource | null }
  /** The peer is not registered any more. */
  | { readonly type: 'peer.deleted' }

const isSame = (one: SeenSource | null, other: SeenSource | null): boolean =>
  one?.revision === other?.revision && one?.status === other?.status

/** While pictures can come: what another state of the source is answered with. */
const SEEN = [
  { guard: 'isGone', target: 'stale', actions: 'setSource' },
  { guard: 'isAnother', target: 'mirroring', reenter: true, actions: 'setSource' },
] as const

/** The actions that the actor provides. */
const remoteStreamActions = {
  /** The stream here need not wait any longer until it asks for pictures again. */
  callStream: providedAction(),
  /** Nothing of it is left here. */
  reportReleased: providedAction(),
}

export const remoteStreamMachine = setup({
  types: {
    context: {} as { readonly source: SeenSource | null },
    events: {} as RemoteStreamEvent,
  },
  actors: remoteStreamEffects,
  guards: {
    isForHere: ({ event }) => event.type === 'compute.set' && event.compute === 'local_attach',
    isForThere: ({ event }) => event.type === 'compute.set' && event.compute === 'proxy',
    isGone: ({ event }) => event.type === 'source.seen' && event.source === null,
    isAnother: ({ context, event }) => event.type === 'source.seen' && !isSame(context.source, event.source),
    hasSource: ({ context }) => context.source !== null,
  },
  actions: {
    ...remoteStreamActions,
    setSource: assign(({ context, event }) => (event.type === 'source.seen' ? { source: event.source } : context)),
  },
  delays: {
    readAgain: 2_000, // the source was asked and did not say: its link is judged by others
    detachAgain: 5_000, // a disk that is full
  },
}).createMachine({
  id: 'remote-stream',
  context: { source: null },
  invoke: { id: 'watchSource', src: 'watchSource' },
  initial: 'source',
  on: { 'source.seen': { actions: 'setSource' } },
  states: {
    /** The word of its device counts for all of it. */
    source: {
      initial: 'proxy',
      states: {
        /** Nothing of it runs here. */
        proxy: {
          on: {
            'compute.set': { guard: 'isForHere', target: '#remote-stream.local' },
            'engine.left': '#remote-stream.local.releasing',
          },
        },
      },
    },
    /** There is a pipeline of it here, or was a moment ago: for that one the word of this device counts. */
    local: {
      initial: 'local_attach',
      states: {
        local_attach: {
          invoke: { id: 'openInlet', src: 'openInlet' },
          on: {
            'compute.set': { guard: 'isForThere', target: 'releasing' },
            'peer.deleted': '.detaching',
          },
          initial: 'stale',
          states: {
            /** No pictures come: there is no link to the source. */
            stale: {
              always: { guard: 'hasSource', target: 'mirroring' },
            },
            /** The source says how the pictures are taken. */
            mirroring: {
              invoke: { id: 'mirror', src: 'mirror', onDone: 'following', onError: 'behind' },
              on: { 'source.seen': SEEN },
            },
            following: {
              entry: 'callStream',
              on: { 'source.seen': SEEN },
            },
            /** It did not say; pictures may come all the same. */
            behind: {
              entry: 'callStream',
              after: { readAgain: 'mirroring' },
              on: { 'source.seen': SEEN },
            },
            /** There is no such peer any more, so that there are no such pictures: the stream here is forgotten. */
            detaching: {
              initial: 'asking',
              on: { 'peer.deleted': {} },
              states: {
                asking: {
                  invoke: { id: 'detach', src: 'detach', onDone: 'waiting', onError: 'waiting' },
                },
                /** Until it is told that it is not stored any more. */
                waiting: { after: { detachAgain: 'asking' } },
              },
            },
          },
        },
        /** The engine is being ended. */
        releasing: {
          invoke: {
            id: 'release',
            src: 'release',
            onDone: { target: '#remote-stream.source', actions: 'reportReleased' },
          },
          on: { 'compute.set': { guard: 'isForHere', target: 'local_attach' } },
        },
      },
    },
  },
})

/** Their bodies. */
export type RemoteStreamActions = ActionBodies<typeof remoteStreamActions, typeof remoteStreamMachine>

declare module '../supervision/actors.ts' {
  interface Actors {
    readonly 'remote-streams': typeof reconcilerMachine
    readonly [stream: `remote-streams/${string}`]: typeof remoteStreamMachine
  }
}
