// Which outputs of a pipeline an overlay draws something of, so that a small picture comes with nothing else.
import type { Documents } from '../api/documents.ts'

/** Types of nodes whose values have no place in the picture. */
const NOT_DRAWN: ReadonlySet<string> = new Set([
  'undistort-points',
  'tag-pose',
  'field-pose',
  'exposure-stats',
  'focus-metric',
  'script',
])

/** Whether nodes of a type give something that an overlay of `tags` and `found` draws. */
export const isDrawn = (type: string): boolean => !NOT_DRAWN.has(type)

type Graph = Documents['CanonicalGraph']

const outputsOf = ({ nodes, outputs }: Graph, isWanted: (type: string) => boolean): readonly string[] => {
  const types = new Map(nodes.map(({ id, type }) => [id, type]))
  const typeOf = (ref: string) => types.get(ref.slice(0, ref.indexOf('.'))) ?? ''
  return outputs.filter(({ from }) => isWanted(typeOf(from))).map(({ port }) => port)
}

/** The names of the outputs of a pipeline of which an overlay of `tags` and `found` draws something. */
export const drawnOutputs = (graph: Graph): readonly string[] => outputsOf(graph, isDrawn)

/** The names of those from which the robot on the field is drawn, with the tags that it sees and where it really is. */
export const robotOutputs = (graph: Graph): readonly string[] => [
  ...outputsOf(graph, (type) => type === 'field-pose' || isDrawn(type)),
  'truth',
]
