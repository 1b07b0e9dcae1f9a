// The newest sample of an output that says where something is, as every path shows it.
import type { TSchema } from 'typebox'
import type { Directory } from '../../actors/directory.ts'
import type { StreamRuntime } from '../../actors/stream/stream-runtime.ts'
import { header } from '../../machines/engine/result.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { OutputKey } from '../../machines/localization/external/names.ts'
import type { OutputSlot } from '../../machines/localization/external/output-slot.ts'
import { PoseDocument, poseToDocument } from '../../machines/localization/pose.ts'
import { Quaternion, quaternionOf } from '../../machines/localization/pose-body.ts'
import {
  deviationsDocument,
  LocalizationSolve,
  PoseDeviations,
  solveExample,
} from '../../machines/localization/solve-document.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { orNull } from '../../machines/schema/or-null.ts'
import Type from '../../machines/schema/type.ts'
import { type LocalizationKind, localizationOutputsOf, outputNotFound } from '../../machines/stream/outputs.ts'
import type { Clock } from '../../native/clock/port.ts'
import { fault } from '../problems/problem.ts'
import { sampleIn, sampleValue, titleOf } from '../stream/pipeline/samples.ts'
import { poseExample } from '../stream/wire.ts'

const strict = { additionalProperties: false } as const

const key = Type.String({ maxLength: 128, description: 'Which of the outputs.' })
const age = orNull(Type.Number(), 'How long ago its frame was taken; null: there is no sample.')

const placeOf = (kind: LocalizationKind) =>
  Type.Object(
    { output_key: key, data_type: Type.Literal(kind), age_ms: age, sample: sampleValue(kind) },
    { ...strict, title: titleOf(kind, 'Place'), description: `The newest sample of an output of kind ${kind}.` },
  )

const Solve = Type.Object(
  {
    output_key: key,
    data_type: Type.Literal('solve'),
    age_ms: age,
    sample: orNull(LocalizationSolve, 'null: there was no round yet.'),
  },
  { ...strict, title: 'SolvePlace', description: 'The newest round of all cameras of a device.' },
)

const union = (members: TSchema[], title: string, description: string) => Type.Union(members, { title, description })

/** The sample of an output of a stream. */
export const StreamPlace = union(
  [placeOf('tag_poses'), placeOf('field_pose')],
  'StreamPlace',
  'The newest sample of an output of a stream; what it is is told by its `data_type`.',
)

/** The sample of an output of another device. */
export const PeerPlace = union(
  [placeOf('tag_poses'), placeOf('field_pose'), Solve],
  'PeerPlace',
  oneLine`
    The newest sample of an output of another device; what it is is told by its \`data_type\`. Times are those of the
    device that answers.
  `,
)

const ExternalValue = Type.Object(
  {
    captured_us: Type.Number({ description: 'When it was true, CLOCK_MONOTONIC.' }),
    captured_at_ms: Type.Number({ description: 'The same, Unix time.' }),
    pose: PoseDocument,
    quaternion: Quaternion,
    std_devs: PoseDeviations,
    reset_counter: Type.Integer({ minimum: 0, description: 'Between two of different numbers the origin has jumped.' }),
  },
  {
    ...strict,
    title: 'ExternalPose',
    description: oneLine`
      Where the robot is, as another program says: on the field seen from the blue corner, whatever frame it was sent
      in; of a relative source in the frame of that.
    `,
  },
)

/** The sample of an output of an external source. */
export const ExternalPlace = Type.Object(
  {
    output_key: OutputKey,
    data_type: Type.Literal('pose'),
    age_ms: orNull(
      Type.Number(),
      'How long ago the newest was true, also of one that is too old; null: none has come.',
    ),
    stale: Type.Boolean({ description: 'Whether the newest is too old to be shown, or the source has lost its way.' }),
    sample: orNull(ExternalValue, 'null: none has come, or it is stale.'),
  },
  { ...strict, title: 'ExternalPlace', description: 'The newest sample of an output of an external source.' },
)

export const streamPlaceExample = {
  output_key: 'tag_poses',
  data_type: 'tag_poses',
  age_ms: 31.5,
  sample: { seq: 9000, captured_us: 300_000_000, captured_at_ms: 1_767_225_600_000, too_full: false, rows: [] },
}

export const peerPlaceExample = { output_key: 'device.solve', data_type: 'solve', age_ms: 42.1, sample: solveExample }

export const externalPlaceExample = {
  output_key: 'pose',
  data_type: 'pose',
  age_ms: 12.5,
  stale: false,
  sample: {
    captured_us: 300_000_000,
    captured_at_ms: 1_767_225_600_000,
    pose: poseExample,
    quaternion: quaternionOf(poseExample),
    std_devs: solveExample.std_devs,
    reset_counter: 0,
  },
}

/** Of a stream, or why there is none. shownKey: as it was asked for. */
export const streamPlace = (
  directory: Directory,
  stream: StreamRuntime,
  { port, shownKey = port }: { readonly port: string; readonly shownKey?: string },
): object | Fault => {
  const { id, wanted } = stream
  const output = localizationOutputsOf(wanted.value).find((each) => each.port === port)
  if (!output) return outputNotFound(id, port)
  const failed = failureOf(stream)
  if (failed) return failed
  const { value: result } = stream.results
  const sample = sampleIn(directory, result, output)
  const ageUs = result && directory.clock.monotonicUs() - header(result, 'captured_us')
  return {
    output_key: shownKey,
    data_type: output.kind,
    age_ms: sample === null || ageUs === undefined ? null : ageUs / 1000,
    sample,
  }
}

const failureOf = (stream: StreamRuntime): Fault | undefined => {
  const { state, fault: found } = stream.status()
  if (state !== 'failed') return undefined
  return fault('stream.failed', `the stream ${stream.id} has failed: ${found?.detail ?? 'nobody knows why'}`)
}

/** Of an external source. */
export const externalPlace = (
  { nowMs, monotonicUs }: Pick<Clock, 'nowMs' | 'monotonicUs'>,
  slot: OutputSlot,
  output_key: string,
) => {
  const nowUs = monotonicUs()
  const fresh = slot.fresh(nowUs)
  const ageUs = slot.ageUs(nowUs)
  const pose = fresh && poseToDocument(fresh.pose)
  return {
    output_key,
    data_type: 'pose',
    age_ms: ageUs === undefined ? null : ageUs / 1000,
    stale: slot.isStale(nowUs),
    sample:
      fresh && pose
        ? {
            captured_us: fresh.capturedUs,
            captured_at_ms: Math.round(nowMs() - (nowUs - fresh.capturedUs) / 1000),
            pose,
            quaternion: quaternionOf(pose),
            std_devs: deviationsDocument(fresh.std),
            reset_counter: fresh.resetCounter,
          }
        : null,
  }
}
