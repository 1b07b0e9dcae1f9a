// The context, replies and limits of a recording; its states stand in recording-machine.ts.
import { assign, emit, setup } from 'xstate'
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
  /** Who is to be answered. */
  readonly ask: number | null
  readonly file: RecordedFile | null
  /** Those before it of the same recording, the newest last. */
  readonly earlier: readonly string[]
  readonly progress: RecordingProgress
  readonly fault: Fault | null
  /** What ended the file before it was known here that it is begun. */
  readonly end: RecordingEnd | null
}

export const noRequest: RecordingRequest = { name: null, rewinds: false, library: null }

/** Its names are shown; a stream whose engine dies on and on makes a file every 15 s. */
const MAX_EARLIER = 20

/** Seldom enough for a device without room or camera; pictures that come are told at once. */
const RETRY_EVERY_MS = 5_000

/** What another attempt does not mend. */
const LASTING: readonly Fault['code'][] = ['storage.full', 'recording.unavailable', 'codec.unavailable']

type RecordingEnd = Extract<RecordingEvent, { readonly type: 'recording.ended' | 'engine.gone' }>

const recordsAlready = (file: RecordedFile | null): Fault => ({
  code: 'actor.not_now',
  detail: `the stream is being recorded already${file ? `, as ${file.name}` : ''}; stop that first`,
})

const stopsAlready: Fault = { code: 'actor.not_now', detail: 'the recording of this stream is being stopped already' }

/** The actions that the actor provides. */
export const recordingActions = {
  /** Enters the fault in the error history. */
  record: providedAction<Fault>(),
}

/** What the machine of a recording works with: its effects, what it remembers, and whom it answers. */
export const recordingSetup = setup({
  types: { context: {} as Context, events: {} as RecordingEvent, emitted: {} as Reply<{ readonly id: string }> },
  actors: recordingEffects,
  actions: {
    ...recordingActions,
    refuseStart: emit(
      ({ context }, ask: number) =>
        ({ type: 'reply', ask, outcome: 'refused', fault: recordsAlready(context.file) }) as const,
    ),
    refuseStop: emit((_, ask: number) => ({ type: 'reply', ask, outcome: 'refused', fault: stopsAlready }) as const),
    answerStopped: emit((_, ask: number) => ({ type: 'reply', ask, outcome: 'done' }) as const),
    /** Answers the order that has ended now. */
    answer: emit(({ context }, fault: Fault | null) => {
      const reply = { type: 'reply', ask: context.ask ?? 0 } as const
      if (fault) return { ...reply, outcome: 'failed', fault } as const
      return { ...reply, outcome: 'done', ...(context.file && { value: { id: context.file.name } }) } as const
    }),
    setRequest: assign({ request: (_, request: RecordingRequest) => request, fault: null }),
    forgetAsk: assign({ ask: null }),
    keepAsk: assign({ ask: ({ event }) => ('ask' in event ? event.ask : null) }),
    setFault: assign({ fault: (_, fault: Fault | null) => fault }),
    setFile: assign((_, file: RecordedFile) => ({ file, progress: noProgress, fault: null })),
    /** An engine may end a file before its answer that it has begun it has got here. */
    keepEnd: assign({ end: (_, end: RecordingEnd) => end }),
    forgetEnd: assign({ end: null }),
    /** The next file is another part of the same recording: what was kept stands in the first. */
    keepPart: assign(({ context: { request, file, earlier } }) => ({
      request: { ...request, rewinds: false },
      file: null,
      earlier: file ? [...earlier, file.name].slice(-MAX_EARLIER) : earlier,
    })),
    forget: assign({ file: null, earlier: [], progress: noProgress }),
  },
  guards: {
    hasEnded: ({ context }) => context.end !== null,
    somebodyWaits: ({ context }) => context.ask !== null,
    nobodyWaits: ({ context }) => context.ask === null,
    isLasting: ({ context }) => context.fault !== null && LASTING.includes(context.fault.code),
    /** The camera was opened again, with other pictures: they come, or are about to. */
    picturesGoOn: ({ context }) => context.fault?.code === 'recording.other_size',
    failsForGood: (_, fault: Fault) => LASTING.includes(fault.code),
  },
  delays: { retryEvery: RETRY_EVERY_MS },
})
