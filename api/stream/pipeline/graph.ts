// The pipeline of a stream, changed while it runs.

import type { StreamRuntime } from '../../../actors/stream/stream-runtime.ts'
import { PIPELINE_ORDER } from '../../../actors/stream/tokens.ts'
import { type Fault, isFault } from '../../../machines/errors/fault.ts'
import { type CanonicalGraph, GraphDocument, GraphLayout, PortName, PortRef } from '../../../machines/pipeline/graph.ts'
import { GraphId } from '../../../machines/pipeline/graph-id.ts'
import type { Unrunnable } from '../../../machines/pipeline/plan.ts'
import { oneLine } from '../../../machines/schema/one-line.ts'
import Type from '../../../machines/schema/type.ts'
import { changeOrder, type Expected } from '../../../machines/settings/commit.ts'
import { streamCollection } from '../../../machines/stream/collection.ts'
import { pipelineChanged, streamChanged } from '../../../machines/stream/events.ts'
import type { CanonicalManifest } from '../../../machines/stream/manifest.ts'
import { type PipelineRequest, pipelineChange } from '../../../machines/stream/pipeline-change.ts'
import { graphIdOf, SlotNumber } from '../../../machines/stream/slots.ts'
import type { Command } from '../../../machines/supervision/actors.ts'
import type { Given } from '../../../machines/token.ts'
import { command } from '../../endpoints/command.ts'
import { fault } from '../../problems/problem.ts'
import { graphOf, graphOfNeeds, ofStream, ofStreamNeeds, planNeeds, planOf } from '../of-stream.ts'
import { streamParams } from '../wire.ts'

/** The needs of the rows of graphs. */
export const graphNeeds = {
  ...ofStreamNeeds,
  ...graphOfNeeds,
  ...planNeeds,
  pipelineOrder: PIPELINE_ORDER,
}
type GraphParts = Given<typeof graphNeeds>

const strict = { additionalProperties: false } as const

const MIN_TRIAL_S = 5 // so that who renews it may be late
const MAX_TRIAL_S = 600 // whoever is away for longer does not look

/** What a stream is to run. */
export const PipelineBody = Type.Object(
  {
    graph: Type.Optional(GraphDocument),
    graph_id: Type.Optional(
      Type.Union([GraphId, Type.Null()], { description: 'A stored pipeline; null: the slot is to refer to none.' }),
    ),
    slot: Type.Optional(
      Type.Union([SlotNumber, Type.Null()], {
        description: oneLine`
          With graph_id: the slot that gets it; without: the slot that is to run, null: none, the pipeline of the
          stream alone.
        `,
      }),
    ),
    activate: Type.Optional(
      Type.Boolean({ description: 'Whether the slot that gets graph_id is to run. Default: true.' }),
    ),
    trial_s: Type.Optional(
      Type.Union([Type.Integer({ minimum: MIN_TRIAL_S, maximum: MAX_TRIAL_S }), Type.Null()], {
        description: oneLine`
          With graph: it runs for so many seconds, and is not stored; sent again, for so many more. null, alone: what
          is stored runs again.
        `,
      }),
    ),
  },
  {
    ...strict,
    title: 'PipelineChange',
    description: 'Another pipeline for a stream: a graph, a stored one (graph_id), or another slot.',
  },
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

const LayoutBody = Type.Object(
  { layout: GraphLayout },
  { ...strict, title: 'LayoutChange', description: 'Where an editor draws the nodes of a pipeline.' },
)

const ABOUT_SWITCH = oneLine`
  Pictures go on through the pipeline of before until the engine has made the new one; previews and recordings notice
  nothing, and the first result of the new one is of one of the next two pictures. Parameters that the registry calls
  \`live\` take effect in the next picture and nothing is made anew.
`

const ABOUT_SLOTS = oneLine`
  A \`graph\` replaces the pipeline of the stream alone, and is run in place of any slot. A \`graph_id\` names a
  stored pipeline, which is put into the slot that \`slot\` says (else the one that refers to it already, else the
  active one, else the first that is free) and run, or with \`activate\` false kept there for later. A \`slot\` alone
  is made active; null goes back to the pipeline of the stream alone. A slot follows its stored pipeline: when that is
  changed, the stream takes it up.
`

const ABOUT_TRIALS = oneLine`
  With \`trial_s\` a \`graph\` is tried: it runs, and the manifest stays as it is, so that what is stored is back when
  the time is over, when the trial is ended (\`trial_s\` null, alone), and when the service starts again.
  \`status.pipeline.trial\` shows it. The newest trial counts. Whoever gives the stream another pipeline or slot without
  it, a robot too, or switches the stream off, ends the trial.
`

export const graphRows = (parts: GraphParts) => [
  command('POST', '/v1/streams/:id/pipeline/graph', {
    params: streamParams,
    summary: 'Change the pipeline of a stream, or its slots',
    about: oneLine`
      ${ABOUT_SLOTS} ${ABOUT_TRIALS} ${ABOUT_SWITCH} One that the engine cannot make is refused, and the one of before
      goes on.
    `,
    conditional: true,
    publishes: [streamChanged, pipelineChanged],
    to: 'settings',
    body: { schema: PipelineBody, example: { graph_id: 'tags-near', slot: 2 } },
    send: ({ params, body, expected }) => pipelineSwitch(parts, params.id, body, expected),
    faults: ['stream.not_found', 'graph.not_found', 'slot.empty', 'slot.active', 'pipeline.refused'],
  }),

  command('POST', '/v1/streams/:id/pipeline/layout', {
    params: streamParams,
    summary: 'Say where an editor draws the nodes of a pipeline',
    about: oneLine`
      All of them: a node that is left out has no place any more. The stream goes on as it is. While a slot is active
      the pipeline is a stored one, which is changed there.
    `,
    conditional: true,
    publishes: [streamChanged],
    to: 'settings',
    body: { schema: LayoutBody, example: { layout: { source: { x: 0, y: 0 }, tags: { x: 220, y: 0 } } } },
    send: ({ params, body: { layout }, expected }) =>
      ofStream(
        parts,
        params.id,
        (stream) =>
          storedElsewhere(stream) ??
          changeOrder(
            streamCollection,
            stream.id,
            (before) => ({ ...before, pipeline: { ...before.pipeline, layout } }),
            expected,
          ),
      ),
    faults: ['stream.not_found', 'pipeline.stored'],
  }),

  command('POST', '/v1/streams/:id/pipeline/output', {
    params: streamParams,
    summary: 'Set an output of the pipeline of a stream',
    about: oneLine`
      Adds an output, changes where its values come from, or takes it away. While a slot is active the pipeline is a
      stored one, which is changed there. ${ABOUT_SWITCH}
    `,
    conditional: true,
    publishes: [streamChanged],
    to: 'settings',
    body: { schema: OutputBody, example: { port: 'tags', from: 'tags.detections' } },
    send: ({ params, body, expected }) =>
      ofStream(parts, params.id, (stream) => {
        const { pipeline } = stream.manifest
        const { port, from } = body
        if (from === null && !pipeline.outputs.some((output) => output.port === port))
          return fault('output.not_found', `the stream ${params.id} has no output ${port}; see pipeline/outputs`)
        const elsewhere = storedElsewhere(stream)
        if (elsewhere) return elsewhere
        const runs = planOf(parts)(withOutput(pipeline, port, from))
        if (!runs.ok) return refusedOutput(runs, from === null ? '/port' : '/from')
        const change = (before: CanonicalManifest) => ({
          ...before,
          pipeline: withOutput(before.pipeline, port, from),
        })
        return parts.pipelineOrder(stream, { runs, change }, expected)
      }),
    faults: ['stream.not_found', 'output.not_found', 'pipeline.stored', 'pipeline.refused'],
  }),
]

/**
 * The order that gives a stream another pipeline, once its engine has shown that it can make that; or why there is
 * none.
 */
export const pipelineSwitch = (parts: GraphParts, id: string, request: PipelineRequest, expected: Expected) =>
  ofStream(parts, id, (stream): Promise<Command<'settings'> | Fault> | Fault => {
    const change = pipelineChange(request, {
      manifest: stream.manifest,
      graphOf: graphOf(parts),
      planOf: planOf(parts),
    })
    return isFault(change) ? change : parts.pipelineOrder(stream, change, expected)
  })

/** from: null: without it. */
const withOutput = (graph: CanonicalGraph, port: string, from: string | null): CanonicalGraph => {
  const others = graph.outputs.filter((output) => output.port !== port)
  return { ...graph, outputs: from === null ? others : [...others, { port, from }] }
}

/** pointer: of the body, to what makes the difference, unless it is the name. */
const refusedOutput = ({ errors, why }: Unrunnable, pointer: string): Fault => ({
  code: 'body.invalid',
  detail: `the pipeline cannot run: ${why}`,
  errors: errors.map((error) => ({ ...error, pointer: error.pointer.endsWith('/port') ? '/port' : pointer })),
})

/** Why a part of the pipeline is not changed here: it would be that of a copy, which follows a stored one. */
export const storedElsewhere = ({ id, manifest }: StreamRuntime): Fault | undefined => {
  const graph_id = graphIdOf(manifest)
  if (graph_id === undefined) return undefined
  return fault(
    'pipeline.stored',
    oneLine`
      the stream ${id} runs the stored pipeline ${graph_id} of its slot ${manifest.active_slot}; change that (PUT
      /v1/pipelines/graphs/${graph_id}), and the stream takes it up
    `,
  )
}
