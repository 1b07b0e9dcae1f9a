// What it means to give a stream another pipeline, or to fill its slots: what it runs from then on, and what is stored.
// Whoever asks for it, asks here.
import type { Fault } from '../errors/fault.ts'
import { type CanonicalGraph, defaultGraph, type GraphDocument } from '../pipeline/graph.ts'
import type { PlanOf, Runnable } from '../pipeline/plan.ts'
import { graphCollection } from '../pipeline/stored-graphs.ts'
import { firstError } from '../schema/errors.ts'
import type { SchemaError } from '../schema/explain.ts'
import { oneLine } from '../schema/one-line.ts'
import { Refused } from '../settings/commit.ts'
import type { CanonicalManifest } from './manifest.ts'
import { cannotRun, copyOf, type GraphOf, graphIdOf, MAX_SLOTS, withSlot } from './slots.ts'

/** What somebody wants a stream to run. */
export interface PipelineRequest {
  /** One of its own. */
  readonly graph?: GraphDocument
  /** A stored one, in a slot; null: that slot is to refer to none. */
  readonly graph_id?: string | null
  /** Alone: the one that is to run; null: none, the stream's own pipeline. */
  readonly slot?: number | null
  /** false: the slot is filled, and what runs goes on. */
  readonly activate?: boolean
  /** With a graph: for so many seconds, and nothing is stored; null, alone: what is stored runs again. */
  readonly trial_s?: number | null
}

/** A change of what a stream runs. */
export interface PipelineChange {
  /** What the engine is to run from then on; undefined: nothing else than before. */
  readonly runs?: Runnable
  /**
   * For so many seconds that is tried, and nothing is stored; null: what is tried ends, also where nothing is stored
   * anew; undefined: it goes on, unless another pipeline is stored.
   */
  readonly trial_s?: number | null
  /**
   * Of the manifest as it is when it is stored, which others may have changed while the engine tried what is to run.
   */
  readonly change: (before: CanonicalManifest) => CanonicalManifest | Refused
}

/** What a request is judged by. */
interface Known {
  readonly manifest: CanonicalManifest
  readonly graphOf: GraphOf
  /** What can run on this device. */
  readonly planOf: PlanOf
}

/** The change that carries a request out, or why it cannot be. Pointers are those of the request. */
export const pipelineChange = (request: PipelineRequest, known: Known): PipelineChange | Fault => {
  const { graph, graph_id, slot, activate, trial_s } = request
  if (trial_s === null)
    return [graph, graph_id, slot, activate].every((field) => field === undefined)
      ? { trial_s, change: sameAsBefore }
      : contradiction('/trial_s', 'is null beside something else; a trial is ended by that alone')
  const change = choiceOf(request, known)
  if ('code' in change) return change
  if (trial_s === undefined) return change.runs ? { ...change, trial_s: null } : change
  if (graph !== undefined) return { ...change, trial_s, change: sameAsBefore }
  return contradiction('/trial_s', 'stands without a graph; slots are chosen and filled for good')
}

const sameAsBefore: PipelineChange['change'] = (before) => before

const choiceOf = ({ graph, graph_id, slot, activate }: PipelineRequest, known: Known): PipelineChange | Fault => {
  if (activate !== undefined && typeof graph_id !== 'string')
    return contradiction('/activate', 'stands without a graph_id that could be made active')
  if (graph !== undefined) {
    if (graph_id !== undefined) return contradiction('/graph_id', 'stands beside a graph; say one of them')
    if (slot !== undefined)
      return contradiction(
        '/slot',
        oneLine`
          stands beside a graph, but slots refer to stored pipelines; store it first (POST /v1/pipelines/graphs), and
          name its graph_id`,
      )
    return toOwn(graph, known.planOf, (pointer) => `/graph${pointer}`)
  }
  if (typeof graph_id === 'string')
    return slot === null ? noSlot : filled({ graph_id, slot, ...(activate !== undefined && { activate }) }, known)
  if (graph_id === null) return typeof slot === 'number' ? emptied(slot, known.manifest) : noSlot
  if (slot === undefined) return contradiction('', 'says nothing; give a graph, a graph_id, or a slot')
  if (slot !== null) return toSlot(slot, known)
  const { active_slot, own_pipeline = defaultGraph } = known.manifest
  if (active_slot === undefined) return { trial_s: null, change: sameAsBefore }
  return toOwn(own_pipeline, known.planOf, () => '/slot')
}

/**
 * What a stored pipeline that has been changed makes of a stream that runs it. Of one that runs another by then:
 * nothing.
 */
export const followed =
  (graph_id: string, { graph }: Runnable) =>
  (before: CanonicalManifest): CanonicalManifest =>
    graphIdOf(before) === graph_id ? { ...before, pipeline: copyOf(graph) } : before

const toOwn = (graph: GraphDocument, planOf: PlanOf, at: (pointer: string) => string): PipelineChange | Fault => {
  const runs = planOf(graph)
  if (!runs.ok) {
    const errors = runs.errors.map((error) => ({ ...error, pointer: at(error.pointer) }))
    const detail = oneLine`
      the pipeline cannot run: ${runs.why}. POST /v1/pipelines/validate tells more of it, and offers repairs`
    return { code: 'body.invalid', detail, errors }
  }
  return {
    runs,
    change: (before) => withOwnPipeline(before, runs.graph),
  }
}

/** A manifest with another pipeline of the stream alone, which runs in place of any slot. */
export const withOwnPipeline = (
  { active_slot: _, own_pipeline: __, ...before }: CanonicalManifest,
  pipeline: CanonicalGraph,
): CanonicalManifest => ({ ...before, pipeline })

const toSlot = (slot: number, known: Known): PipelineChange | Fault => {
  const { manifest } = known
  const graph_id = graphIdOf(manifest, slot)
  if (graph_id === undefined)
    return {
      code: 'slot.empty',
      detail: `the slot ${slot} of the stream ${manifest.id} refers to no stored pipeline; give it one with graph_id`,
    }
  const runs = runnable(graph_id, known, '/slot')
  if ('code' in runs) return runs
  return {
    runs,
    change: (before) =>
      graphIdOf(before, slot) === graph_id ? activated(before, slot, runs.graph) : new Refused(otherSlot(before, slot)),
  }
}

const filled = (
  {
    graph_id,
    slot,
    activate = true,
  }: { readonly graph_id: string; readonly slot: number | undefined; readonly activate?: boolean },
  known: Known,
): PipelineChange | Fault => {
  const runs = runnable(graph_id, known, '/graph_id')
  if ('code' in runs) return runs
  const placeIn = (manifest: CanonicalManifest) => slot ?? placeFor(graph_id, manifest)
  const place = placeIn(known.manifest)
  if (place === undefined) return noPlace
  const change: PipelineChange['change'] = (before) => {
    const now = placeIn(before)
    if (now === undefined) return new Refused(noPlace)
    if (!known.graphOf(graph_id)) return new Refused(graphCollection.notFound(graph_id)) // deleted meanwhile
    const slotted = { ...before, slots: [...withSlot(before.slots, now, graph_id)] }
    return activate || now === before.active_slot ? activated(slotted, now, runs.graph) : slotted
  }
  return activate || place === known.manifest.active_slot ? { runs, change } : { change }
}

/** The slot that has it already, else the one that runs, else the first that is free. */
const placeFor = (graph_id: string, { slots = [], active_slot }: CanonicalManifest): number | undefined => {
  const taken = slots.map(({ slot }) => slot)
  const free = Array.from({ length: MAX_SLOTS }, (_, n) => n).find((n) => !taken.includes(n))
  return slots.find((each) => each.graph_id === graph_id)?.slot ?? active_slot ?? free
}

const emptied = (slot: number, { id, active_slot }: CanonicalManifest): PipelineChange | Fault => {
  if (slot === active_slot)
    return {
      code: 'slot.active',
      detail: oneLine`
        the slot ${slot} of the stream ${id} is the active one; make another one active first, or none (slot null)`,
    }
  return {
    change: (before) => {
      if (before.active_slot === slot) return before // it was made active meanwhile
      const { slots, ...rest } = before
      const left = withSlot(slots, slot, null)
      return left.length > 0 ? { ...rest, slots: [...left] } : rest
    },
  }
}

const activated = (before: CanonicalManifest, slot: number, graph: CanonicalGraph): CanonicalManifest => ({
  ...before,
  active_slot: slot,
  pipeline: copyOf(graph),
  ...(before.active_slot === undefined && { own_pipeline: before.pipeline }),
})

const otherSlot = ({ id, slots = [] }: CanonicalManifest, slot: number): Fault => ({
  code: 'revision.stale',
  detail: oneLine`
    the slot ${slot} of the stream ${id} refers to ${graphIdOf({ slots }, slot) ?? 'no stored pipeline'} by now; read
    the stream again and repeat`,
})

const runnable = (graph_id: string, { graphOf, planOf }: Known, pointer: string): Runnable | Fault => {
  const graph = graphOf(graph_id)
  if (!graph) return graphCollection.notFound(graph_id)
  const planned = planOf(graph)
  if (planned.ok) return planned
  return invalid([{ pointer, message: `cannot be had: ${cannotRun(graph_id, planned)}` }])
}

const invalid = (errors: readonly SchemaError[]): Fault => ({
  code: 'body.invalid',
  detail: firstError(errors, 'the body'),
  errors,
})

const contradiction = (pointer: string, message: string): Fault => invalid([{ pointer, message }])

const noPlace = contradiction(
  '/slot',
  `is missing, and all ${MAX_SLOTS} slots refer to other pipelines; say which of them is to have this one`,
)

const noSlot = contradiction('/slot', 'is missing; a stored pipeline is put into a slot, and taken out of one')
