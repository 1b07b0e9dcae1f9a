// The stored pipelines: their endpoints.

import { ANYWHERE, examineGraph } from '../../machines/pipeline/examine.ts'
import { GraphDraft } from '../../machines/pipeline/graph.ts'
import { graphCollection, MAX_GRAPHS, storeGraph } from '../../machines/pipeline/stored-graphs.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { documentOf, documentsOf } from '../../machines/settings/store.ts'
import { type GraphUser, usersOf } from '../../machines/stream/slots.ts'
import { blob } from '../endpoints/blob.ts'
import { resource } from '../endpoints/resource.ts'
import { fault } from '../problems/problem.ts'
import type { PipelineParts } from './parts.ts'
import { verdictOf } from './report.ts'
import { GraphFile, GraphStatus, graphExample, storedExample } from './wire.ts'

const params = { id: graphCollection.id }

type Verdict = ReturnType<typeof verdictOf>

export const graphRows = ({ directory, streams, unavailable, models }: PipelineParts) => {
  const storedAt = (id: string) => documentOf(directory.settings, graphCollection, id)
  const usedBy = (id: string) =>
    usersOf(
      id,
      streams.all().map(({ manifest }) => manifest),
    )
  const known = new WeakMap<GraphDraft, { readonly of: string; readonly models: unknown; readonly verdict: Verdict }>()
  /**
   * Of a stored graph, which is never changed but replaced: found out once, until the device has other models or nodes.
   */
  const verdictAbout = (stored: GraphDraft): Verdict => {
    const [missing, all] = [unavailable(), models.all()]
    const of = JSON.stringify([...missing])
    const before = known.get(stored)
    if (before && before.of === of && before.models === all) return before.verdict
    const verdict = verdictOf(examineGraph(stored, { ...ANYWHERE, unavailable: missing, models }))
    known.set(stored, { of, models: all, verdict })
    return verdict
  }
  const graph = resource('/v1/pipelines/graphs', {
    collection: graphCollection,
    title: 'StoredGraph',
    about: 'A stored pipeline.',
    spec: GraphDraft,
    status: GraphStatus,
    example: storedExample,
    statusOf: (id) => {
      const stored = storedAt(id)
      if (!stored) return undefined
      return { ...verdictAbout(stored.value), used_by: [...usedBy(id)] }
    },
  })
  return [
    graph.list({
      summary: 'All stored pipelines',
      order: 'In the order of their creation.',
      faults: ['storage.failed'],
    }),

    graph.create({
      summary: 'Store a pipeline',
      about: oneLine`
        Also one that cannot run yet: its status says why. Takes a file as \`/export\` gives it. Without an id, one is
        made from the name. At most ${MAX_GRAPHS}.
      `,
      created: true,
      body: { schema: GraphFile, example: { id: 'tags-far', ...graphExample } },
      send: ({ body }) => storeGraph(body, new Set(Object.keys(documentsOf(directory.settings, graphCollection)))),
      faults: ['document.exists'],
    }),

    graph.read({ summary: 'One stored pipeline' }),

    graph.replace({
      summary: 'Change a stored pipeline',
      about: oneLine`
        All of it: what is left out is gone. A stream whose active slot refers to it takes it up while it runs; when
        it cannot run, or the engine cannot make it, the pipeline of before goes on, and the status of the stream says
        why.
      `,
      body: { schema: GraphDraft, example: graphExample },
    }),

    graph.delete({
      summary: 'Forget a stored pipeline',
      about: 'Not while a slot of a stream refers to it.',
      refuse: (id) => {
        const users = usedBy(id)
        return users.length === 0 ? undefined : inUse(id, users)
      },
      faults: ['graph.in_use'],
    }),

    blob('GET', '/v1/pipelines/graphs/:id/export', {
      params,
      summary: 'A stored pipeline as a file',
      about: 'To be sent to `POST /v1/pipelines/graphs` of this device or another.',
      mediaType: 'application/json',
      headers: { 'Content-Disposition': 'A name for the file.' },
      schema: GraphFile,
      example: { id: 'tags-near', ...graphExample },
      get: ({ params: { id } }) => {
        const stored = storedAt(id)
        if (!stored) return graphCollection.notFound(id)
        return {
          bytes: `${JSON.stringify({ id, ...stored.value }, null, 2)}\n`,
          headers: { 'content-disposition': `attachment; filename="${id}.pipeline.json"` },
        }
      },
      faults: ['graph.not_found'],
    }),
  ]
}

const inUse = (id: string, users: readonly GraphUser[]) =>
  fault(
    'graph.in_use',
    oneLine`
      the stored pipeline ${id} is that of
      ${users.map(({ stream_id, slot }) => `${stream_id} (slot ${slot})`).join(', ')}; give those slots another one
      first (POST /v1/streams/{id}/pipeline/graph), or none
    `,
  )
