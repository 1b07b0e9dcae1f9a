// A graph of which no values leave the engine: its pictures are shown and recorded all the same.
import type { Finding } from '../diagnostic.ts'
import type { GraphIndex } from '../reading/graph-index.ts'
import { withMore } from '../reading/patches.ts'

export const missingOutput = (index: GraphIndex): readonly Finding[] =>
  index.graph.outputs.length > 0
    ? []
    : [
        {
          code: 'output.missing',
          of: 'the graph',
          pointer: '/outputs',
          message: 'has no output: its pictures are shown and recorded, and nothing is told of what is in them',
          fix: () => {
            const [only, ...others] = lastPorts(index)
            return only && others.length === 0 ? withMore(index.graph, 'outputs', only) : null
          },
        },
      ]

/** Ports that could be outputs and that nothing reads. */
const lastPorts = ({ nodes, leaving }: GraphIndex) =>
  [...nodes.values()].flatMap((node) =>
    node.is.outputs
      .filter(({ name, kind }) => kind !== 'image' && !leaving.get(node)?.some(({ from }) => from.port.name === name))
      .map(({ name }) => ({ port: name, from: `${node.id}.${name}` })),
  )
