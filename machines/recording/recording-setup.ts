// The context, replies and limits of a recording; its states stand in recording-machine.ts.
import { assign, emit, enqueueActions, setup } from 'xstate'
import { needed, providedAction } from '../effects.ts'
import type { Fault, Reply } from '../errors/fault.ts'
import type { RecordedFile, RecordingEvent, RecordingRequest } from './order.ts'
import { noProgress, type RecordingProgress } from './progress.ts'

/**
 * The effects. watchStream: tells what becomes of the stream's engine. begin: has a file, and the engine record to it.
 * finish: ends the file, as whole as it got; answers why it is shorter than it should be.
 */
const recordingEffects = {
  watchStream: needed<never>('watchStream'),
  begin: needed<RecordedFile, RecordingRequest>('begin'),
  finish: needed<Fault | null>('finish'),
}
export type RecordingEffects = typeof recordingEffects

interface Context {
  readonly request: RecordingRequest
  /** Who is to be answered: who gave the order, and who gave it again since. */
  readonly asks: readonly number[]
  readonly file: RecordedFile | null
  /** Those before it of the same recording, the newest last. */
  readonly earlier: readonly string[]
  readonly progress: RecordingProgress
  readonly fault: Fault | null
  /** Whether the stream gives any. */
  readonly hasPictures: boolean
  /** What ended the file before it was known here that it is begun. */
  readonly end: RecordingEnd | null
}

export const noRequest: RecordingRequest = { name: null, rewinds: false, endsAtOnce: false, library: null }

/** Its names are shown; a stream whose engine dies on and on makes a file every 15 s. */
const MAX_EARLIER = 20

/** Who waits for one end. */
const MAX_ASKS = 8

/** Seldom enough for a disk that does not answer; pictures that come are told at once. */
const RETRY_EVERY_MS = 5_000

/** What another attempt does not mend. */
const LASTING: readonly Fault['code'][] = ['storage.full', 'recording.unavailable', 'codec.unavailable']

type RecordingEnd = Extract<RecordingEvent, { readonly type: 'recording.ended' | 'engine.gone' }>

const recordsAlready = (file: RecordedFile | null): Fault => ({
  code: 'actor.not_now',
  detail: `the stream is being recorded already${file ? `, as ${file.name}` : ''}; stop that first`,
})

const stopsAlready: Fault = {
  code: 'actor.not_now',
  detail: 'the recording of this stream is being stopped already, and many wait for that',
}

/** The actions that the actor provides. */
export const recordingActions = {
  /** Enters the fault in the error history. */
  record: providedAction<Fault>(),
}

type RecordingReply = Reply<{ readonly id: string }>

/** What the machine of a recording works with: its effects, what it remembers, and whom it answers. */
export const recordingSetup = setup({
  types: { context: {} as Context, events: {} as RecordingEvent, emitted: {} as RecordingReply },
  actors: recordingEffects,
  actions: {
    ...recordingActions,
    refuseStart: emit(
      ({ context }, ask: number) =>
        ({ type: 'reply', ask, outcome: 'refused', fault: recordsAlready(context.file) }) as const,
    ),
    refuseStop: emit((_, ask: number) => ({ type: 'reply', ask, outcome: 'refused', fault: stopsAlready }) as const),
    answerStopped: emit((_, ask: number) => ({ type: 'reply', ask, outcome: 'done' }) as const),
    /** Answers all who wait for the order that has ended now. Its types are said: else none of the others are known. */
    answer: enqueueActions<
      Context,
      RecordingEvent,
      Fault | null,
      RecordingEvent,
      never,
      never,
      never,
      never,
      RecordingReply
    >(({ context: { asks, file }, enqueue }, fault) => {
      for (const ask of asks)
        enqueue.emit(
          fault
            ? { type: 'reply', ask, outcome: 'failed', fault }
            : { type: 'reply', ask, outcome: 'done', ...(file && { value: { id: file.name } }) },
        )
    }),
    setRequest: assign({ request: (_, request: RecordingRequest) => request, fault: null }),
    forgetAsks: assign({ asks: [] }),
    keepAsk: assign({ asks: ({ context: { asks }, event }) => ('ask' in event ? [...asks, event.ask] : asks) }),
    setFault: assign({ fault: (_, fault: Fault | null) => fault }),
    setFile: assign((_, file: RecordedFile) => ({ file, progress: noProgress, fault: null })),
    makeLater: assign(({ context: { file } }, byMs: number) => ({
      file: file && { ...file, since_ms: Math.max(0, file.since_ms + byMs) },
    })),
    /** An engine may end a file before its answer that it has begun it has got here. */
    keepEnd: assign({ end: (_, end: RecordingEnd) => end }),
    forgetEnd: assign({ end: null }),
    /** The next file is another part of the same recording: what was kept stands in the first. */
    keepPart: assign(({ context: { request, file, earlier } }) => ({
      request: { ...request, rewinds: false },
      file: null,
      earlier: file ? [...earlier, file.name].slice(-MAX_EARLIER) : earlier,
    })),
    notePictures: assign({ hasPictures: (_, has: boolean) => has }),
    forget: assign({ file: null, earlier: [], progress: noProgress }),
  },
  guards: {
    hasEnded: ({ context }) => context.end !== null,
    endsAtOnce: ({ context }) => context.request.endsAtOnce,
    hasPictures: ({ context }) => context.hasPictures,
    somebodyWaits: ({ context }) => context.asks.length > 0,
    mayWait: ({ context }) => context.asks.length < MAX_ASKS,
    isLasting: ({ context }) => context.fault !== null && LASTING.includes(context.fault.code),
    /** The camera was opened again, with other pictures: they come, or are about to. */
    picturesGoOn: ({ context }) => context.fault?.code === 'recording.other_size',
    failsForGood: (_, fault: Fault) => LASTING.includes(fault.code),
  },
  delays: { retryEvery: RETRY_EVERY_MS },
})
