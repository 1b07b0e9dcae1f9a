// One stream: its camera opened, watched, and opened again when it went away. The engine process belongs to the incarnation; when that is lost
// the stream crashes and its supervisor starts another.
import { and, assign, enqueueActions, not, type SnapshotFrom, setup } from 'xstate'
import { needed } from '../effects.ts'
import { type Fault, isFault } from '../errors/fault.ts'
import type { StoredValue } from '../settings/store.ts'
import { COMING_UP } from '../supervision/child.ts'
import type { reconcilerMachine } from '../supervision/reconciler-machine.ts'
import type { CanonicalManifest } from './manifest.ts'
import { FRAME_LIMIT_MS } from './stall.ts'

/**
 * The effects. openCamera: opens the camera and starts the plan. resetCamera: has the system take its USB device away and find it anew. watchEngine: reports what the engine does for as long as the stream lives.
 * pingEngine: succeeds when the engine's threads still turn. switchPlan: has the engine run another pipeline on the pictures that come; the one of before goes on
 * when that fails.
 */
const streamEffects = {
  openCamera: needed<void, StoredValue<CanonicalManifest>>('openCamera'),
  resetCamera: needed<void, StoredValue<CanonicalManifest>>('resetCamera'),
  watchEngine: needed<never>('watchEngine'),
  switchPlan: needed<void, StoredValue<CanonicalManifest>>('switchPlan'),
  pingEngine: needed<void>('pingEngine'),
}
export type StreamEffects = typeof streamEffects

export type StreamEvent =
  /** The stream was stored anew. */
  | { readonly type: 'manifest.changed'; readonly stored: StoredValue<CanonicalManifest> }
  | { readonly type: 'frames.started' }
  /** No frame for frameLimitMs. */
  | { readonly type: 'frames.stopped' }
  /** A source that does not loop has played its last picture. */
  | { readonly type: 'camera.ended' }
  | { readonly type: 'camera.lost'; readonly fault: Fault }
  /** It was plugged in, or was found under another device file. */
  | { readonly type: 'camera.appeared' }
  | { readonly type: 'engine.exited'; readonly fault: Fault }

/** How a stream ends: it never does by itself, unless its engine is lost. */
export interface StreamOutput {
  readonly outcome: 'crashed'
  readonly fault: Fault
}

const MAX_FAILURES = 5 // 250 ms · 2⁵ = 8 s: a team that plugs the camera back in shall not wait longer

/** So many openings in vain, and the USB device is reset: 250 ms, 500 ms and 1 s after one another, and what they take. */
const RESET_AFTER = 3

/** With these the camera is there and does not work, which a reset may mend. One that is away comes back by itself or not at all. */
const MENDED_BY_RESET: readonly unknown[] = ['camera.lost', 'camera.unreadable', 'camera.silent']

const silent: Fault = {
  code: 'camera.silent',
  detail: 'The camera is plugged in and gives no pictures, though its engine works. It is opened again.',
}

const noFault: Fault = {
  code: 'stream.unknown_fault',
  detail: 'The stream failed without saying why; please report this.',
}

/** What the camera was opened with is still right: only names, the mount, what is kept and the pipeline differ. A synthetic camera is really moved, so it opens again. */
const cameraNeedsNoReopening = (before: CanonicalManifest, after: CanonicalManifest): boolean => {
  const ofTheCamera = ({ source, crop, media_grants, intrinsics, map_id, pose }: CanonicalManifest) =>
    JSON.stringify([...[source, crop, media_grants, intrinsics, map_id], source.backend === 'synthetic' ? pose : null])
  return ofTheCamera(before) === ofTheCamera(after)
}

const hasSamePipeline = (before: CanonicalManifest, after: CanonicalManifest): boolean =>
  JSON.stringify(before.pipeline) === JSON.stringify(after.pipeline)

export const streamMachine = setup({
  types: {
    input: {} as StoredValue<CanonicalManifest>,
    context: {} as {
      readonly stored: StoredValue<CanonicalManifest>
      /** What the engine has taken up. */
      readonly applied: StoredValue<CanonicalManifest> | null
      readonly fault: Fault | null
      readonly failures: number
      /** The USB device was reset since the stream was last live: a second time would not help. */
      readonly wasReset: boolean
      /** The first frame may overtake the answer to the opening. */
      readonly firstFrameCame: boolean
    },
    events: {} as StreamEvent,
    output: {} as StreamOutput,
    tags: {} as typeof COMING_UP,
  },
  actors: streamEffects,
  guards: {
    engineCanKeepRunning: ({ context: { applied }, event }) =>
      event.type === 'manifest.changed' &&
      applied !== null &&
      cameraNeedsNoReopening(applied.value, event.stored.value) &&
      hasSamePipeline(applied.value, event.stored.value),
    cameraCanStayOpen: ({ context: { applied }, event }) =>
      event.type === 'manifest.changed' &&
      applied !== null &&
      cameraNeedsNoReopening(applied.value, event.stored.value),
    engineHangs: ({ event }) => 'error' in event && isFault(event.error) && event.error.code === 'engine.hung',
    firstFrameCame: ({ context }) => context.firstFrameCame,
    hasCamera: ({ context }) => context.stored.value.source.backend === 'v4l2',
    resetIsDue: ({ context: { stored, failures, wasReset, fault } }) =>
      stored.value.source.backend === 'v4l2' &&
      failures >= RESET_AFTER &&
      !wasReset &&
      MENDED_BY_RESET.includes(fault?.code),
  },
  actions: {
    /** Tells the running engine where the camera sits. Given a body by the actor. */
    tellMount: () => {},
    /** Tells it how much of the last pictures it is to keep. Given a body by the actor. */
    tellRewind: () => {},
    /** Says why the pipeline of before goes on. Given a body by the actor. */
    tellRefusal: () => {},
    /** Enters the fault in the error history. Given a body by the actor. */
    record: () => {},
    /** It is live: whoever notes what was tried since it was lost enters that in the error history. Given a body by the actor. */
    tellRecovery: () => {},
    setStored: assign({
      stored: ({ context, event }) => (event.type === 'manifest.changed' ? event.stored : context.stored),
    }),
    /** The engine goes by what is stored. */
    takeUp: assign({ applied: ({ context }) => context.stored }),
    setSilent: assign({ fault: silent }),
    setFault: assign({
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
  context: ({ input }) => ({
    ...{ stored: input, applied: null, fault: null, failures: 0 },
    ...{ firstFrameCame: false, wasReset: false },
  }),
  output: ({ context }) => ({ outcome: 'crashed', fault: context.fault ?? noFault }),
  invoke: { id: 'watchEngine', src: 'watchEngine', onError: { target: '.crashed', actions: 'setFault' } },
  initial: 'opening',
  on: {
    'engine.exited': { target: '.crashed', actions: 'setFault' },
    'camera.lost': { target: '.backing-off', actions: ['setFault', 'recordFirstFailure', 'countFailure'] },
    'manifest.changed': [
      {
        guard: 'engineCanKeepRunning',
        actions: ['setStored', 'takeUp', 'tellMount', 'tellRewind'],
      },
      {
        target: '.opening',
        actions: ['setStored', assign({ failures: 0, wasReset: false })],
      },
    ],
  },
  states: {
    /** Until the first frame. */
    opening: {
      tags: COMING_UP,
      entry: assign({ applied: null, firstFrameCame: false }),
      initial: 'camera',
      states: {
        camera: {
          on: { 'frames.started': { actions: assign({ firstFrameCame: true }) } },
          invoke: {
            id: 'openCamera',
            src: 'openCamera',
            input: ({ context }) => context.stored,
            onDone: { target: 'first-frame', actions: 'takeUp' },
            onError: [
              { guard: 'engineHangs', target: '#stream.crashed', actions: 'setFault' },
              { target: '#stream.backing-off', actions: ['setFault', 'recordFirstFailure', 'countFailure'] },
            ],
          },
        },
        'first-frame': {
          always: { guard: 'firstFrameCame', target: '#stream.live' },
          on: { 'frames.started': '#stream.live', 'camera.ended': '#stream.ended' },
          after: { frameLimit: '#stream.stalled' },
        },
      },
    },
    live: {
      entry: ['tellRecovery', assign({ fault: null, failures: 0, wasReset: false })],
      on: { 'frames.stopped': 'stalled', 'camera.ended': 'ended' },
      initial: 'steady',
      states: {
        steady: {
          on: {
            'manifest.changed': {
              guard: and([not('engineCanKeepRunning'), 'cameraCanStayOpen']),
              ...{ target: 'switching', actions: 'setStored' },
            },
          },
        },
        /** Pictures go through the pipeline of before until the engine has made the other one. */
        switching: {
          entry: ['tellMount', 'tellRewind'],
          on: {
            // Also back to the one of before: the engine may be about to leave it.
            'manifest.changed': {
              guard: 'cameraCanStayOpen',
              target: 'switching',
              reenter: true,
              actions: 'setStored',
            },
          },
          invoke: {
            id: 'switchPlan',
            src: 'switchPlan',
            input: ({ context }) => context.stored,
            onDone: { target: 'steady', actions: 'takeUp' },
            onError: [
              { guard: 'engineHangs', target: '#stream.crashed', actions: 'setFault' },
              { target: 'steady', actions: 'tellRefusal' },
            ],
          },
        },
      },
    },
    /** No frame comes: the engine is asked again and again whether it works. A camera whose engine does is opened again. */
    stalled: {
      on: { 'frames.started': 'live', 'camera.ended': 'ended', 'camera.appeared': 'opening' },
      initial: 'asking',
      states: {
        asking: {
          invoke: {
            id: 'pingEngine',
            src: 'pingEngine',
            onDone: [
              {
                guard: 'hasCamera',
                target: '#stream.backing-off',
                actions: ['setSilent', 'recordFirstFailure', 'countFailure'],
              },
              { target: 'waiting' },
            ],
            onError: { target: '#stream.crashed', actions: 'setFault' },
          },
        },
        waiting: { after: { frameLimit: 'asking' } },
      },
    },
    /** Opened again, each time longer after the last; at once when the camera appears. */
    'backing-off': {
      on: { 'camera.appeared': 'opening' },
      after: { backOff: [{ guard: 'resetIsDue', target: 'resetting' }, { target: 'opening' }] },
    },
    /** The last rung: its USB device is taken away and found anew. */
    resetting: {
      entry: assign({ wasReset: true }),
      on: { 'camera.lost': {} }, // the engine has it open, so the reset itself causes that
      invoke: {
        id: 'resetCamera',
        src: 'resetCamera',
        input: ({ context }) => context.stored,
        onDone: 'opening',
        onError: 'opening', // a service that may not do that opens it again as before
      },
    },
    ended: {},
    crashed: { type: 'final' },
  },
})

type Outermost<Value> = Value extends string ? Value : keyof Value

/** The states in which a stream runs, whatever state is within them. */
export type StreamMachineState = Exclude<Outermost<SnapshotFrom<typeof streamMachine>['value']>, 'crashed'>

declare module '../supervision/actors.ts' {
  interface Actors {
    readonly streams: typeof reconcilerMachine
    readonly [stream: `streams/${string}`]: typeof streamMachine
  }
}
