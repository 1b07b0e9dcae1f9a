// One stream: its camera opened, watched, and opened again when it went away. The engine process belongs to the
// incarnation; when that is lost the stream crashes and its supervisor starts another.
import { and, assign, enqueueActions, not, type SnapshotFrom, setup } from 'xstate'
import { type ActionBodies, needed, providedAction } from '../effects.ts'
import { type Fault, isFault } from '../errors/fault.ts'
import type { CanonicalGraph } from '../pipeline/graph.ts'
import { planGraph } from '../pipeline/plan.ts'
import { isSameJson } from '../settings/same-json.ts'
import type { StoredValue } from '../settings/store.ts'
import { COMING_UP } from '../supervision/child.ts'
import type { reconcilerMachine } from '../supervision/reconciler-machine.ts'
import type { CanonicalManifest } from './manifest.ts'
import { copyOf, graphIdOf, type SlotGraph } from './slots.ts'
import { ownCameraOf } from './sources/traits.ts'
import { FRAME_LIMIT_MS } from './stall.ts'
import {
  type Applied,
  cameraNeedsNoReopening,
  hasSamePipeline,
  isOfPipeline,
  sourceAlone,
  standInFault,
} from './what-runs.ts'

/** A camera that is to be opened. */
export interface Opening {
  readonly stored: StoredValue<CanonicalManifest>
  /** With the pipeline that is stored, the one that ran before, or nothing but the source. */
  readonly runs: 'stored' | 'previous' | 'source-alone'
}

/** The effects. */
const streamEffects = {
  /** Opens the camera, starts the plan and answers with its pipeline. */
  openCamera: needed<CanonicalGraph, Opening>('openCamera'),
  /** Has the system take its USB device away and find it again. */
  resetCamera: needed<void, StoredValue<CanonicalManifest>>('resetCamera'),
  /** Has the USB port of its camera switched off and on, where that is possible and costs nobody else pictures. */
  cyclePower: needed<void, StoredValue<CanonicalManifest>>('cyclePower'),
  /** Reports what the engine does for as long as the stream lives. */
  watchEngine: needed<never>('watchEngine'),
  /** Has the engine run another pipeline on the pictures that come; the previous one goes on when that fails. */
  switchPlan: needed<void, StoredValue<CanonicalManifest>>('switchPlan'),
  /** Succeeds when the engine's threads still turn. */
  pingEngine: needed<void>('pingEngine'),
  /** Has the engine try the stored pipeline that its slot refers to, and stores it with the stream. */
  followGraph: needed<void, SlotGraph | null>('followGraph'),
}
export type StreamEffects = typeof streamEffects

export type StreamEvent =
  /** The stream was stored again. */
  | { readonly type: 'manifest.changed'; readonly stored: StoredValue<CanonicalManifest> }
  /** The stored pipeline of the active slot is another one now; null: no slot is active. */
  | { readonly type: 'graph.changed'; readonly graph: SlotGraph | null }
  /** A model that the pipeline runs was stored again, or the names of its classes. */
  | { readonly type: 'model.changed' }
  /** Its field map is another one than when the camera was opened. */
  | { readonly type: 'map.changed' }
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

/**
 * So many openings in vain, and the USB device is reset: 250 ms, 500 ms and 1 s after one another, and what they take.
 */
const RESET_AFTER = 3

/**
 * With these the camera is there and does not work, which a reset may mend. One that is away comes back by itself or
 * not at all.
 */
const MENDED_BY_RESET: readonly unknown[] = ['camera.lost', 'camera.unreadable', 'camera.silent']

/** A camera that hangs may also be away after the reset: it does not answer when it is to be found again. */
const MENDED_BY_POWER: readonly unknown[] = [...MENDED_BY_RESET, 'camera.missing']

/** That is for its user to mend; everything else may be over the next time, as a disk that is full. */
const FINAL: readonly unknown[] = ['pipeline.invalid', 'pipeline.refused']

const silent: Fault = {
  code: 'camera.silent',
  detail: 'The camera is plugged in and gives no pictures, though its engine works. It is opened again.',
}

const noFault: Fault = {
  code: 'stream.unknown_fault',
  detail: 'The stream failed without saying why; please report this.',
}

/**
 * Whether a stream runs something else than the stored pipeline of its slot, as that is now: also one that cannot run.
 */
const isBehind = (manifest: CanonicalManifest, graph: SlotGraph | null): boolean => {
  if (!graph?.stored || graphIdOf(manifest) !== graph.graph_id) return false
  const planned = planGraph(graph.stored.value)
  return !planned.ok || !isSameJson(copyOf(planned.graph), manifest.pipeline)
}

/** Whether another pipeline runs than the one that is stored, since that cannot be made. */
const runsAnother = ({
  stored,
  applied,
}: {
  readonly stored: StoredValue<CanonicalManifest>
  readonly applied: Applied | null
}): boolean => applied !== null && !hasSamePipeline(applied.value, stored.value)

const faultIn = (event: object): Fault => {
  const fault = 'error' in event ? event.error : 'fault' in event ? event.fault : undefined
  return isFault(fault) ? fault : noFault
}

/** The actions that the actor provides. */
const streamActions = {
  /** Says what is in force now. */
  reportApplied: providedAction(),
  /** Sends the running engine where the camera sits. */
  sendMount: providedAction(),
  /** Sends it how much of the last pictures it is to keep. */
  sendRewind: providedAction(),
  /** Says why the previous pipeline goes on. */
  reportRefused: providedAction(),
  /** Enters the fault in the error history. */
  record: providedAction(),
  /** Says that what runs has done so for a while. */
  reportHealthy: providedAction(),
  /** Says that the engine is gone, or is given up. */
  reportEngineLost: providedAction(),
  /** Enters in the error history what was tried since the camera was lost: it is live again. */
  reportRecovered: providedAction(),
}

export const streamMachine = setup({
  types: {
    input: {} as StoredValue<CanonicalManifest>,
    context: {} as {
      readonly stored: StoredValue<CanonicalManifest>
      /** What the engine has taken up. */
      readonly applied: Applied | null
      readonly fault: Fault | null
      readonly failures: number
      /** The USB device was reset since the stream was last live: a second time would not help. */
      readonly wasReset: boolean
      /** The power of its port was off since then, or could not be switched. */
      readonly wasCycled: boolean
      /** What the active slot refers to; null: none is active. */
      readonly graph: SlotGraph | null
      /** It was tried as it is now, since the camera was opened. */
      readonly wasTried: boolean
      /**
       * Why it does not run as it is now, or why another pipeline runs than the one that is stored; null: nothing is
       * wrong, or known.
       */
      readonly refusal: Fault | null
      /** The engine has read a model, or the names of its classes, as they were before. */
      readonly hasOldModel: boolean
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
    isBehind: ({ context: { stored, graph, wasTried } }) => !wasTried && isBehind(stored.value, graph),
    couldNotFollow: ({ context: { stored, graph, refusal } }) =>
      refusal !== null && !FINAL.includes(refusal.code) && isBehind(stored.value, graph),
    hasOldModel: ({ context }) => context.hasOldModel,
    runsAnother: ({ context }) => runsAnother(context),
    couldNotSwitch: ({ context }) => runsAnother(context) && context.refusal !== null,
    pipelineIsRefused: ({ event }) => 'error' in event && isFault(event.error) && isOfPipeline(event.error),
    firstFrameCame: ({ context }) => context.firstFrameCame,
    hasCamera: ({ context }) => ownCameraOf(context.stored.value.source) !== undefined,
    resetIsDue: ({ context: { stored, failures, wasReset, fault } }) =>
      ownCameraOf(stored.value.source) !== undefined &&
      failures >= RESET_AFTER &&
      !wasReset &&
      MENDED_BY_RESET.includes(fault?.code),
    cycleIsDue: ({ context: { stored, failures, wasReset, wasCycled, fault } }) =>
      ownCameraOf(stored.value.source) !== undefined &&
      failures > RESET_AFTER &&
      wasReset &&
      !wasCycled &&
      MENDED_BY_POWER.includes(fault?.code),
  },
  actions: {
    ...streamActions,
    setStored: assign(({ context, event }) => {
      if (event.type !== 'manifest.changed') return {}
      const { stored } = event
      const isStillWrong = isBehind(stored.value, context.graph) || hasSamePipeline(context.stored.value, stored.value)
      const hasSameSlot = graphIdOf(context.stored.value) === graphIdOf(stored.value)
      return {
        stored,
        refusal: isStillWrong ? context.refusal : null,
        // one that takes the place of what was tried is followed anew
        wasTried: context.wasTried && hasSameSlot,
      }
    }),
    setGraph: assign({
      graph: ({ context, event }) => (event.type === 'graph.changed' ? event.graph : context.graph),
      wasTried: false,
      refusal: ({ context }) => (runsAnother(context) ? context.refusal : null),
    }),
    /** Of an opening: what runs in its place is not known yet. */
    noteRefusal: assign({ refusal: ({ event }) => faultIn(event) }),
    setRefusal: assign({
      refusal: ({ context: { applied, stored }, event }) =>
        standInFault((applied ?? stored).value.pipeline, faultIn(event)),
    }),
    /** The engine goes by what is stored. */
    takeUp: enqueueActions(({ context: { stored, graph, refusal }, enqueue }) => {
      enqueue.assign({
        applied: { ...stored, cameraRevision: stored.revision },
        refusal: isBehind(stored.value, graph) ? refusal : null,
      })
      enqueue('reportApplied')
    }),
    /** It does so but for the pipeline. */
    takeUpOther: enqueueActions(({ context: { stored, refusal }, event, enqueue }) => {
      const pipeline = 'output' in event ? (event.output as CanonicalGraph) : sourceAlone
      enqueue.assign({
        applied: { revision: null, cameraRevision: stored.revision, value: { ...stored.value, pipeline } },
        refusal: standInFault(pipeline, refusal ?? noFault),
      })
      enqueue('reportApplied')
    }),
    setSilent: assign({ fault: silent }),
    setFault: assign({ fault: ({ event }) => faultIn(event) }),
    /** Not at each of a hundred attempts while the camera is away. */
    recordFirstFailure: enqueueActions(({ context, enqueue }) => {
      if (context.failures === 0) enqueue('record')
    }),
    countFailure: assign({ failures: ({ context }) => Math.min(MAX_FAILURES, context.failures + 1) }),
  },
  delays: {
    backOff: ({ context }) => 250 * 2 ** context.failures,
    frameLimit: FRAME_LIMIT_MS,
    followAgain: 15_000, // as often as what has failed is tried again
    makeAgain: 60_000, // a model takes seconds to be read, and what it lacks is seldom there a moment later
    soundAfter: 5_000, // the run that counts as a good one of an engine (defaultPolicy)
  },
}).createMachine({
  id: 'stream',
  context: ({ input }) => ({
    stored: input,
    applied: null,
    fault: null,
    failures: 0,
    firstFrameCame: false,
    wasReset: false,
    wasCycled: false,
    graph: null,
    wasTried: false,
    refusal: null,
    hasOldModel: false,
  }),
  output: ({ context }) => ({ outcome: 'crashed', fault: context.fault ?? noFault }),
  invoke: { id: 'watchEngine', src: 'watchEngine', onError: { target: '.crashed', actions: 'setFault' } },
  initial: 'opening',
  on: {
    'engine.exited': { target: '.crashed', actions: 'setFault' },
    'camera.lost': { target: '.backing-off', actions: ['setFault', 'recordFirstFailure', 'countFailure'] },
    'graph.changed': { actions: 'setGraph' },
    'model.changed': { actions: assign({ hasOldModel: true }) },
    'map.changed': { target: '.opening', actions: assign({ failures: 0, wasReset: false, wasCycled: false }) },
    'manifest.changed': [
      {
        guard: 'engineCanKeepRunning',
        actions: ['setStored', 'takeUp', 'sendMount', 'sendRewind'],
      },
      {
        target: '.opening',
        actions: ['setStored', assign({ failures: 0, wasReset: false, wasCycled: false })],
      },
    ],
  },
  states: {
    /** Until the first frame. */
    opening: {
      tags: COMING_UP,
      entry: assign({ applied: null, firstFrameCame: false, wasTried: false, refusal: null, hasOldModel: false }),
      initial: 'camera',
      states: {
        /** A pipeline that cannot be made does not cost the camera: another is run in its place. */
        camera: {
          on: { 'frames.started': { actions: assign({ firstFrameCame: true }) } },
          initial: 'as-stored',
          states: {
            'as-stored': {
              invoke: {
                id: 'openCamera',
                src: 'openCamera',
                input: ({ context }) => ({ stored: context.stored, runs: 'stored' }),
                onDone: { target: '#stream.opening.first-frame', actions: 'takeUp' },
                onError: [
                  { guard: 'engineHangs', target: '#stream.crashed', actions: 'setFault' },
                  { guard: 'pipelineIsRefused', target: 'with-previous', actions: 'noteRefusal' },
                  { target: '#stream.backing-off', actions: ['setFault', 'recordFirstFailure', 'countFailure'] },
                ],
              },
            },
            'with-previous': {
              invoke: {
                id: 'openWithPrevious',
                src: 'openCamera',
                input: ({ context }) => ({ stored: context.stored, runs: 'previous' }),
                onDone: {
                  target: '#stream.opening.first-frame',
                  actions: ['takeUpOther', 'reportRefused'],
                },
                onError: [
                  { guard: 'engineHangs', target: '#stream.crashed', actions: 'setFault' },
                  { guard: 'pipelineIsRefused', target: 'source-alone' },
                  { target: '#stream.backing-off', actions: ['setFault', 'recordFirstFailure', 'countFailure'] },
                ],
              },
            },
            'source-alone': {
              invoke: {
                id: 'openSourceAlone',
                src: 'openCamera',
                input: ({ context }) => ({ stored: context.stored, runs: 'source-alone' }),
                onDone: {
                  target: '#stream.opening.first-frame',
                  actions: ['takeUpOther', 'reportRefused'],
                },
                onError: [
                  { guard: 'engineHangs', target: '#stream.crashed', actions: 'setFault' },
                  { target: '#stream.backing-off', actions: ['setFault', 'recordFirstFailure', 'countFailure'] },
                ],
              },
            },
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
      entry: ['reportRecovered', assign({ fault: null, failures: 0, wasReset: false, wasCycled: false })],
      on: { 'frames.stopped': 'stalled', 'camera.ended': 'ended' },
      initial: 'steady',
      states: {
        steady: {
          always: [
            { guard: 'isBehind', target: 'following' },
            { guard: 'hasOldModel', target: 'switching' },
            { guard: 'couldNotSwitch', target: 'standing-in' },
            { guard: 'runsAnother', target: 'switching' }, // that was cut short
          ],
          after: {
            followAgain: { guard: 'couldNotFollow', target: 'following' },
            soundAfter: { actions: 'reportHealthy' },
          },
          on: {
            'manifest.changed': {
              guard: and([not('engineCanKeepRunning'), 'cameraCanStayOpen']),
              target: 'switching',
              actions: 'setStored',
            },
          },
        },
        /**
         * Another pipeline runs than the one that is stored, which could not be made. That is tried again, since what
         * it lacked may be there.
         */
        'standing-in': {
          always: [
            { guard: not('runsAnother'), target: 'steady' },
            { guard: 'isBehind', target: 'following' },
            { guard: 'hasOldModel', target: 'switching' },
          ],
          after: {
            followAgain: { guard: 'couldNotFollow', target: 'following' },
            soundAfter: { actions: 'reportHealthy' },
            makeAgain: 'switching',
          },
          on: {
            'manifest.changed': {
              guard: and([not('engineCanKeepRunning'), 'cameraCanStayOpen']),
              target: 'switching',
              actions: 'setStored',
            },
          },
        },
        /**
         * The stored pipeline of the slot has been changed: when the engine can make it, it is stored with the stream,
         * which switches to it then.
         */
        following: {
          on: {
            'graph.changed': { target: 'steady', actions: 'setGraph' },
            'manifest.changed': {
              guard: and([not('engineCanKeepRunning'), 'cameraCanStayOpen']),
              target: 'switching',
              actions: 'setStored',
            },
          },
          invoke: {
            id: 'followGraph',
            src: 'followGraph',
            input: ({ context }) => context.graph,
            onDone: { target: 'steady', actions: assign({ wasTried: true }) },
            onError: [
              { guard: 'engineHangs', target: '#stream.crashed', actions: 'setFault' },
              { target: 'steady', actions: ['setRefusal', assign({ wasTried: true }), 'reportRefused'] },
            ],
          },
        },
        /** Pictures go through the previous pipeline until the engine has made the other one. */
        switching: {
          entry: ['sendMount', 'sendRewind', assign({ hasOldModel: false })],
          on: {
            // Also back to the previous one: the engine may be about to leave it.
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
              { target: 'steady', actions: ['setRefusal', 'reportRefused'] },
            ],
          },
        },
      },
    },
    /**
     * No frame comes: the engine is asked again and again whether it works. A camera whose engine does is opened again.
     */
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
      after: {
        backOff: [
          { guard: 'resetIsDue', target: 'resetting' },
          { guard: 'cycleIsDue', target: 'power-cycling' },
          { target: 'opening' },
        ],
      },
    },
    /** Its USB device is taken away and found again. */
    resetting: {
      entry: assign({ wasReset: true }),
      on: {
        'camera.lost': {}, // the engine has it open, so the reset itself causes that
        'map.changed': {}, // the opening that follows reads it
      },
      invoke: {
        id: 'resetCamera',
        src: 'resetCamera',
        input: ({ context }) => context.stored,
        onDone: 'opening',
        onError: 'opening', // a service that may not do that opens it again as before
      },
    },
    /** The last rung, when the reset was in vain: its port is without power for two seconds. */
    'power-cycling': {
      entry: assign({ wasCycled: true }),
      on: {
        'camera.lost': {}, // as during the reset
        'map.changed': {},
      },
      invoke: {
        id: 'cyclePower',
        src: 'cyclePower',
        input: ({ context }) => context.stored,
        onDone: 'opening',
        onError: 'opening',
      },
    },
    ended: {},
    crashed: { type: 'final', entry: 'reportEngineLost' },
  },
})

type Outermost<Value> = Value extends string ? Value : keyof Value

/** The states in which a stream runs, whatever state is within them. */
export type StreamMachineState = Exclude<Outermost<SnapshotFrom<typeof streamMachine>['value']>, 'crashed'>

/** Their bodies. */
export type StreamActions = ActionBodies<typeof streamActions, typeof streamMachine>

declare module '../supervision/actors.ts' {
  interface Actors {
    readonly streams: typeof reconcilerMachine
    readonly [stream: `streams/${string}`]: typeof streamMachine
  }
}
