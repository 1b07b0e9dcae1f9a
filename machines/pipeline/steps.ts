// The steps of a plan: one for each node that leads to an output, but one for all that do the same, and those that make grey of colour.
import { byFamily } from './family-default.ts'
import type { Plan, PlanStep } from './graph.ts'
import type { Formats, GraphIndex, Node, Wire } from './graph-index.ts'
import { isConverted } from './kinds.ts'
import type { NodeType } from './node-type.ts'
import { nodeTypes } from './registry.ts'

/** A step that the user did not draw. id: of no node, as none has a `>` in it. wire: the first of the edges for which it is there. */
export interface Inserted {
  readonly id: string
  readonly wire: Wire
}

/** A node whose work another one's step does. */
export interface Shared {
  readonly node: Node
  readonly step: string
}

export interface Steps {
  readonly plan: Plan
  readonly inserted: readonly Inserted[]
  readonly shared: readonly Shared[]
}

/** A step before its values have numbers. inputs: names of what it reads, `<step>.<port>`; null: left open. */
interface Draft {
  readonly id: string
  readonly type: string
  readonly is: NodeType
  readonly params: Readonly<Record<string, unknown>>
  readonly inputs: readonly (string | null)[]
}

/** used: the nodes that lead to outputs, each behind what it reads. */
export const stepsOf = (index: GraphIndex, used: readonly Node[], formats: Formats): Steps => {
  const steps = new StepMaker(index, used, formats)
  for (const node of used) steps.add(node)
  return { plan: numbered(steps.drafts, steps.outputs()), inserted: steps.inserted, shared: steps.shared }
}

class StepMaker {
  readonly drafts: Draft[] = []
  readonly inserted: Inserted[] = []
  readonly shared: Shared[] = []
  readonly #index: GraphIndex
  readonly #formats: Formats
  readonly #bySameness = new Map<string, string>()
  readonly #stepOf = new Map<Node, string>()
  /** Nodes that make grey of a port, by its name: their step serves for whoever needs that. */
  readonly #grays = new Map<string, Node>()

  constructor(index: GraphIndex, used: readonly Node[], formats: Formats) {
    this.#index = index
    this.#formats = formats
    for (const node of used) {
      const wire = node.type === 'gray' && index.wires.get(`${node.id}.image`)
      if (wire && !this.#grays.has(wire.from.name)) this.#grays.set(wire.from.name, node)
    }
  }

  add(node: Node): void {
    if (this.#stepOf.has(node)) return
    const { id, type, is, params } = node
    const inputs = is.inputs.map(({ name, format }) => {
      const wire = this.#index.wires.get(`${id}.${name}`)
      if (!wire) return null
      return isConverted(format, this.#formats.get(wire.from.name)) ? this.#inGrey(wire) : this.#nameOf(wire)
    })
    const sameness = JSON.stringify([type, params, inputs])
    const step = this.#bySameness.get(sameness)
    this.#stepOf.set(node, step ?? id)
    if (step !== undefined) this.shared.push({ node, step })
    else {
      this.#bySameness.set(sameness, id)
      this.drafts.push({ id, type, is, params, inputs })
    }
  }

  /** The outputs of the graph, each with the name of what it gives. */
  outputs() {
    return this.#index.outputs.map(({ port, from }) => ({
      ...{ port, kind: from.port.kind },
      from: `${this.#stepOf.get(from.node)}.${from.port.name}`,
    }))
  }

  #nameOf({ from }: Wire): string {
    return `${this.#stepOf.get(from.node)}.${from.port.name}`
  }

  /** What a wire gives, in grey: by a node of the user that does it, or by a step of its own. */
  #inGrey(wire: Wire): string {
    const node = this.#grays.get(wire.from.name)
    if (node) this.add(node)
    const colour = this.#nameOf(wire)
    const sameness = JSON.stringify(['gray', {}, [colour]])
    const known = this.#bySameness.get(sameness)
    if (known !== undefined) return `${known}.image`
    const id = `${colour}>gray`
    this.#bySameness.set(sameness, id)
    this.inserted.push({ id, wire })
    this.drafts.push({ id, type: 'gray', is: nodeTypes.gray as NodeType, params: {}, inputs: [colour] })
    return `${id}.image`
  }
}

/** Values get numbers. An optional output that nobody reads gets none. */
const numbered = (drafts: readonly Draft[], outputs: ReturnType<StepMaker['outputs']>): Plan => {
  const read = new Set([...drafts.flatMap(({ inputs }) => inputs), ...outputs.map(({ from }) => from)])
  const slots = new Map<string, number>()
  const steps = drafts.map(
    ({ id, type, is, params, inputs }): PlanStep => ({
      ...{ id, type },
      inputs: inputs.map((name) => (name === null ? -1 : (slots.get(name) as number))),
      outputs: is.outputs.map(({ name, optional }) => {
        const value = `${id}.${name}`
        if (optional && !read.has(value)) return -1
        slots.set(value, slots.size)
        return slots.size - 1
      }),
      params: byFamily(is.params.properties, params),
    }),
  )
  return {
    ...{ slots: slots.size, steps },
    outputs: outputs.map(({ port, kind, from }) => ({ port, slot: slots.get(from) as number, kind })),
  }
}
