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

export const recordingMachine = recordingSetup.createMachine({
  id: 'recording',
  context: { request: noRequest, ask: null, file: null, earlier: [], progress: noProgress, fault: null, end: null },
  invoke: { id: 'watchStream', src: 'watchStream' },
  initial: 'idle',
  on: { 'recording.start': { actions: { type: 'refuseStart', params: ({ event }) => event.ask } } },
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
        onDone: {
          target: 'recording',
          actions: [
            { type: 'setFile', params: ({ event }) => event.output },
            { type: 'answer', params: () => null },
            'forgetAsk',
          ],
        },
        onError: {
          target: 'idle',
          actions: [{ type: 'answer', params: ({ event }) => faultOf(event.error) }, 'forgetAsk'],
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
      invoke: {
        id: 'finish',
        src: 'finish',
        onDone: {
          target: 'idle',
          actions: [
            { type: 'answer', params: ({ event }) => event.output },
            { type: 'setFault', params: ({ event }) => event.output },
            'forgetAsk',
            'forget',
          ],
        },
        onError: {
          target: 'idle',
          actions: [
            { type: 'answer', params: ({ event }) => faultOf(event.error) },
            { type: 'setFault', params: ({ event }) => faultOf(event.error) },
            'forgetAsk',
            'forget',
          ],
        },
      },
    },
    /** The file is kept as far as it got. */
    'breaking-off': {
      on: {
        'recording.stop': [
          { guard: 'nobodyWaits', actions: 'keepAsk' },
          { actions: { type: 'refuseStop', params: ({ event }) => event.ask } },
        ],
      },
      invoke: {
        id: 'finishShort',
        src: 'finish',
        onDone: [
          {
            guard: 'somebodyWaits',
            target: 'idle',
            actions: [{ type: 'answer', params: ({ context }) => context.fault }, 'forgetAsk', 'forget'],
          },
          { guard: 'isLasting', target: 'failed', actions: 'keepPart' },
          { guard: 'picturesGoOn', target: 'continuing', actions: 'keepPart' },
          { target: 'waiting', actions: 'keepPart' },
        ],
        onError: [
          {
            guard: 'somebodyWaits',
            target: 'idle',
            actions: [{ type: 'answer', params: ({ event }) => faultOf(event.error) }, 'forgetAsk', 'forget'],
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
        'pictures.came': 'continuing',
        'recording.stop': {
          target: 'idle',
          actions: [{ type: 'answerStopped', params: ({ event }) => event.ask }, 'forget'],
        },
      },
      after: { retryEvery: 'continuing' },
    },
    continuing: {
      entry: 'forgetEnd',
      on: {
        'recording.ended': { actions: { type: 'keepEnd', params: ({ event }) => event } },
        'engine.gone': { actions: { type: 'keepEnd', params: ({ event }) => event } },
        'recording.stop': [
          { guard: 'nobodyWaits', actions: 'keepAsk' },
          { actions: { type: 'refuseStop', params: ({ event }) => event.ask } },
        ],
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
            actions: [{ type: 'answer', params: () => null }, 'forgetAsk', 'forget'],
          },
          {
            guard: { type: 'failsForGood', params: ({ event }) => faultOf(event.error) },
            target: 'failed',
            actions: [
              { type: 'record', params: ({ event }) => faultOf(event.error) },
              { type: 'setFault', params: ({ event }) => faultOf(event.error) },
            ],
          },
          { target: 'waiting', actions: { type: 'setFault', params: ({ event }) => faultOf(event.error) } },
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

/** The states of a recording. */
/** The bodies of the actions that the actor provides. */
export type RecordingActions = ActionBodies<typeof recordingActions, typeof recordingMachine>

export type RecordingState = SnapshotFrom<typeof recordingMachine>['value']

declare module '../supervision/actors.ts' {
  interface Actors {
    readonly recordings: typeof reconcilerMachine
    readonly [recording: `recordings/${string}`]: typeof recordingMachine
  }
}
