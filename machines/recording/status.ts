// The status of a stream's recording, as a part of the stream's status.
import type { Static } from 'typebox'
import { FaultDocument } from '../errors/fault-document.ts'
import { enumOf } from '../schema/enum-of.ts'
import Type from '../schema/type.ts'
import type { RecordedFile } from './order.ts'
import type { RecordingProgress } from './progress.ts'
import type { RecordingState } from './recording-machine.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })

const STATES: Readonly<Record<Exclude<RecordingState, 'idle'>, string>> = {
  starting: 'it has been ordered',
  recording: 'what is captured goes to the file',
  stopping: 'the file is being ended',
  'breaking-off': 'it ended by itself; what there is of the file is being kept',
  waiting: 'it goes on, in another file, when there are pictures again',
  continuing: 'the next file is being begun',
  failed: 'it cannot go on; start it again, or stop it',
}

/** The recording of a stream. Files are media items. */
export const RecordingStatus = Type.Object(
  {
    state: enumOf(STATES, 'RecordingState'),
    name: Type.Union([Type.String(), Type.Null()], { description: 'Of the media item; null while there is none.' }),
    since_ms: Type.Union([Type.Integer(), Type.Null()], {
      description: 'When that was begun, Unix time; null while there is none.',
    }),
    earlier: Type.Array(Type.String(), {
      description: 'The files before it of the same recording: whenever the engine is lost, it goes on in another one.',
    }),
    frames: count('In the file.'),
    frames_lost: count('That the disk or the encoder was too slow for.'),
    results: count('In the file beside it.'),
    results_lost: count('That are missing there.'),
    size_bytes: count('Of the file, as far as a power cut would leave it.'),
    duration_ms: count('Of the file.'),
    fault: Type.Union([FaultDocument, Type.Null()], {
      description: 'Why it was broken off last, or what but missing pictures keeps it from going on; null: neither.',
    }),
  },
  {
    additionalProperties: false,
    title: 'RecordingStatus',
    description: 'What is the case with the recording of a stream.',
  },
)
export type RecordingStatus = Static<typeof RecordingStatus>

/** A snapshot of recordingMachine, as much of it as a status shows. */
export interface RecordingSnapshot {
  readonly status: string
  readonly value: unknown
  readonly context: {
    readonly file: RecordedFile | null
    readonly earlier: readonly string[]
    readonly progress: RecordingProgress
    readonly request?: { readonly rewinds: boolean }
    readonly fault: { readonly code: NonNullable<RecordingStatus['fault']>['code']; readonly detail: string } | null
  }
}

/** null: nothing is being recorded. */
export const recordingStatusOf = (snapshot: RecordingSnapshot | undefined): RecordingStatus | null => {
  if (snapshot?.status !== 'active' || snapshot.value === 'idle') return null
  const { file, earlier, progress, fault } = snapshot.context
  return {
    state: snapshot.value as RecordingStatus['state'],
    name: file?.name ?? null,
    since_ms: file?.since_ms ?? null,
    earlier: [...earlier],
    frames: progress.pictures,
    frames_lost: progress.pictures_lost,
    results: progress.results,
    results_lost: progress.results_lost,
    size_bytes: progress.bytes,
    duration_ms: Math.round(progress.duration_us / 1000),
    fault: fault && { code: fault.code, detail: fault.detail },
  }
}

/** As the references show it. */
export const recordingExample: RecordingStatus = {
  state: 'recording',
  name: 'match-12-20260131-142501.mp4',
  since_ms: 1_769_869_501_000,
  earlier: [],
  frames: 372,
  frames_lost: 0,
  results: 372,
  results_lost: 0,
  size_bytes: 12_582_912,
  duration_ms: 12_400,
  fault: null,
}
