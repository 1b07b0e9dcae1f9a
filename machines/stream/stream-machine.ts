// One stream: its camera opened, watched, and opened again when it went away. The engine process belongs to the incarnation; when that is lost
// the stream crashes and its supervisor starts another.
import { assign, enqueueActions, setup } from 'xstate'
import { needed } from '../effects.ts'
import { type Fault, isFault } from '../errors/fault.ts'
import type { reconcilerMachine } from '../supervision/reconciler-machine.ts'
import type { CanonicalManifest } from './manifest.ts'

/** A manifest with the revision under which it was stored. */
export interface StreamSpec {
  readonly revision: number
  readonly manifest: CanonicalManifest
}

/**
 * The effects. openCamera: opens the camera and starts the plan. watchEngine: reports what the engine does for as long as the stream lives.
 * pingEngine: succeeds when the engine's threads still turn.
 */
export const streamEffects = {
  openCamera: needed<void, StreamSpec>('openCamera'),
  watchEngine: needed<never>('watchEngine'),
  pingEngine: needed<void>('pingEngine'),
}
export type StreamEffects = typeof streamEffects

export type StreamEvent =
  | { readonly type: 'spec.changed'; readonly spec: StreamSpec }
  | { readonly type: 'frames.started' }
  /** No frame for frameLimitMs. */
  | { readonly type: 'frames.stopped' }
  /** A source that does not loop has played its last picture. */
  | { readonly type: 'camera.ended' }
  | { readonly type: 'camera.lost'; readonly fault: Fault }
  | { readonly type: 'engine.exited'; readonly fault: Fault }

/** How a stream ends: it never does by itself, unless its engine is lost. */
export interface StreamOutput {
  readonly outcome: 'crashed'
  readonly fault: Fault
}

/** A camera that shows no frame for so long is asked about. Asking costs nothing: an engine that is only slow answers. */
export const FRAME_LIMIT_MS = 3_000

/** The same for a camera with its own rate: three frame times, where those are longer. */
export const frameLimitMs = (fps: number): number => Math.max(FRAME_LIMIT_MS, 3_000 / fps)

const MAX_FAILURES = 5 // 250 ms · 2⁵ = 8 s: a team that plugs the camera back in shall not wait longer

const noFault: Fault = {
  code: 'stream.unknown_fault',
  detail: 'The stream failed without saying why; please report this.',
}

/** What the engine was opened with is still right: only names and the mounting differ. A synthetic camera is really moved, so it opens again. */
const engineNeedsNoReopening = (before: CanonicalManifest, after: CanonicalManifest): boolean => {
  const ofTheEngine = ({ source, media_grants, intrinsics, map_id, pipeline, pose }: CanonicalManifest) =>
    JSON.stringify([source, media_grants, intrinsics, map_id, pipeline, source.backend === 'synthetic' ? pose : null])
  return ofTheEngine(before) === ofTheEngine(after)
}

export const streamMachine = setup({
  types: {
    input: {} as StreamSpec,
    context: {} as {
      readonly spec: StreamSpec
      /** The newest spec the engine has taken up. */
      readonly applied: StreamSpec | null
      readonly fault: Fault | null
      readonly failures: number
      /** The first frame may overtake the answer to the opening. */
      readonly firstFrameCame: boolean
    },
    events: {} as StreamEvent,
    output: {} as StreamOutput,
  },
  actors: streamEffects,
  guards: {
    engineCanKeepRunning: ({ context, event }) =>
      event.type === 'spec.changed' &&
      context.applied !== null &&
      engineNeedsNoReopening(context.applied.manifest, event.spec.manifest),
    engineHangs: ({ event }) => 'error' in event && isFault(event.error) && event.error.code === 'engine.hung',
    firstFrameCame: ({ context }) => context.firstFrameCame,
  },
  actions: {
    /** Tells the running engine where the camera sits. Given a body by the actor. */
    tellMount: () => {},
    /** Enters the fault in the error history. Given a body by the actor. */
    record: () => {},
    noteFault: assign({
      fault: ({ event }) => {
        const fault = 'error' in event ? event.error : 'fault' in event ? event.fault : undefined
        return isFault(fault) ? fault : noFault
      },
    }),
    /** Not at each of a hundred attempts while the camera is away. */
    recordFirstFailure: enqueueActions(({ context, enqueue }) => {
      if (context.failures === 0) enqueue('record')
    }),
    countFailure: assign({ failures: ({ context }) => Math.min(MAX_FAILURES, context.failures + 1) }),
  },
  delays: {
    backOff: ({ context }) => 250 * 2 ** context.failures,
    frameLimit: FRAME_LIMIT_MS,
  },
}).createMachine({
  id: 'stream',
  context: ({ input }) => ({ spec: input, applied: null, fault: null, failures: 0, firstFrameCame: false }),
  output: ({ context }) => ({ outcome: 'crashed', fault: context.fault ?? noFault }),
  invoke: { id: 'watchEngine', src: 'watchEngine', onError: { target: '.crashed', actions: 'noteFault' } },
  initial: 'opening',
  on: {
    'engine.exited': { target: '.crashed', actions: 'noteFault' },
    'camera.lost': { target: '.backing-off', actions: ['noteFault', 'recordFirstFailure', 'countFailure'] },
    'spec.changed': [
      {
        guard: 'engineCanKeepRunning',
        actions: [assign({ spec: ({ event }) => event.spec, applied: ({ event }) => event.spec }), 'tellMount'],
      },
      { target: '.opening', reenter: true, actions: assign({ spec: ({ event }) => event.spec, failures: 0 }) },
    ],
  },
  states: {
    opening: {
      entry: assign({ applied: null, firstFrameCame: false }),
      on: { 'frames.started': { actions: assign({ firstFrameCame: true }) } },
      invoke: {
        id: 'openCamera',
        src: 'openCamera',
        input: ({ context }) => context.spec,
        onDone: { target: 'starting', actions: assign({ applied: ({ context }) => context.spec }) },
        onError: [
          { guard: 'engineHangs', target: 'crashed', actions: 'noteFault' },
          { target: 'backing-off', actions: ['noteFault', 'recordFirstFailure', 'countFailure'] },
        ],
      },
    },
    starting: {
      always: { guard: 'firstFrameCame', target: 'live' },
      on: { 'frames.started': 'live', 'camera.ended': 'ended' },
      after: { frameLimit: 'probing' },
    },
    live: {
      entry: assign({ fault: null, failures: 0 }),
      on: { 'frames.stopped': 'probing', 'camera.ended': 'ended' },
    },
    probing: {
      invoke: {
        id: 'pingEngine',
        src: 'pingEngine',
        onDone: 'stalled',
        onError: { target: 'crashed', actions: 'noteFault' },
      },
      on: { 'frames.started': 'live', 'camera.ended': 'ended' },
    },
    stalled: {
      on: { 'frames.started': 'live', 'camera.ended': 'ended' },
      after: { frameLimit: 'probing' },
    },
    'backing-off': { after: { backOff: 'opening' } },
    ended: {},
    crashed: { type: 'final' },
  },
})

declare module '../supervision/actors.ts' {
  interface Actors {
    readonly streams: typeof reconcilerMachine
    readonly [stream: `streams/${string}`]: typeof streamMachine
  }
}
