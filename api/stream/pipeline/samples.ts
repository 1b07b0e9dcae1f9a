// The newest values of a pipeline's outputs on the wire.

import type { Directory } from '../../../actors/directory.ts'
import type { StreamRuntime } from '../../../actors/stream/stream-runtime.ts'
import { header, type OutputKind, RESULT_FIELDS, type Result, rowsOf } from '../../../machines/engine/result.ts'
import { rowDocuments } from '../../../machines/engine/row-documents.ts'
import { RowDocument } from '../../../machines/engine/rows.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import { poseError } from '../../../machines/localization/accuracy.ts'
import { PoseDocument, poseAt, poseToDocument } from '../../../machines/localization/pose.ts'
import { oneLine } from '../../../machines/schema/one-line.ts'
import { orNull } from '../../../machines/schema/or-null.ts'
import Type from '../../../machines/schema/type.ts'
import { outputNotFound, outputsOf, type Promised } from '../../../machines/stream/outputs.ts'
import { isComputed } from '../../../machines/stream/sources/traits.ts'
import { fault } from '../../problems/problem.ts'
import { poseExample } from '../wire.ts'

const OUTPUT_KINDS = Object.keys(RESULT_FIELDS) as OutputKind[]
const strict = { additionalProperties: false } as const
/** Which frame a value belongs to. */
const Frame = {
  seq: Type.Integer({ minimum: 0, description: 'The number of the frame, since the camera was opened.' }),
  captured_us: Type.Number({ description: 'Mid-exposure, CLOCK_MONOTONIC.' }),
  captured_at_ms: Type.Number({ description: 'The same, Unix time.' }),
  too_full: Type.Boolean({
    description: oneLine`
      There was more in the picture than can be looked at in time (\`picture.too_full\`): what is small in it may be
      missed.
    `,
  }),
}

/** `DetectionsOutput` of `detections`. */
export const titleOf = (kind: OutputKind | 'image', what: 'Output' | 'Sample' | 'Value' | 'Place') =>
  `${kind.replace(/(?:^|_)([a-z])/g, (_, first: string) => first.toUpperCase())}${what}`

/** The newest value of an output of a kind. */
export const sampleValue = (kind: OutputKind) =>
  orNull(
    Type.Object(
      { ...Frame, rows: Type.Array(RowDocument[kind]) },
      { ...strict, title: titleOf(kind, 'Value'), description: `A value of an output of kind ${kind}.` },
    ),
    'null until a frame has been processed.',
  )

const outputFields = {
  port: Type.String({ description: 'Its name.' }),
  from: orNull(Type.String(), '`<node>.<port>` of the graph; null: the synthetic camera adds it.'),
}

const outputOf = (kind: OutputKind) =>
  Type.Object(
    { ...outputFields, kind: Type.Literal(kind), sample: Type.Optional(sampleValue(kind)) },
    { ...strict, title: titleOf(kind, 'Output'), description: `An output of kind ${kind}. sample: where asked for.` },
  )

const ImageOutput = Type.Object(
  { ...outputFields, kind: Type.Literal('image') },
  { ...strict, title: titleOf('image', 'Output'), description: 'A picture, which can be watched at the preview.' },
)

export const OutputList = Type.Object(
  {
    outputs: Type.Array(
      Type.Union([...OUTPUT_KINDS.map(outputOf), ImageOutput], {
        title: 'Output',
        description: 'An output of a pipeline; what its rows are is told by its kind.',
      }),
    ),
  },
  { ...strict, title: 'OutputList', description: 'The outputs of a pipeline.' },
)

const sampleOf = (kind: OutputKind) =>
  Type.Object(
    {
      port: Type.String({ description: 'The name of the output.' }),
      kind: Type.Literal(kind),
      sample: sampleValue(kind),
    },
    { ...strict, title: titleOf(kind, 'Sample'), description: `The newest value of an output of kind ${kind}.` },
  )

export const OutputSample = Type.Union(OUTPUT_KINDS.map(sampleOf), {
  title: 'OutputSample',
  description: 'The newest value of an output; what its rows are is told by its kind.',
})

export const TruthSample = Type.Object(
  {
    sample: orNull(
      Type.Object(
        {
          ...Frame,
          robot: PoseDocument,
          camera: PoseDocument,
          board: Type.Optional(PoseDocument),
          visible: Type.Array(RowDocument.visible),
          error: Type.Optional(
            Type.Object(
              {
                distance_m: Type.Number({ minimum: 0, description: 'Between the solved and the true robot.' }),
                angle_deg: Type.Number({ minimum: 0, description: 'Between the solved and the true robot.' }),
              },
              {
                ...strict,
                title: 'PoseError',
                description: 'How far off the solved robot pose of the same frame is; absent when none was solved.',
              },
            ),
          ),
        },
        strict,
      ),
      'null until a frame has been processed.',
    ),
  },
  {
    ...strict,
    title: 'StreamTruth',
    description: oneLine`
      Where the robot and the camera really are on the field, and which tags can be seen. board: where the one that is
      held in front of the camera is, seen from its body, without turns where it is held squarely; absent: none is.
    `,
  },
)

const frameExample = { seq: 9000, captured_us: 300_000_000, captured_at_ms: 1_767_225_600_000, too_full: false }

const tagExample = {
  center: { x_px: 640, y_px: 400 },
  corners: [
    { x_px: 620, y_px: 420 },
    { x_px: 660, y_px: 420 },
    { x_px: 660, y_px: 380 },
    { x_px: 620, y_px: 380 },
  ],
}

export const outputsExample = { outputs: [{ port: 'tags', kind: 'detections', from: 'tags.detections' }] }

export const sampleExample = {
  port: 'tags',
  kind: 'detections',
  sample: { ...frameExample, rows: [{ family: 'tag36h11', id: 3, hamming: 0, margin: 63.5, ...tagExample }] },
}

export const truthExample = {
  sample: {
    ...frameExample,
    robot: { ...poseExample, pitch_deg: 0 },
    camera: poseExample,
    visible: [{ id: 3, distance_m: 2.9, visible_fraction: 1, ...tagExample }],
    error: { distance_m: 0.008, angle_deg: 0.12 },
  },
}

const TRUTH_FIELDS: readonly string[] = RESULT_FIELDS.truth

const isRows = (output: Promised): output is Promised<OutputKind> => output.kind !== 'image'

/** withSamples: each with its newest value, all of one frame. */
export const outputList = (directory: Directory, stream: StreamRuntime, withSamples: boolean) => {
  const outputs = outputsOf(stream.wanted.value)
  if (!withSamples) return { outputs }
  const { value: result } = stream.results
  return {
    outputs: outputs.map((output) =>
      isRows(output) ? { ...output, sample: sampleIn(directory, result, output) } : output,
    ),
  }
}

export const outputSample = (directory: Directory, stream: StreamRuntime, port: string): object | Fault => {
  const { id, wanted } = stream
  const output = outputsOf(wanted.value).find((each) => each.port === port)
  if (!output) return outputNotFound(id, port)
  if (!isRows(output))
    return fault('output.other_kind', `the output ${port} is a picture; look at it with preview?output=${port}`)
  return { port, kind: output.kind, sample: sampleIn(directory, stream.results.value, output) }
}

/** The value of an output in a result; null: there is none yet. */
export const sampleIn = (
  directory: Directory,
  result: Result | undefined,
  { port, kind }: Pick<Promised<OutputKind>, 'port' | 'kind'>,
) => {
  const rows = result && rowDocuments(result, port, kind)
  return result && rows ? { ...frameOf(directory, result), rows } : null
}

export const truthSample = (directory: Directory, stream: StreamRuntime): object | Fault => {
  const { id, manifest } = stream
  if (!isComputed(manifest.source))
    return fault('stream.no_truth', `the stream ${id} is not synthetic; nobody knows the truth of its pictures`)
  const result = stream.results.value
  const truth = result && rowsOf(result, 'truth')
  if (!result || !truth?.count) return { sample: null }
  const error = poseError(result)
  const placeOf = (field: string) => truth.offset + TRUTH_FIELDS.indexOf(field)
  const poseFrom = (field: string) => poseToDocument(poseAt(result.data, placeOf(field)))
  const hasBoard = result.data[placeOf('has_board')] === 1
  return {
    sample: {
      ...frameOf(directory, result),
      robot: poseFrom('field_robot_x_m'),
      camera: poseFrom('field_camera_x_m'),
      ...(hasBoard && { board: poseFrom('camera_board_x_m') }),
      visible: rowDocuments(result, 'visible', 'visible') ?? [],
      ...(error && { error }),
    },
  }
}

const frameOf = ({ clock }: Directory, result: Result) => {
  const capturedUs = header(result, 'captured_us')
  return {
    seq: header(result, 'seq'),
    captured_us: capturedUs,
    captured_at_ms: Math.round(clock.nowMs() - (clock.monotonicUs() - capturedUs) / 1000),
    too_full: header(result, 'too_full') === 1,
  }
}
