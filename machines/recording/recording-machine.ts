// The recording of one stream, from the order to begin to the file that is whole. It outlives the stream's engine: when
// that is lost, what it has written is kept, and the recording goes on in another file as soon as there are pictures
// again.
import { assign, raise, type SnapshotFrom } from 'xstate'
import type { ActionBodies } from '../effects.ts'
import { faultOf } from '../errors/fault.ts'
import type { reconcilerMachine } from '../supervision/reconciler-machine.ts'
import { requestOf } from './order.ts'
import { noProgress } from './progress.ts'
import { noRequest, type recordingActions, recordingSetup } from './recording-setup.ts'

/** It is about to end: whoever stops it waits for that. */
const stopToo = [
  { guard: 'mayWait', actions: 'keepAsk' },
  {
    actions: {
      type: 'refuseStop',
      params: ({ event }: { readonly event: { readonly ask: number } }) => event.ask,
    },
  },
] as const

export const recordingMachine = recordingSetup.createMachine({
  id: 'recording',
  context: {
    request: noRequest,
    asks: [],
    file: null,
    earlier: [],
    progress: noProgress,
    fault: null,
    hasPictures: false,
    end: null,
  },
  invoke: { id: 'watchStream', src: 'watchStream' },
  initial: 'idle',
  on: {
    'recording.start': { actions: { type: 'refuseStart', params: ({ event }) => event.ask } },
    'pictures.came': { actions: { type: 'notePictures', params: () => true } },
    'pictures.went': { actions: { type: 'notePictures', params: () => false } },
    'clock.set': { actions: { type: 'makeLater', params: ({ event }) => event.by_ms } },
  },
  states: {
    idle: {
      on: {
        'recording.start': {
          target: 'starting',
          actions: [{ type: 'setRequest', params: ({ event }) => requestOf(event) }, 'forget', 'keepAsk'],
        },
        'recording.stop': { actions: { type: 'answerStopped', params: ({ event }) => event.ask } },
      },
    },
    /** Somebody waits for it. */
    starting: {
      entry: 'forgetEnd',
      on: {
        'recording.ended': { actions: { type: 'keepEnd', params: ({ event }) => event } },
        'engine.gone': { actions: { type: 'keepEnd', params: ({ event }) => event } },
      },
      invoke: {
        id: 'begin',
        src: 'begin',
        input: ({ context }) => context.request,
        onDone: [
          {
            guard: 'endsAtOnce',
            target: 'stopping',
            actions: { type: 'setFile', params: ({ event }) => event.output },
          },
          {
            target: 'recording',
            actions: [
              { type: 'setFile', params: ({ event }) => event.output },
              { type: 'answer', params: () => null },
              'forgetAsks',
            ],
          },
        ],
        onError: {
          target: 'idle',
          actions: [{ type: 'answer', params: ({ event }) => faultOf(event.error) }, 'forgetAsks'],
        },
      },
    },
    recording: {
      always: {
        guard: 'hasEnded',
        actions: [raise(({ context }) => context.end as NonNullable<typeof context.end>), 'forgetEnd'],
      },
      on: {
        'recording.progressed': { actions: assign({ progress: ({ event }) => event.progress }) },
        'recording.stop': { target: 'stopping', actions: 'keepAsk' },
        'recording.ended': {
          target: 'breaking-off',
          actions: [
            assign({ progress: ({ context, event }) => event.progress ?? context.progress }),
            { type: 'setFault', params: ({ event }) => event.fault },
            { type: 'record', params: ({ event }) => event.fault },
          ],
        },
        'engine.gone': { target: 'breaking-off', actions: { type: 'setFault', params: ({ event }) => event.fault } },
      },
    },
    /** Somebody waits for it. */
    stopping: {
      on: { 'recording.stop': stopToo },
      invoke: {
        id: 'finish',
        src: 'finish',
        onDone: {
          target: 'idle',
          actions: [
            { type: 'answer', params: ({ event }) => event.output },
            { type: 'setFault', params: ({ event }) => event.output },
            'forgetAsks',
            'forget',
          ],
        },
        onError: {
          target: 'idle',
          actions: [
            { type: 'answer', params: ({ event }) => faultOf(event.error) },
            { type: 'setFault', params: ({ event }) => faultOf(event.error) },
            'forgetAsks',
            'forget',
          ],
        },
      },
    },
    /** The file is kept as far as it got. */
    'breaking-off': {
      on: {
        'recording.stop': stopToo,
      },
      invoke: {
        id: 'finishShort',
        src: 'finish',
        onDone: [
          {
            guard: 'somebodyWaits',
            target: 'idle',
            actions: [{ type: 'answer', params: ({ context }) => context.fault }, 'forgetAsks', 'forget'],
          },
          { guard: 'isLasting', target: 'failed', actions: 'keepPart' },
          { guard: 'picturesGoOn', target: 'continuing', actions: 'keepPart' },
          { target: 'waiting', actions: 'keepPart' },
        ],
        onError: [
          {
            guard: 'somebodyWaits',
            target: 'idle',
            actions: [{ type: 'answer', params: ({ event }) => faultOf(event.error) }, 'forgetAsks', 'forget'],
          },
          {
            target: 'failed',
            actions: [
              { type: 'record', params: ({ event }) => faultOf(event.error) },
              { type: 'setFault', params: ({ event }) => faultOf(event.error) },
              'keepPart',
            ],
          },
        ],
      },
    },
    /** For pictures, to go on in another file. */
    waiting: {
      on: {
        'pictures.came': { target: 'continuing', actions: { type: 'notePictures', params: () => true } },
        'recording.stop': {
          target: 'idle',
          actions: [{ type: 'answerStopped', params: ({ event }) => event.ask }, 'forget'],
        },
      },
      // where there are none, another attempt every few seconds would only be told to everybody
      after: { retryEvery: { guard: 'hasPictures', target: 'continuing' } },
    },
    continuing: {
      entry: 'forgetEnd',
      on: {
        'recording.ended': { actions: { type: 'keepEnd', params: ({ event }) => event } },
        'engine.gone': { actions: { type: 'keepEnd', params: ({ event }) => event } },
        'recording.stop': stopToo,
      },
      invoke: {
        id: 'beginAgain',
        src: 'begin',
        input: ({ context }) => context.request,
        onDone: [
          {
            guard: 'somebodyWaits',
            target: 'stopping',
            actions: { type: 'setFile', params: ({ event }) => event.output },
          },
          { target: 'recording', actions: { type: 'setFile', params: ({ event }) => event.output } },
        ],
        onError: [
          {
            guard: 'somebodyWaits',
            target: 'idle',
            actions: [{ type: 'answer', params: () => null }, 'forgetAsks', 'forget'],
          },
          {
            guard: { type: 'failsForGood', params: ({ event }) => faultOf(event.error) },
            target: 'failed',
            actions: [
              { type: 'record', params: ({ event }) => faultOf(event.error) },
              { type: 'setFault', params: ({ event }) => faultOf(event.error) },
            ],
          },
          {
            guard: 'hasPictures',
            target: 'waiting',
            actions: { type: 'setFault', params: ({ event }) => faultOf(event.error) },
          },
          { target: 'waiting' }, // which says that there are none
        ],
      },
    },
    /** It was ordered, and cannot go on; what there is of it was kept. */
    failed: {
      on: {
        'recording.start': {
          target: 'starting',
          actions: [{ type: 'setRequest', params: ({ event }) => requestOf(event) }, 'forget', 'keepAsk'],
        },
        'recording.stop': {
          target: 'idle',
          actions: [
            { type: 'answerStopped', params: ({ event }) => event.ask },
            { type: 'setFault', params: () => null },
            'forget',
          ],
        },
      },
    },
  },
})

/** The bodies of the actions that the actor provides. */
export type RecordingActions = ActionBodies<typeof recordingActions, typeof recordingMachine>

/** The states of a recording. */
export type RecordingState = SnapshotFrom<typeof recordingMachine>['value']

declare module '../supervision/actors.ts' {
  interface Actors {
    readonly recordings: typeof reconcilerMachine
    readonly [recording: `recordings/${string}`]: typeof recordingMachine
  }
}
