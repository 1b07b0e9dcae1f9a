// What is published about stored pipelines.

import { documentEvent } from '../events/kind.ts'
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
