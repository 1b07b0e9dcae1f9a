// The stored pipelines: their endpoints.
import { ANYWHERE, examineGraph } from '../../machines/pipeline/examine.ts'
import { GraphDraft } from '../../machines/pipeline/graph.ts'
import { graphCollection, MAX_GRAPHS, storeGraph } from '../../machines/pipeline/stored-graphs.ts'
import { documentOf, documentsOf } from '../../machines/settings/store.ts'
import { blob } from '../endpoints/blob.ts'
import { resource } from '../endpoints/resource.ts'
import type { PipelineParts } from './parts.ts'
import { verdictOf } from './report.ts'
import { GraphFile, GraphStatus, graphExample, storedExample } from './wire.ts'

const params = { id: graphCollection.id }

export const graphRows = ({ directory, unavailable }: PipelineParts) => {
  const storedAt = (id: string) => documentOf(directory.settings, graphCollection, id)
  const graph = resource('/v1/pipelines/graphs', {
    collection: graphCollection,
    title: 'StoredGraph',
    about: 'A stored pipeline.',
    ...{ spec: GraphDraft, status: GraphStatus, example: storedExample },
    statusOf: (id) => {
      const stored = storedAt(id)
      return stored && verdictOf(examineGraph(stored.value, { ...ANYWHERE, unavailable: unavailable() }))
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
      about: `Also one that cannot run yet: its status says why. Takes a file as \`/export\` gives it. Without an id, one is made from the name. At most ${MAX_GRAPHS}.`,
      created: true,
      body: { schema: GraphFile, example: { id: 'tags-far', ...graphExample } },
      send: ({ body }) => storeGraph(body, new Set(Object.keys(documentsOf(directory.settings, graphCollection)))),
      faults: ['document.exists'],
    }),

    graph.read({ summary: 'One stored pipeline' }),

    graph.replace({
      summary: 'Change a stored pipeline',
      about: 'All of it: what is left out is gone. Streams that run a copy are not touched.',
      body: { schema: GraphDraft, example: graphExample },
    }),

    graph.delete({ summary: 'Forget a stored pipeline', about: 'Streams that run a copy are not touched.' }),

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
