// The steps of a plan: one for each node that leads to an output, but one for all that do the same, and those that make
// grey of colour.

import { forEach } from '../default-each.ts'
import type { Plan, PlanStep } from '../graph.ts'
import { isConverted } from '../kinds.ts'
import type { NodeType, PortType } from '../node-type.ts'
import { type End, type Formats, formatOf, type GraphIndex, type Node, type Wire } from '../reading/graph-index.ts'
import { nodeTypes } from '../registry.ts'
import { DistinctSteps } from './distinct-steps.ts'

/** A step that the user did not draw. */
export interface Inserted {
  /** Of no node, as none has a `>` in it. */
  readonly id: string
  /** The first of the edges for which it is there. */
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

/** What a step gives. */
interface Value {
  /** `<step>.<port>`. */
  readonly name: string
  /** Of all values that are thought of. */
  readonly number: number
  readonly isOptional: boolean
  isRead: boolean
  /** Of those that a plan keeps. */
  slot: number
}

/** A step before its values have numbers. inputs: null: left open. */
interface Draft {
  readonly id: string
  readonly type: string
  readonly is: NodeType
  readonly params: Readonly<Record<string, unknown>>
  readonly inputs: readonly (Value | null)[]
  readonly outputs: readonly Value[]
}

/** used: the nodes that lead to outputs, each behind what it reads. */
export const stepsOf = (index: GraphIndex, used: readonly Node[], formats: Formats): Steps => {
  const steps = new StepMaker(used, formats)
  for (const node of used) steps.add(node)
  const outputs = index.outputs.map(({ port, from }) => ({ port, kind: from.port.kind, value: steps.valueOf(from) }))
  return { plan: numbered(steps.drafts, outputs), inserted: steps.inserted, shared: steps.shared }
}

class StepMaker {
  readonly drafts: Draft[] = []
  readonly inserted: Inserted[] = []
  readonly shared: Shared[] = []
  readonly #formats: Formats
  readonly #distinct = new DistinctSteps<Draft>()
  #values = 0
  /** By the places of the nodes in the document. */
  readonly #stepOf: Draft[] = []
  /** Nodes that make grey of a port, by its name: their step serves all that need it. */
  readonly #grays = new Map<string, Node>()

  constructor(used: readonly Node[], formats: Formats) {
    this.#formats = formats
    for (const node of used) {
      const wire = node.type === 'gray' && node.wires[0]
      if (wire && !this.#grays.has(wire.from.name)) this.#grays.set(wire.from.name, node)
    }
  }

  add(node: Node): void {
    if (this.#stepOf[node.index]) return
    const inputs = node.wires.map((wire) => (wire ? this.#read(wire) : null))
    const draft = this.#step(node.id, node, inputs)
    this.#stepOf[node.index] = draft
    if (draft.id !== node.id) this.shared.push({ node, step: draft.id })
  }

  valueOf({ node, at }: End): Value {
    return this.#stepOf[node.index]?.outputs[at] as Value
  }

  #read(wire: Wire): Value {
    const isInGrey = isConverted(wire.to.port.format, formatOf(this.#formats, wire.from))
    return isInGrey ? this.#inGrey(wire) : this.valueOf(wire.from)
  }

  /** What a wire gives, in grey: by a node of the user that does it, or by a step of its own. */
  #inGrey(wire: Wire): Value {
    const node = this.#grays.get(wire.from.name)
    if (node) this.add(node)
    const colour = this.valueOf(wire.from)
    const id = `${colour.name}>gray`
    const before = this.drafts.length
    const draft = this.#step(id, { type: 'gray', is: nodeTypes.gray as NodeType, params: NONE }, [colour])
    if (this.drafts.length > before) this.inserted.push({ id, wire })
    return draft.outputs[0] as Value
  }

  /** The step that does this already, or else another one. */
  #step(id: string, { type, is, params }: Pick<Draft, 'type' | 'is' | 'params'>, inputs: Draft['inputs']): Draft {
    return this.#distinct.take({ type, params, inputs }, () => {
      for (const value of inputs) if (value) value.isRead = true
      const outputs = is.outputs.map((port) => this.#value(id, port))
      const draft = { id, type, is, params, inputs, outputs }
      this.drafts.push(draft)
      return draft
    })
  }

  #value(id: string, { name, optional }: PortType): Value {
    return { name: `${id}.${name}`, number: this.#values++, isOptional: optional === true, isRead: false, slot: -1 }
  }
}

const NONE = {}

/** Values get numbers. An optional output that nobody reads gets none. */
const numbered = (
  drafts: readonly Draft[],
  outputs: readonly (Omit<Plan['outputs'][number], 'slot'> & { readonly value: Value })[],
): Plan => {
  for (const { value } of outputs) value.isRead = true
  let slots = 0
  const steps = drafts.map(({ id, type, is, params, inputs, outputs }): PlanStep => {
    for (const value of outputs) if (value.isRead || !value.isOptional) value.slot = slots++
    return {
      id,
      type,
      inputs: inputs.map((value) => value?.slot ?? -1),
      outputs: outputs.map(({ slot }) => slot),
      params: forEach(is.params.properties, params),
      ...(is.plugin && { plugin: is.plugin }),
    }
  })
  return { slots, steps, outputs: outputs.map(({ port, kind, value }) => ({ port, slot: value.slot, kind })) }
}
