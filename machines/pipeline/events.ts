// What is published about stored pipelines.

import { documentEvent, eventKind } from '../events/kind.ts'
import { oneLine } from '../schema/one-line.ts'
import { GraphId } from './graph-id.ts'

/** A stored pipeline was created, changed or deleted. */
export const graphChanged = documentEvent({
  kind: 'graph_changed',
  about: oneLine`
    A stored pipeline was created, changed or deleted. A stream one of whose slots is active and refers to it takes it
    up.
  `,
  of: { field: 'graph_id', id: GraphId, example: 'tags-near' },
})

/** Plugins have come, gone or changed that bring types of nodes. */
export const nodeTypesChanged = eventKind({
  kind: 'node_types_changed',
  about: oneLine`
    A plugin that brings nodes was enabled, upgraded or disabled: read \`GET /v1/pipelines/registry\` again, and what
    was said of pipelines that have such nodes.
  `,
  reference: {},
  data: null,
  revised: false,
  example: { resource_ref: {} },
})
