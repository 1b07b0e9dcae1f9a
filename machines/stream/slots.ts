// The slots of a stream: stored pipelines under the numbers 0 to 9, between which it is switched by number, as a robot
// does. What it runs is a copy, which holds while the stored one cannot run.
import type { Static } from 'typebox'
import type { Fault } from '../errors/fault.ts'
import { CanonicalGraph, type GraphDraft } from '../pipeline/graph.ts'
import { GraphId } from '../pipeline/graph-id.ts'
import type { PlanOf, Unrunnable } from '../pipeline/plan.ts'
import { about } from '../schema/about.ts'
import type { SchemaError } from '../schema/explain.ts'
import { oneLine } from '../schema/one-line.ts'
import { quote } from '../schema/quote.ts'
import Type from '../schema/type.ts'
import type { StoredValue } from '../settings/store.ts'

/** As many as robot programs can name. */
export const MAX_SLOTS = 10

export const SlotNumber = Type.Integer({ minimum: 0, maximum: MAX_SLOTS - 1, description: 'The number of a slot.' })

const PipelineSlot = Type.Object(
  { slot: SlotNumber, graph_id: about(GraphId, 'The stored pipeline that it refers to.') },
  { additionalProperties: false, title: 'PipelineSlot', description: 'A stored pipeline under a number.' },
)

/** Fields of a manifest. Without them a stream runs a pipeline of its own. */
export const slotFields = {
  slots: Type.Optional(
    Type.Array(PipelineSlot, {
      maxItems: MAX_SLOTS,
      description: 'Stored pipelines by number, between which the stream can be switched. Each number once.',
    }),
  ),
  active_slot: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_SLOTS - 1,
      description: oneLine`
        The slot that runs: \`pipeline\` is a copy of its stored pipeline, and follows that. Absent: \`pipeline\` is
        of the stream alone.`,
    }),
  ),
  /** The pipeline of the stream alone, kept while a slot runs. */
  own_pipeline: Type.Optional(CanonicalGraph),
}

type PipelineSlot = Static<typeof PipelineSlot>

/** What of a manifest is about slots. */
export interface Slotted {
  readonly slots?: readonly PipelineSlot[]
  readonly active_slot?: number
}

/** The stored pipeline that a slot refers to; of the one that runs, if nothing else is said. */
export const graphIdOf = (
  { slots = [], active_slot }: Slotted,
  slot: number | undefined = active_slot,
): string | undefined => slots.find((each) => each.slot === slot)?.graph_id

/** The slots with a number that refers to another stored pipeline, or to none any more. In order. */
export const withSlot = (
  slots: readonly PipelineSlot[] = [],
  slot: number,
  graph_id: string | null,
): readonly PipelineSlot[] => {
  const others = slots.filter((each) => each.slot !== slot)
  return (graph_id === null ? others : [...others, { slot, graph_id }]).toSorted((a, b) => a.slot - b.slot)
}

/** The stored pipeline of the slot that runs, as it is now. stored: undefined when it is not there. */
export interface SlotGraph {
  readonly graph_id: string
  readonly stored: StoredValue<GraphDraft> | undefined
}

/** What a stream runs of a stored pipeline: places for editors stay with that. */
export const copyOf = ({ layout: _, ...graph }: CanonicalGraph): CanonicalGraph => graph

/** Says why a stored pipeline cannot run. */
export const cannotRun = (graph_id: string, { why }: Unrunnable): string =>
  oneLine`
    the stored pipeline ${graph_id} cannot run: ${why}. PUT /v1/pipelines/graphs/${graph_id} repairs it, and its
    status says what is wrong`

/** Why a slot that runs cannot follow its stored pipeline, when that is gone. */
export const goneFault = (graph_id: string): Fault => ({
  code: 'graph.not_found',
  detail: oneLine`
    The stored pipeline ${quote(graph_id)} of the active slot is not there; the stream goes on with its copy. Store it
    again under that id, or choose another slot.`,
})

/** Contradictions between the slots of a manifest. */
export const slotErrors = (manifest: Slotted & { readonly own_pipeline?: unknown }): readonly SchemaError[] => {
  const { slots = [], active_slot, own_pipeline } = manifest
  const numbers = slots.map(({ slot }) => slot)
  const twice = slots.flatMap(({ slot }, index) =>
    numbers.indexOf(slot) === index
      ? []
      : [{ pointer: `/slots/${index}/slot`, message: `is ${slot}, the number of an earlier slot; each stands once` }],
  )
  const empty =
    active_slot === undefined || numbers.includes(active_slot)
      ? []
      : [{ pointer: '/active_slot', message: `is ${active_slot}, which is none of the slots; name one of them` }]
  const double =
    own_pipeline === undefined || active_slot !== undefined
      ? []
      : [
          {
            pointer: '/own_pipeline',
            message: 'stands where no slot is active; the pipeline of the stream alone is `pipeline` then',
          },
        ]
  return [...twice, ...empty, ...double]
}

/** Looks a stored pipeline up. */
export type GraphOf = (id: string) => GraphDraft | undefined

/** A slot that refers to a stored pipeline. */
export const GraphUser = Type.Object(
  {
    stream_id: Type.String({ description: 'Whose slot it is.' }),
    slot: SlotNumber,
    active: Type.Boolean({ description: 'Whether the slot runs, so that the stream takes up each change.' }),
  },
  { additionalProperties: false, title: 'GraphUser', description: 'A slot of a stream that refers to the pipeline.' },
)
export type GraphUser = Static<typeof GraphUser>

/** Which slots refer to a stored pipeline. */
export const usersOf = (
  graph_id: string,
  manifests: readonly (Slotted & { readonly id: string })[],
): readonly GraphUser[] =>
  manifests.flatMap(({ id, slots = [], active_slot }) =>
    slots
      .filter((each) => each.graph_id === graph_id)
      .map(({ slot }) => ({ stream_id: id, slot, active: slot === active_slot })),
  )

/**
 * What is wrong with the stored pipelines that a new manifest refers to, and what it runs of them where it does not
 * say.
 */
export const ofStored = (
  manifest: Slotted & { readonly pipeline?: unknown },
  { graphOf, planOf }: { readonly graphOf: GraphOf; readonly planOf: PlanOf },
): { readonly errors: readonly SchemaError[]; readonly pipeline?: CanonicalGraph } => {
  const { slots = [], active_slot, pipeline } = manifest
  const unknown = slots.flatMap(({ graph_id }, index) =>
    graphOf(graph_id)
      ? []
      : [
          {
            pointer: `/slots/${index}/graph_id`,
            message: `is ${quote(graph_id)}, which is no stored pipeline; GET /v1/pipelines/graphs lists them`,
          },
        ],
  )
  const active = graphIdOf(manifest)
  const graph = active === undefined ? undefined : graphOf(active)
  if (active === undefined || !graph || pipeline !== undefined) return { errors: unknown }
  const planned = planOf(graph)
  if (planned.ok) return { errors: unknown, pipeline: copyOf(planned.graph) }
  const message = `is ${active_slot}, but ${cannotRun(active, planned)}`
  return { errors: [...unknown, { pointer: '/active_slot', message }] }
}
