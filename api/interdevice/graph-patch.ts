// A change of a stream's pipeline that another device sends as operations on its graph.

import { PIPELINE_ORDER } from '../../actors/stream/tokens.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { GraphPatch, GraphPatchAnswer } from '../../machines/interdevice/graph-patch.ts'
import { patched } from '../../machines/interdevice/json-patch.ts'
import { type CanonicalGraph, GraphDocument } from '../../machines/pipeline/graph.ts'
import type { Runnable } from '../../machines/pipeline/plan.ts'
import { hasNewScript } from '../../machines/pipeline/script-in.ts'
import { firstError, schemaErrors } from '../../machines/schema/errors.ts'
import type { SchemaError } from '../../machines/schema/explain.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { staleFault } from '../../machines/settings/commit.ts'
import { streamCollection } from '../../machines/stream/collection.ts'
import { pipelineChanged, streamChanged } from '../../machines/stream/events.ts'
import { outputsOf } from '../../machines/stream/outputs.ts'
import type { Given } from '../../machines/token.ts'
import { command } from '../endpoints/command.ts'
import { fault } from '../problems/problem.ts'
import type { SignIn } from '../session/area.ts'
import { administratorFault } from '../session/refusal.ts'
import { planNeeds, planOf } from '../stream/of-stream.ts'
import { storedElsewhere } from '../stream/pipeline/graph.ts'
import { streamParams } from '../stream/wire.ts'
import { sharedStream, sharedStreamNeeds } from './shared-stream.ts'

/** The needs of the row of patches. */
export const graphPatchNeeds = {
  ...sharedStreamNeeds,
  ...planNeeds,
  pipelineOrder: PIPELINE_ORDER,
}
type GraphPatchParts = Given<typeof graphPatchNeeds>

/** policy: who may have this device run code. */
export const graphPatchRow = (parts: GraphPatchParts, { policy }: Pick<SignIn, 'policy'>) =>
  command('POST', '/v1/interdevice/streams/:id/pipeline/graph/patch', {
    params: streamParams,
    summary: 'Change a part of the pipeline of a stream',
    about: oneLine`
      Operations of JSON Patch (RFC 6902) on the graph as the stream runs it; all of them are carried out, or none.
      What comes of it is planned and tried by the engine, and takes effect as at \`pipeline/graph\`. Nodes stand in a
      list: put a \`test\` of their id before what changes them. Pointers are those of RFC 6901 to the letter, 16
      tokens at most. A refusal says which operation cannot be carried out (\`/patch/3/path\`), or what is wrong with
      the graph that it gives (\`/graph/nodes/1/params/decimate\`). A script may be moved and taken away; to bring one
      or to change it takes an administrator.
    `,
    access: 'peer',
    publishes: [streamChanged, pipelineChanged],
    to: 'settings',
    body: { schema: GraphPatch, example: patchExample },
    send: ({ params: { id }, body: { patch, expected_pipeline_revision }, request }) => {
      const stream = sharedStream(parts, id)
      if (isFault(stream)) return stream
      const expected = { expected_revisions: [expected_pipeline_revision] }
      const { revision, value } = stream.stored
      const refused = staleFault(`${streamCollection.name}/${id}`, revision, expected) ?? storedElsewhere(stream)
      if (refused) return refused
      const outcome = patched(value.pipeline, patch)
      if (!outcome.ok) return notApplied(outcome.error)
      if (hasNewScript(value.pipeline, outcome.document)) {
        const what = 'a script is code that this device runs, so that it takes an administrator'
        const forbidden = administratorFault(policy, request, what)
        if (forbidden) return forbidden
      }
      const runs = runnable(parts, outcome.document)
      if (isFault(runs)) return runs
      const change = (before: typeof value) => ({ ...before, pipeline: runs.graph })
      return parts.pipelineOrder(stream, { runs, change }, expected)
    },
    answer: {
      schema: GraphPatchAnswer,
      example: {
        accepted: true,
        pipeline_revision: 4,
        applied_at_ms: 1_767_225_600_000,
        summary: { nodes: 6, outputs: ['tags', 'tag_poses', 'pose'], operations: 2 },
      },
      canBeGone: true,
      of: (
        { params: { id }, body, directory },
        { revision, at_ms: applied_at_ms = directory.clock.nowMs() },
      ): GraphPatchAnswer | undefined => {
        const manifest = parts.streams.get(id)?.manifest
        if (!manifest) return undefined
        const summary = {
          nodes: manifest.pipeline.nodes.length,
          outputs: outputsOf(manifest).map(({ port }) => port),
          operations: body.patch.length,
        }
        return { accepted: true, pipeline_revision: revision, applied_at_ms, summary }
      },
    },
    faults: [
      ...(['stream.not_found', 'revision.stale', 'patch.refused', 'pipeline.stored', 'pipeline.refused'] as const),
      'token.required',
    ],
  })

/** Of the pipeline that streams have by default. */
const patchExample = {
  expected_pipeline_revision: 1,
  patch: [
    { op: 'test', path: '/nodes/2/id', value: 'tags' },
    { op: 'replace', path: '/nodes/2/params/decimate', value: 2 },
  ],
}

const notApplied = ({ pointer, message }: SchemaError): Fault => {
  const error = { pointer: `/patch${pointer}`, message }
  return fault('patch.refused', `nothing is changed: ${error.pointer} ${message}`, { errors: [error] })
}

/** What comes of a patch, as this device would run it. */
const runnable = (
  parts: GraphPatchParts,
  document: unknown,
): (Runnable & { readonly graph: CanonicalGraph }) | Fault => {
  const misfits = schemaErrors(GraphDocument, document, '/graph')
  if (misfits.length > 0) return noPipeline(firstError(misfits, 'what comes of the patch'), misfits)
  const planned = planOf(parts)(document as GraphDocument)
  if (planned.ok) return planned
  const errors = planned.errors.map((error) => ({ ...error, pointer: `/graph${error.pointer}` }))
  return noPipeline(`what comes of the patch cannot run: ${planned.why}`, errors)
}

const noPipeline = (detail: string, errors: readonly SchemaError[]): Fault =>
  fault('patch.refused', `nothing is changed: ${detail}`, { errors })
