// What is the case with a stream, as against what its user wants of it.
import Type, { type Static } from 'typebox'
import { CATALOGUE, type FaultCode } from '../errors/catalogue.ts'

const strict = { additionalProperties: false } as const

const Code = Type.Enum(Object.keys(CATALOGUE) as FaultCode[], {
  title: 'FaultCode',
  description: 'The stable key of a fault, for programs.',
})

/** A fault as the wire shows it inside a status. */
export const FaultDocument = Type.Object(
  {
    code: Code,
    detail: Type.String({ description: 'A sentence for people: what happened, and what to do.' }),
  },
  { ...strict, title: 'Fault', description: 'What is wrong.' },
)

/** Something that goes wrong without stopping the stream. count: how often, since its camera was opened. */
export const StreamWarning = Type.Object(
  {
    code: Code,
    detail: Type.String({ description: 'A sentence about the latest.' }),
    count: Type.Integer({ minimum: 1, description: 'Since the camera was opened.' }),
  },
  { ...strict, title: 'StreamWarning', description: 'Something that goes wrong without stopping the stream.' },
)
export type StreamWarning = Static<typeof StreamWarning>

/** The warnings with another one counted in, which moves to the front: one entry for each code, and there are few codes. */
export const withWarning = (
  warnings: readonly StreamWarning[],
  { code, detail }: Pick<StreamWarning, 'code' | 'detail'>,
  times: number,
): readonly StreamWarning[] => {
  const before = warnings.find((each) => each.code === code)?.count ?? 0
  return [{ code, detail, count: before + times }, ...warnings.filter((each) => each.code !== code)]
}

/**
 * The condition of a stream.
 *
 * disabled: its manifest says so. starting: its engine is being started. opening, live, stalled, backing-off, ended: as machines/stream/stream-machine.ts.
 * restarting: its engine crashed and comes back after a pause. failed: it crashed too often, or could not be started at all; the fault says why. It
 * is tried again every 15 s, and at once with any write to it or a restart.
 */
export const StreamState = Type.Enum(
  ['disabled', 'starting', 'opening', 'live', 'stalled', 'backing-off', 'ended', 'restarting', 'failed'],
  {
    title: 'StreamState',
    description:
      'disabled: its manifest says so. starting: its engine is being started. opening: the camera or file is. live: pictures come and are processed. stalled: no picture comes. backing-off: the camera is opened again after a pause. ended: the last picture was processed. restarting: its engine crashed and is started again after a pause. failed: it crashed too often, and is tried again every 15 s.',
  },
)
export type StreamState = Static<typeof StreamState>

/** applied_revision: the newest revision of the manifest that the running engine has taken up; null before the first. */
export const StreamStatus = Type.Object(
  {
    state: StreamState,
    since_ms: Type.Integer({ description: 'When this state began, Unix time.' }),
    applied_revision: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The newest revision that the running engine has taken up; null before the first.',
    }),
    fault: Type.Union([FaultDocument, Type.Null()], { description: 'Why it is not live; null: nothing is wrong.' }),
    warnings: Type.Array(StreamWarning, {
      description:
        'What goes wrong although the stream works, the latest first: pictures that cannot be decoded, for one.',
    }),
    width_px: Type.Union([Type.Integer(), Type.Null()], { description: 'Of the pictures; null until they come.' }),
    height_px: Type.Union([Type.Integer(), Type.Null()], { description: 'Of the pictures; null until they come.' }),
    pixel_format: Type.Union([Type.String(), Type.Null()], { description: 'As captured; null until pictures come.' }),
    fps: Type.Union([Type.Number(), Type.Null()], {
      description: 'Processed frames per second over the last two seconds.',
    }),
    viewers: Type.Integer({ minimum: 0, description: 'Who watch its pictures now.' }),
    restarts: Type.Integer({ minimum: 0, description: 'Engine restarts since the service started.' }),
    extcam_table: Type.Union([Type.String(), Type.Null()], {
      description: 'The NT table on which the robot finds it; null: on none.',
    }),
  },
  { ...strict, title: 'StreamStatus', description: 'What is the case with a stream.' },
)
export type StreamStatus = Static<typeof StreamStatus>
