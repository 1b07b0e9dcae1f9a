// The stored pipelines: drafts as well as what streams run copies of.
import type { Fault } from '../errors/fault.ts'
import { freeId, type Taken } from '../schema/free-id.ts'
import { quote } from '../schema/quote.ts'
import { collection } from '../settings/collection.ts'
import { putOrder } from '../settings/commit.ts'
import type { Command } from '../supervision/actors.ts'
import { graphChanged } from './events.ts'
import { GraphDraft } from './graph.ts'
import { GraphId } from './graph-id.ts'

/** A team has a dozen; all of them are held in memory. */
export const MAX_GRAPHS = 100

/** Pipelines under names of their own. Whether one can run is not asked when it is stored: it may be unfinished. */
export const graphCollection = collection({
  name: 'graphs',
  id: GraphId,
  schema: GraphDraft,
  limit: MAX_GRAPHS,
  changed: graphChanged,
  notFound: (id) => ({
    code: 'graph.not_found',
    detail: `there is no stored pipeline ${quote(id)}; GET /v1/pipelines/graphs lists them`,
  }),
})

/** The order that stores a new pipeline. id: wanted; none: one is made from its name. ids: those that are taken. */
export const storeGraph = (
  { id, ...graph }: GraphDraft & { readonly id?: string },
  ids: Taken,
): Command<'settings'> | Fault =>
  putOrder(graphCollection, id ?? freeId(graph.name, ids, 'pipeline'), graph, { create_only: true })
