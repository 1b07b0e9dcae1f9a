// The newest values of a pipeline's outputs on the wire.
import Type from 'typebox'
import type { Directory } from '../../actors/directory.ts'
import {
  header,
  type OutputKind,
  RESULT_FIELDS,
  type Result,
  rowObjects,
  rowsOf,
} from '../../machines/engine/result.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { poseError } from '../../machines/localization/accuracy.ts'
import { PoseDocument, poseAt, poseToDocument } from '../../machines/localization/pose.ts'
import { planGraph } from '../../machines/pipeline/plan.ts'
import type { CanonicalManifest } from '../../machines/stream/manifest.ts'
import { fault } from '../problems/problem.ts'
import type { StreamParts } from './parts.ts'
import { poseExample } from './wire.ts'

const strict = { additionalProperties: false } as const
const orNull = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const Kind = Type.Enum(Object.keys(RESULT_FIELDS) as OutputKind[])

/** Which frame a value belongs to. captured_us: CLOCK_MONOTONIC, mid-exposure; captured_at_ms: the same in Unix time. */
const Frame = { seq: Type.Integer({ minimum: 0 }), captured_us: Type.Number(), captured_at_ms: Type.Number() }

export const OutputList = Type.Object(
  {
    outputs: Type.Array(
      Type.Object(
        { port: Type.String(), kind: Kind, from: orNull(Type.String()), fields: Type.Array(Type.String()) },
        strict,
      ),
    ),
  },
  {
    ...strict,
    description:
      'from: `<node>.<port>` of the graph; null for what a synthetic camera adds. fields: of each row of a sample.',
  },
)

export const OutputSample = Type.Object(
  {
    port: Type.String(),
    kind: Kind,
    sample: orNull(Type.Object({ ...Frame, rows: Type.Array(Type.Record(Type.String(), Type.Number())) }, strict)),
  },
  { ...strict, description: 'sample: null until a frame has been processed.' },
)

export const TruthSample = Type.Object(
  {
    sample: orNull(
      Type.Object(
        {
          ...Frame,
          robot: PoseDocument,
          camera: PoseDocument,
          visible: Type.Array(Type.Record(Type.String(), Type.Number())),
          error: orNull(Type.Object({ distance_m: Type.Number(), angle_deg: Type.Number() }, strict)),
        },
        strict,
      ),
    ),
  },
  {
    ...strict,
    description:
      'Poses in the field frame. error: of the solved robot pose of the same frame; null when none was solved.',
  },
)

const frameExample = { seq: 9000, captured_us: 300_000_000, captured_at_ms: 1_767_225_600_000 }
const fields = (kind: OutputKind) => [...RESULT_FIELDS[kind]]

export const outputsExample = {
  outputs: [{ port: 'tags', kind: 'detections', from: 'tags.detections', fields: fields('detections') }],
}

export const sampleExample = {
  port: 'tags',
  kind: 'detections',
  sample: { ...frameExample, rows: [Object.fromEntries(fields('detections').map((field, n) => [field, n]))] },
}

export const truthExample = {
  sample: {
    ...frameExample,
    robot: { ...poseExample, pitch_deg: 0 },
    camera: poseExample,
    visible: [{ id: 3, distance_m: 2.9, visible_fraction: 1 }],
    error: { distance_m: 0.008, angle_deg: 0.12 },
  },
}

/** An output of a stream as its manifest promises it. */
interface Promised {
  readonly port: string
  readonly kind: OutputKind
  readonly from: string | null
  readonly fields: readonly string[]
}

const TRUTH_FIELDS: readonly string[] = RESULT_FIELDS.truth

/** The outputs of a stream's graph, then those of its synthetic camera. */
export const outputsOf = ({ pipeline, source }: CanonicalManifest): Promised[] => {
  const planned = planGraph(pipeline)
  const ports = planned.ok ? planned.plan.outputs : []
  const from = new Map(pipeline.outputs.map((output) => [output.port, output.from]))
  const own = ports.flatMap(({ port, kind }) =>
    kind === 'image' ? [] : [{ port, kind, from: from.get(port) ?? null, fields: RESULT_FIELDS[kind] }],
  )
  return source.backend === 'synthetic' ? [...own, added('truth'), added('visible')] : own
}

const added = (kind: 'truth' | 'visible'): Promised => ({ port: kind, kind, from: null, fields: RESULT_FIELDS[kind] })

export const outputSample = (
  { directory, desks }: StreamParts,
  spec: CanonicalManifest,
  port: string,
): object | Fault => {
  const { id } = spec
  const output = outputsOf(spec).find((each) => each.port === port)
  if (!output)
    return fault('output.not_found', `the stream ${id} has no output ${JSON.stringify(port)}; see pipeline/outputs`)
  const result = desks.get(id)?.results.value
  const rows = result && rowObjects(result, port)
  return { port, kind: output.kind, sample: result && rows ? { ...frameOf(directory, result), rows } : null }
}

export const truthSample = ({ directory, desks }: StreamParts, spec: CanonicalManifest): object | Fault => {
  const { id } = spec
  if (spec.source.backend !== 'synthetic')
    return fault('stream.no_truth', `the stream ${id} is not synthetic; nobody knows the truth of its pictures`)
  const result = desks.get(id)?.results.value
  const truth = result && rowsOf(result, 'truth')
  if (!result || !truth?.count) return { sample: null }
  const poseFrom = (field: string) => poseToDocument(poseAt(result.data, truth.offset + TRUTH_FIELDS.indexOf(field)))
  return {
    sample: {
      ...frameOf(directory, result),
      robot: poseFrom('field_robot_x_m'),
      camera: poseFrom('field_camera_x_m'),
      visible: rowObjects(result, 'visible') ?? [],
      error: poseError(result) ?? null,
    },
  }
}

const frameOf = ({ clock }: Directory, result: Result) => {
  const capturedUs = header(result, 'captured_us')
  return {
    seq: header(result, 'seq'),
    captured_us: capturedUs,
    captured_at_ms: Math.round(clock.nowMs() - (clock.monotonicUs() - capturedUs) / 1000),
  }
}
