// What is the case with a stream, as against what its user wants of it.
import type { Static } from 'typebox'
import { AppliedCrop } from '../cameras/crop.ts'
import { TimestampSource } from '../engine/controls.ts'
import { FaultCode, FaultDocument } from '../errors/fault-document.ts'
import { GuardedStatus } from '../guard/guarded-status.ts'
import { CanonicalGraph } from '../pipeline/graph.ts'
import { RecordingStatus } from '../recording/status.ts'
import { enumOf } from '../schema/enum-of.ts'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'
import type { ChildStatus } from '../supervision/child.ts'
import { StreamLens } from './lens.ts'
import { RobotSet } from './robot-set.ts'
import { SlotNumber } from './slots.ts'
import type { StreamMachineState } from './stream-machine.ts'

const strict = { additionalProperties: false } as const

/** Something that goes wrong without stopping the stream. */
export const StreamWarning = Type.Object(
  {
    code: FaultCode,
    detail: Type.String({ description: 'A sentence about the latest.' }),
    count: Type.Integer({ minimum: 1, description: 'Since the camera was opened.' }),
    last_at_ms: Type.Integer({ minimum: 0, description: 'When it last happened, Unix time.' }),
  },
  { ...strict, title: 'StreamWarning', description: 'Something that goes wrong without stopping the stream.' },
)
export type StreamWarning = Static<typeof StreamWarning>

/**
 * The warnings with another one counted in, which moves to the front: one entry for each code, and there are few codes.
 * times: how often it happened, the last time at nowMs.
 */
export const withWarning = (
  warnings: readonly StreamWarning[],
  { code, detail }: Pick<StreamWarning, 'code' | 'detail'>,
  { times, nowMs }: { readonly times: number; readonly nowMs: number },
): readonly StreamWarning[] => {
  const before = warnings.find((each) => each.code === code)?.count ?? 0
  return [{ code, detail, count: before + times, last_at_ms: nowMs }, ...warnings.filter((each) => each.code !== code)]
}

/**
 * What is wrong with a pipeline shows with each picture, and is told of each second: after so long without it somebody
 * has repaired it.
 */
const REPAIRED_AFTER_MS = 10_000

/** Without those of a pipeline that goes well by now: whoever has repaired it shall see that. */
export const presentWarnings = (warnings: readonly StreamWarning[], nowMs: number): readonly StreamWarning[] =>
  warnings.filter(({ code, last_at_ms }) => !/^(step|pipeline)\./.test(code) || nowMs - last_at_ms < REPAIRED_AFTER_MS)

/**
 * The states of a stream: those of its machine, before that those of the child which runs it, before that `disabled`.
 */
export type StreamState = 'disabled' | 'paused' | Exclude<ChildStatus['state'], 'running'> | StreamMachineState

/** What each state means. */
const STATES: Readonly<Record<StreamState, string>> = {
  disabled: 'its manifest says so',
  paused: oneLine`
    the resource guard has stopped it, since the device has too little for all, or something else has its camera for a
    while, as its fault says; it comes back by itself`,
  starting: 'its engine is being started',
  opening: 'the camera is being opened, or its first picture is awaited',
  live: 'pictures are processed',
  stalled: 'no picture comes, though the engine works',
  'backing-off': 'the camera is gone or cannot be opened; it is opened again after a pause',
  resetting: 'the USB device of the camera is taken away by the system and found anew',
  'power-cycling': 'the USB port of the camera is without power for two seconds, since the reset was in vain',
  ended: 'a source that does not loop has played its last picture',
  restarting: 'its engine crashed and comes back after a pause',
  failed: oneLine`
    it crashed too often, or could not be started at all; it is tried again every 15 s, and at once with any write to
    it or a restart`,
}

/** The state of a stream on the wire. */
export const StreamState = enumOf(STATES, 'StreamState')

const PipelineTrial = Type.Object(
  {
    graph: CanonicalGraph,
    until_ms: Type.Integer({ minimum: 0, description: 'When it ends, unless it is renewed. Unix time.' }),
  },
  {
    ...strict,
    title: 'PipelineTrial',
    description: 'A pipeline that runs for a while in place of the one that is stored.',
  },
)
export type PipelineTrial = Static<typeof PipelineTrial>

const PipelineStatus = Type.Object(
  {
    slot: Type.Union([SlotNumber, Type.Null()], {
      description: 'The slot that is active; null: none, the stream runs a pipeline of its own, or one that is tried.',
    }),
    graph_id: Type.Union([Type.String(), Type.Null()], {
      description: 'The stored pipeline that it refers to; null: no slot is active.',
    }),
    fault: Type.Union([FaultDocument, Type.Null()], {
      description: oneLine`
        Why what is wanted (\`pipeline\` of the stream, or the stored pipeline as it is now) does not run: the one of
        before goes on, or pictures alone. null: it does, or is tried when pictures come.`,
    }),
    trial: Type.Union([PipelineTrial, Type.Null()], {
      description: 'What is wanted in place of that for a while (`trial_s`), and is not stored; null: nothing.',
    }),
  },
  { ...strict, title: 'StreamPipelineStatus', description: 'Which pipeline a stream runs.' },
)

/**
 * applied_revision: the newest revision of the manifest that the running engine has taken up; null before the first.
 */
export const StreamStatus = Type.Object(
  {
    state: StreamState,
    since_ms: Type.Integer({ description: 'When this state began, Unix time.' }),
    applied_revision: Type.Union([Type.Integer(), Type.Null()], {
      description: oneLine`
        The newest revision that the running engine has taken up, but for its pipeline while another one is tried; null
        before the first, and while another pipeline runs since the camera was opened.`,
    }),
    fault: Type.Union([FaultDocument, Type.Null()], { description: 'Why it is not live; null: nothing is wrong.' }),
    warnings: Type.Array(StreamWarning, {
      description: oneLine`
        What goes wrong although the stream works, the latest first: pictures that cannot be decoded, for one. Those
        of its pipeline are gone 10 s after the last.`,
    }),
    width_px: Type.Union([Type.Integer(), Type.Null()], { description: 'Of the pictures; null until they come.' }),
    height_px: Type.Union([Type.Integer(), Type.Null()], { description: 'Of the pictures; null until they come.' }),
    crop: Type.Union([AppliedCrop, Type.Null()], {
      description:
        'What of the picture of the mode they are, and who leaves out the rest; null: all, or none have come.',
    }),
    lens: Type.Union([StreamLens, Type.Null()], {
      description: 'The lens by which angles and poses are found; null until pictures come.',
    }),
    pixel_format: Type.Union([Type.String(), Type.Null()], { description: 'As captured; null until pictures come.' }),
    timestamp_source: Type.Union([TimestampSource, Type.Null()], {
      description: 'What their times of capture rest on; null until pictures come.',
    }),
    fps: Type.Union([Type.Number(), Type.Null()], {
      description: 'Processed frames per second over the last two seconds.',
    }),
    viewers: Type.Integer({ minimum: 0, description: 'Who watch its pictures now.' }),
    restarts: Type.Integer({
      minimum: 0,
      description: 'Engine restarts after crashes, since the stream was created or last enabled.',
    }),
    pipeline: PipelineStatus,
    extcam_table: Type.Union([Type.String(), Type.Null()], {
      description: 'The NT table on which the robot finds it; null: on none.',
    }),
    recording: Type.Union([RecordingStatus, Type.Null()], { description: 'null: nothing is being recorded.' }),
    guard: Type.Union([GuardedStatus, Type.Null()], {
      description: 'What the resource guard takes from it; null: nothing.',
    }),
    robot: Type.Union([RobotSet, Type.Null()], {
      description: 'What a robot program has set on it, which is no part of its settings; null: nothing.',
    }),
  },
  { ...strict, title: 'StreamStatus', description: 'What is the case with a stream.' },
)
export type StreamStatus = Static<typeof StreamStatus>
