// The recording of one stream, from the order to begin to the file that is whole. It outlives the stream's engine: when that is lost, what it has written is
// kept, and the recording goes on in another file as soon as there are pictures again.
import { assign, emit, type SnapshotFrom, setup } from 'xstate'
import { needed } from '../effects.ts'
import { type Fault, faultOf, type Reply } from '../errors/fault.ts'
import type { reconcilerMachine } from '../supervision/reconciler-machine.ts'
import { noProgress, type RecordingProgress } from './progress.ts'

/** What a client wants of a recording. name: what people call it. */
export interface RecordingWish {
  readonly name: string | null
}

/** A file that is being recorded. name: of the media item. since_ms: Unix time. */
export interface RecordedFile {
  readonly name: string
  readonly since_ms: number
}

/**
 * The effects. watchStream: tells what becomes of the stream's engine. begin: has a file, and the engine record to it. finish: ends the file, as whole as it
 * got; answers why it is shorter than it should be.
 */
const recordingEffects = {
  watchStream: needed<never>('watchStream'),
  begin: needed<RecordedFile, RecordingWish>('begin'),
  finish: needed<Fault | null>('finish'),
}
export type RecordingEffects = typeof recordingEffects

export type RecordingEvent =
  /** Answered with the file when the engine records to it. */
  | ({ readonly type: 'recording.start'; readonly ask: number } & RecordingWish)
  /** Answered when the file is whole; at once when nothing is recorded. */
  | { readonly type: 'recording.stop'; readonly ask: number }
  | { readonly type: 'recording.progressed'; readonly progress: RecordingProgress }
  /** It has ended by itself: no room is left, or the pictures have another size. */
  | { readonly type: 'recording.ended'; readonly fault: Fault; readonly progress: RecordingProgress | null }
  /** The engine is gone, and its file is as it left it. */
  | { readonly type: 'engine.gone'; readonly fault: Fault }
  /** There are pictures again. */
  | { readonly type: 'pictures.came' }

interface Context {
  readonly wish: RecordingWish
  /** Who is to be answered. */
  readonly ask: number | null
  readonly file: RecordedFile | null
  /** Those before it of the same recording, the newest last. */
  readonly earlier: readonly string[]
  readonly progress: RecordingProgress
  readonly fault: Fault | null
}

/** Its names are shown; a stream whose engine dies on and on makes a file every 15 s. */
const MOST_EARLIER = 20

/** Seldom enough for a device without room or camera; pictures that come are told at once. */
const RETRY_EVERY_MS = 5_000

/** What another attempt does not mend. */
const LASTING: readonly Fault['code'][] = ['storage.full', 'recording.unavailable']

const recordsAlready = (file: RecordedFile | null): Fault => ({
  code: 'actor.not_now',
  detail: `the stream is being recorded already${file ? `, as ${file.name}` : ''}; stop that first`,
})

const stopsAlready: Fault = { code: 'actor.not_now', detail: 'the recording of this stream is being stopped already' }

export const recordingMachine = setup({
  types: { context: {} as Context, events: {} as RecordingEvent, emitted: {} as Reply<{ readonly id: string }> },
  actors: recordingEffects,
  actions: {
    /** Enters the fault in the error history. Given a body by the actor. */
    record: (_, _fault: Fault) => {},
    refuseStart: emit(
      ({ context }, ask: number) =>
        ({ type: 'reply', ask, outcome: 'refused', fault: recordsAlready(context.file) }) as const,
    ),
    refuseStop: emit((_, ask: number) => ({ type: 'reply', ask, outcome: 'refused', fault: stopsAlready }) as const),
    answerStopped: emit((_, ask: number) => ({ type: 'reply', ask, outcome: 'done' }) as const),
    /** Whoever ordered what has ended now. */
    answer: emit(({ context }, fault: Fault | null) => {
      const reply = { type: 'reply', ask: context.ask ?? 0 } as const
      if (fault) return { ...reply, outcome: 'failed', fault } as const
      return { ...reply, outcome: 'done', ...(context.file && { value: { id: context.file.name } }) } as const
    }),
    forgetAsk: assign({ ask: null }),
    keepAsk: assign({ ask: ({ event }) => ('ask' in event ? event.ask : null) }),
    setFault: assign({ fault: (_, fault: Fault | null) => fault }),
    setFile: assign((_, file: RecordedFile) => ({ file, progress: noProgress, fault: null })),
    /** The next file is another part of the same recording. */
    keepPart: assign(({ context: { file, earlier } }) => ({
      file: null,
      earlier: file ? [...earlier, file.name].slice(-MOST_EARLIER) : earlier,
    })),
    forget: assign({ file: null, earlier: [], progress: noProgress }),
  },
  guards: {
    somebodyWaits: ({ context }) => context.ask !== null,
    nobodyWaits: ({ context }) => context.ask === null,
    isLasting: ({ context }) => context.fault !== null && LASTING.includes(context.fault.code),
    failsForGood: (_, fault: Fault) => LASTING.includes(fault.code),
  },
  delays: { retryEvery: RETRY_EVERY_MS },
}).createMachine({
  id: 'recording',
  context: { wish: { name: null }, ask: null, file: null, earlier: [], progress: noProgress, fault: null },
  invoke: { id: 'watchStream', src: 'watchStream' },
  initial: 'idle',
  on: { 'recording.start': { actions: { type: 'refuseStart', params: ({ event }) => event.ask } } },
  states: {
    idle: {
      on: {
        'recording.start': {
          target: 'starting',
          actions: [assign({ wish: ({ event: { name } }) => ({ name }), fault: null }), 'forget', 'keepAsk'],
        },
        'recording.stop': { actions: { type: 'answerStopped', params: ({ event }) => event.ask } },
      },
    },
    /** Somebody waits for it. */
    starting: {
      invoke: {
        id: 'begin',
        src: 'begin',
        input: ({ context }) => context.wish,
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
      on: {
        'recording.stop': [
          { guard: 'nobodyWaits', actions: 'keepAsk' },
          { actions: { type: 'refuseStop', params: ({ event }) => event.ask } },
        ],
      },
      invoke: {
        id: 'beginAgain',
        src: 'begin',
        input: ({ context }) => context.wish,
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
          actions: [assign({ wish: ({ event: { name } }) => ({ name }), fault: null }), 'forget', 'keepAsk'],
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
export type RecordingState = SnapshotFrom<typeof recordingMachine>['value']

declare module '../supervision/actors.ts' {
  interface Actors {
    readonly recordings: typeof reconcilerMachine
    readonly [recording: `recordings/${string}`]: typeof recordingMachine
  }
}
