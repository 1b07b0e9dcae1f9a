// Graphs by chance: such as can be planned, and such as somebody has broken.
import fc from 'fast-check'
import { isDetector } from '../../../machines/pipeline/checks/memory.ts'
import type { GraphDocument, GraphDraft } from '../../../machines/pipeline/graph.ts'
import type { NodeType } from '../../../machines/pipeline/node-type.ts'
import { nodeTypes } from '../../../machines/pipeline/registry.ts'
import { filled } from '../../../machines/schema/defaults.ts'
import { fitting } from '../api/arbitrary.ts'

/** Chance: a whole number from 0, below its argument. */
export type Random = (below: number) => number

export const seeded = (seed: number): Random => {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** What a type must be told that has no default for it. */
const needed = (type: string) => {
  const { properties, required = [] } = (nodeTypes[type] as NodeType).params as unknown as {
    properties: Record<string, { default?: unknown }>
    required?: readonly string[]
  }
  const missing = required.filter((name) => properties[name]?.default === undefined)
  return Object.fromEntries(missing.map((name) => [name, name === 'height_px' ? 200 : 320]))
}

interface Giver {
  readonly ref: string
  readonly format?: string | undefined
}

/** Whether a port of images takes what is given; grey is made of colour by the planner. */
const takes = (wanted: string | undefined, given: string | undefined) =>
  wanted === undefined || wanted === 'any' || wanted === given || (wanted === 'gray' && given !== undefined)

/**
 * Parameters of a type as its schema allows them, some of them left out; what it refuses all the same is not given.
 * Pictures stay small.
 */
export const randomParams = (type: string, random: Random): Record<string, unknown> => {
  const { params, refusal } = nodeTypes[type] as NodeType
  const given = Object.entries(params.properties).flatMap(([name, schema]): [string, unknown][] => {
    if (random(2) === 0 || name === 'model') return [] // no model is stored
    if (/^(width|height|x|y)_px$/.test(name)) return [[name, 16 + random(200)]]
    const [value] = fc.sample(fitting(schema), { seed: random(2 ** 30), numRuns: 1 })
    return [[name, value]]
  })
  const some = { ...needed(type), ...Object.fromEntries(given) }
  return refusal?.(filled(params, some) as Record<string, unknown>) ? needed(type) : some
}

/** Each of them starts a thread; and there they have the most to choose from. A graph may have four. */
const WORKERS_AMONG_LAST = 3

/** Without circles, in random order: each input is fed by an earlier node of the right kind and pixels. */
export const randomGraph = (random: Random, size = 20, paramsOf = needed as typeof randomParams): GraphDocument => {
  const nodes: { id: string; type: string; params?: Record<string, unknown> }[] = [{ id: 'n0', type: 'source' }]
  const edges: { from: string; to: string }[] = []
  const givers: Record<string, Giver[]> = {
    image: [
      { ref: 'n0.image', format: 'gray' },
      { ref: 'n0.colour', format: 'colour' },
    ],
  }
  const fitting = (kind: string, format?: string) => (givers[kind] ?? []).filter((each) => takes(format, each.format))
  const types = Object.entries(nodeTypes).filter(([name]) => name !== 'source')
  let detectors = 0
  for (let n = 1; n < size; n += 1) {
    const possible = types.filter(
      ([name, { inputs, needs }]) =>
        (!isDetector(name) || detectors < 8) &&
        ((name !== 'script' && needs !== 'model') || n >= size - WORKERS_AMONG_LAST) &&
        inputs.every(({ kind, format, optional }) => optional || fitting(kind, format).length > 0),
    )
    const [type, is] = possible[random(possible.length)] as (typeof types)[number]
    if (isDetector(type)) detectors += 1
    const id = `n${n}`
    let first: string | undefined
    for (const [at, { name, kind, format, optional }] of is.inputs.entries()) {
      const some = fitting(kind, format)
      const from = some[random(some.length)]
      if (!from || (optional && random(2) === 0)) continue
      edges.push({ from: from.ref, to: `${id}.${name}` })
      if (at === 0) first = format === 'gray' && from.format === 'colour' ? 'gray' : from.format
    }
    for (const { name, kind, format } of is.outputs)
      givers[kind] = [...(givers[kind] ?? []), { ref: `${id}.${name}`, format: format === 'same' ? first : format }]
    nodes.push({ id, type, params: paramsOf(type, random) })
  }
  const ends = Object.values(givers).flatMap((some) => some.map(({ ref }) => ref))
  const outputs = ends.filter(() => random(2) === 0).map((from, index) => ({ port: `out${index}`, from }))
  return {
    nodes: shuffled(random, nodes),
    edges: shuffled(random, edges),
    outputs: outputs.length > 0 ? outputs.slice(0, 32) : [{ port: 'out', from: 'n0.image' }],
  }
}

const shuffled = <T>(random: Random, list: readonly T[]) =>
  list
    .map((each) => [random(1e6), each] as const)
    .sort(([a], [b]) => a - b)
    .map(([, each]) => each)

type Draft = {
  nodes: { id: string; type: string; params?: Record<string, unknown> }[]
  edges: { from: string; to: string }[]
  outputs: { port: string; from: string }[]
  layout?: Record<string, { x: number; y: number }>
}

const ODD_VALUES = [-1, 0, 1e9, 2.5, '7', null, true, [], ['tag16h5', 'tag16h5'], {}, Number.NaN]

/** The ways in which graphs are broken. */
const WAYS: readonly ((graph: Draft, random: Random) => void)[] = [
  ({ edges }, random) => void edges.splice(random(edges.length), 1),
  ({ edges }, random) => void edges.push({ ...one(edges, random) }),
  ({ edges }, random) => void edges.push({ from: one(edges, random).from, to: one(edges, random).to }),
  ({ edges }, random) => {
    one(edges, random).from = one(['n1.nothing', 'nobody.image', 'n2.detections', 'n0.colour', 'n0.image'], random)
  },
  ({ edges }, random) => {
    one(edges, random).to = one(['n1.nothing', 'nobody.image', 'n2.image', 'n3.detections', 'n0.image'], random)
  },
  ({ edges, nodes }, random) => {
    const { id } = one(nodes, random)
    const [port] = one(['image', 'points', 'poses', 'detections'], random).split(' ')
    edges.push({ from: `${id}.${port}`, to: `${id}.${port}` })
  },
  ({ edges, nodes }, random) => {
    const images = edges.filter(({ to }) => to.endsWith('.image'))
    const isGiver = ({ type }: { type: string }) =>
      Object.hasOwn(nodeTypes, type) && nodeTypes[type]?.outputs.some(({ name }) => name === 'image')
    const givers = nodes.filter(isGiver)
    if (images.length > 0 && givers.length > 0) one(images, random).from = `${one(givers, random).id}.image`
  },
  ({ nodes }, random) => void nodes.splice(random(nodes.length), 1),
  ({ nodes }, random) => void nodes.push({ ...one(nodes, random) }),
  ({ nodes }, random) => {
    one(nodes, random).id = one(nodes, random).id
  },
  ({ nodes }, random) => {
    one(nodes, random).type = one(['source', 'gray', 'april_tag', 'hologram', 'constructor', 'field-pose'], random)
  },
  ({ nodes }, random) => {
    const node = one(nodes, random)
    const names = [...Object.keys(nodeTypes[node.type]?.params.properties ?? {}), 'nonsense', 'a/b~c', 'constructor']
    node.params = { ...node.params, [one(names, random)]: one(ODD_VALUES, random) }
  },
  ({ nodes }, random) => {
    const node = one(nodes, random)
    node.params = {}
  },
  ({ nodes }, random) => {
    for (const node of nodes)
      if (node.type === 'apriltag')
        node.params = { ...node.params, decimate: 1 + random(28) / 4, threads: 1 + random(4) }
  },
  ({ outputs }, random) => {
    one(outputs, random).from = one(['n0.image', 'n1.nothing', 'nobody.x', 'n2.detections'], random)
  },
  ({ outputs }, random) => {
    one(outputs, random).port = one(['truth', 'out0', 'out1'], random)
  },
  ({ outputs }) => void outputs.splice(0),
  (graph) => {
    graph.layout = Object.fromEntries(graph.nodes.slice(0, 5).map(({ id }, n) => [id, { x: n, y: -n }]))
  },
]

const one = <T>(list: readonly T[], random: Random): T => list[random(list.length)] as T

/** A graph of which several things are wrong. It passes the schema of drafts. */
export const brokenGraph = (random: Random): GraphDraft => {
  const graph = structuredClone(randomGraph(random, 3 + random(12))) as Draft
  for (let n = 1 + random(4); n > 0; n -= 1) {
    if (graph.nodes.length === 0 || graph.edges.length === 0 || graph.outputs.length === 0) break
    one(WAYS, random)(graph, random)
  }
  return graph
}
