// A change of another device's pipeline: operations of JSON Patch (RFC 6902) on its graph.
import type { Static } from 'typebox'
import { RequestId } from '../requests/request.ts'
import Type from '../schema/type.ts'

const strict = { additionalProperties: false } as const

const Pointer = Type.String({
  pattern: '^(/([^~/]|~[01]){0,256}){0,16}$',
  maxLength: 1_024,
  description: 'A JSON Pointer (RFC 6901) into the graph document, of at most 16 parts.',
  examples: ['/nodes/1/params/decimate'],
})

/** One operation. Whether `value` and `from` stand where they must is checked when it is applied. */
const PatchOperation = Type.Object(
  {
    op: Type.Enum(['add', 'remove', 'replace', 'move', 'copy', 'test'], {
      title: 'GraphPatchOp',
      description: 'As RFC 6902 says; `test` refuses the whole patch where the value is another one.',
    }),
    path: Pointer,
    from: Type.Optional(Pointer),
    value: Type.Optional(Type.Unknown()),
  },
  {
    title: 'GraphPatchOperation',
    description:
      'One operation of JSON Patch on the graph of a pipeline. What else it has is ignored (RFC 6902, section 4).',
  },
)
export type PatchOperation = Static<typeof PatchOperation>

/** All of it is applied, or nothing. */
export const GraphPatch = Type.Object(
  {
    request_id: Type.Optional(RequestId),
    expected_pipeline_revision: Type.Integer({
      minimum: 0,
      description: 'The revision of the pipeline that it is meant for; another one is refused.',
    }),
    patch: Type.Array(PatchOperation, { minItems: 1, maxItems: 256, description: 'In this order.' }),
  },
  { ...strict, title: 'GraphPatch', description: 'A change of the pipeline of a stream.' },
)
export type GraphPatch = Static<typeof GraphPatch>

/** What came of it. */
export const GraphPatchAnswer = Type.Object(
  {
    accepted: Type.Literal(true),
    pipeline_revision: Type.Integer({ minimum: 0, description: 'Of the pipeline, once it is changed.' }),
    applied_at_ms: Type.Integer({ minimum: 0, description: 'Unix time of the device that has the stream.' }),
    summary: Type.Object(
      {
        nodes: Type.Integer({ minimum: 0, description: 'How many the graph has now.' }),
        outputs: Type.Array(Type.String(), { description: 'What can be asked for of it now.' }),
        operations: Type.Integer({ minimum: 1, description: 'How many were applied.' }),
      },
      strict,
    ),
  },
  { title: 'GraphPatchAnswer', description: 'The pipeline after the change.' },
)
export type GraphPatchAnswer = Static<typeof GraphPatchAnswer>
