// The pipeline of a stream, changed while it runs.
import type { StreamRuntime } from '../../actors/stream/stream-runtime.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { type CanonicalGraph, GraphDocument, PortName, PortRef } from '../../machines/pipeline/graph.ts'
import { planGraph } from '../../machines/pipeline/plan.ts'
import { firstError } from '../../machines/schema/errors.ts'
import type { SchemaError } from '../../machines/schema/explain.ts'
import Type from '../../machines/schema/type.ts'
import { type Expected, mergeOrder } from '../../machines/settings/commit.ts'
import { streamCollection } from '../../machines/stream/collection.ts'
import { streamChanged } from '../../machines/stream/events.ts'
import type { Command } from '../../machines/supervision/actors.ts'
import { command } from '../endpoints/command.ts'
import { fault } from '../problems/problem.ts'
import { ofStream } from './of-stream.ts'
import type { StreamParts } from './parts.ts'
import { streamParams } from './wire.ts'

const strict = { additionalProperties: false } as const

const PipelineBody = Type.Object(
  { graph: GraphDocument },
  { ...strict, title: 'PipelineChange', description: 'Another pipeline for a stream.' },
)

const OutputBody = Type.Object(
  {
    port: PortName,
    from: Type.Union([PortRef, Type.Null()], {
      description: 'The port of a node whose values it has from then on; null: there is no such output any more.',
    }),
  },
  { ...strict, title: 'OutputChange', description: 'An output of a pipeline, set or taken away.' },
)

const tagsAlone = {
  nodes: [
    { id: 'source', type: 'source' },
    { id: 'tags', type: 'apriltag', params: { decimate: 1 } },
  ],
  edges: [{ from: 'source.image', to: 'tags.image' }],
  outputs: [{ port: 'tags', from: 'tags.detections' }],
}

const ABOUT_SWITCH =
  'Pictures go on through the pipeline of before until the engine has made the new one; previews and recordings notice nothing, and the first result of the new one is of one of ' +
  'the next two pictures. Parameters that the registry calls `live` take effect in the next picture and nothing is made anew.'

export const graphRows = (parts: StreamParts) => [
  command('POST', '/v1/streams/:id/pipeline/graph', {
    params: streamParams,
    summary: 'Change the pipeline of a stream',
    about: `${ABOUT_SWITCH} One that the engine cannot make is refused, and the one of before goes on.`,
    conditional: true,
    publishes: [streamChanged],
    to: 'settings',
    body: { schema: PipelineBody, example: { graph: tagsAlone } },
    send: ({ params, body, expected }) =>
      ofStream(parts, params.id, (stream) => replaced(stream, body.graph, expected, (pointer) => `/graph${pointer}`)),
    faults: ['stream.not_found', 'pipeline.refused'],
  }),

  command('POST', '/v1/streams/:id/pipeline/output', {
    params: streamParams,
    summary: 'Set an output of the pipeline of a stream',
    about: `Adds an output, changes where its values come from, or takes it away. ${ABOUT_SWITCH}`,
    conditional: true,
    publishes: [streamChanged],
    to: 'settings',
    body: { schema: OutputBody, example: { port: 'tags', from: 'tags.detections' } },
    send: ({ params, body, expected }) =>
      ofStream(parts, params.id, (stream) => {
        const { pipeline } = stream.manifest
        const { port, from } = body
        const others = pipeline.outputs.filter((output) => output.port !== port)
        if (from === null && others.length === pipeline.outputs.length)
          return fault('output.not_found', `the stream ${params.id} has no output ${port}; see pipeline/outputs`)
        const graph = { ...pipeline, outputs: from === null ? others : [...others, { port, from }] }
        return replaced(stream, graph, expected, () => (from === null ? '/port' : '/from'))
      }),
    faults: ['stream.not_found', 'output.not_found', 'pipeline.refused'],
  }),
]

/** The order that stores another pipeline, once an engine that runs has shown that it can make it. at: where in the body a place of the graph is. */
const replaced = async (
  stream: StreamRuntime,
  graph: GraphDocument,
  expected: Expected,
  at: (pointer: string) => string,
): Promise<Command<'settings'> | Fault> => {
  const planned = planGraph(graph)
  if (!planned.ok) return refused(planned.errors.map((error) => ({ ...error, pointer: at(error.pointer) })))
  const why = await stream.tryPlan?.(planned.plan)
  if (why)
    return fault(
      'pipeline.refused',
      `the pipeline of before goes on, since the engine cannot make this one: ${why.detail}`,
    )
  return mergeOrder(streamCollection, stream.id, { pipeline: planned.graph as CanonicalGraph }, expected)
}

const refused = (errors: readonly SchemaError[]): Fault => ({
  code: 'body.invalid',
  detail: firstError(errors, 'the pipeline'),
  errors,
})
