// What is to say of the models that nodes of a graph run: none is chosen, there is no such model, or it does another
// thing.

import { fitModel, isUnfit, MODEL_NODES, type ModelNode } from '../models/model-fit.ts'
import type { StoredModel, StoredModels } from '../models/stored-models.ts'
import { schemaErrors } from '../schema/errors.ts'
import { oneLine } from '../schema/one-line.ts'
import { quote } from '../schema/quote.ts'
import type { Finding, Patch } from './diagnostic.ts'
import type { GraphDraft } from './graph.ts'
import type { GraphIndex, Node } from './reading/graph-index.ts'
import { settingParam } from './reading/patches.ts'

/** Errors and warnings, in the order of the document. Whether a graph can run at all is not asked. */
export const modelFindings = (index: GraphIndex, stored: StoredModels): readonly Finding[] => {
  const models = new AskedOnce(stored)
  return [...index.nodes.values()].flatMap((node) => {
    const type = MODEL_NODES.find((each) => each === node.type)
    const isSound = type !== undefined && schemaErrors(node.is.params, node.params).length === 0
    return isSound ? (findingOf(index, node, { type, models }) ?? []) : []
  })
}

/** The models for one graph, which may have hundreds of nodes that ask the same. */
class AskedOnce {
  readonly #models: StoredModels
  readonly #found = new Map<string, StoredModel | undefined>()
  readonly #fitting = new Map<string, readonly StoredModel[]>()
  #all: readonly StoredModel[] | undefined

  constructor(models: StoredModels) {
    this.#models = models
  }

  find(name: string): StoredModel | undefined {
    if (!this.#found.has(name)) this.#found.set(name, this.#models.find(name))
    return this.#found.get(name)
  }

  /** Those that do what a node wants, the newest first. */
  fitting({ params }: Node, type: ModelNode): readonly StoredModel[] {
    const key = JSON.stringify([type, params.input_px, params.head]) // what fitModel goes by
    const known = this.#fitting.get(key)
    if (known) return known
    this.#all ??= this.#models.all()
    const fitting = this.#all.filter(({ model }) => !isUnfit(fitModel(type, model, params)))
    this.#fitting.set(key, fitting)
    return fitting
  }
}

/** Whether a node of a graph runs that model, or would. */
export const runsModel = ({ nodes }: GraphDraft, name: string): boolean =>
  nodes.some(({ type, params }) => MODEL_NODES.some((each) => each === type) && params?.model === name)

interface Asked {
  readonly type: ModelNode
  readonly models: AskedOnce
}

const findingOf = (index: GraphIndex, node: Node, asked: Asked): Finding | undefined => {
  const { id, params, pointer } = node
  const name = params.model as string | null
  const place = { node: id, of: `model of ${id}`, pointer: `${pointer}/params/model` }
  const another = () => withModel(index, node, firstFit(node, asked))
  if (name === null)
    return {
      ...place,
      code: 'model.missing',
      pointer,
      message: `is not chosen yet, so that nothing is found; ${choice(node, asked)}`,
      fix: () => (firstFit(node, asked) ? another() : null),
    }
  const stored = asked.models.find(name)
  if (!stored)
    return {
      ...place,
      code: 'model.unknown',
      fix: another,
      message: `is ${quote(name)}, and there is no such model on this device; ${choice(node, asked)}`,
    }
  const found = fitModel(asked.type, stored.model, params)
  if (!isUnfit(found)) return undefined
  const fitsByItself =
    found.param === 'head' && !isUnfit(fitModel(asked.type, stored.model, { ...params, head: 'auto' }))
  return {
    ...place,
    code: 'model.unfit',
    message: `is ${name}, which ${found.why}${fitsByItself ? '; leave its head to be found out (auto)' : ''}`,
    fix: () => (fitsByItself ? settingParam(index.graph, node.index, 'head', 'auto') : another()),
  }
}

const firstFit = (node: Node, { type, models }: Asked): StoredModel | undefined => models.fitting(node, type)[0]

/** None fits: none is chosen. */
const withModel = ({ graph }: GraphIndex, { index }: Node, stored: StoredModel | undefined): Patch | null =>
  settingParam(graph, index, 'model', stored?.name ?? null)

const choice = (node: Node, { type, models }: Asked): string => {
  const names = models.fitting(node, type).map(({ name }) => name)
  if (names.length === 0) return 'none that would do is stored, upload one (POST /v1/media)'
  const more = names.length - MAX_NAMED
  return oneLine`
    there ${names.length === 1 ? 'is' : 'are'}
    ${names.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}
  `
}

const MAX_NAMED = 10 // in one sentence
