// The results of an engine as bytes, and how those of its last plans are laid out: results that are on their way, that
// a recording takes, or that were kept for one, may be of another plan than the present.
import { type OutputLayout, RESULT_HEADER, type Result, type ResultLayout } from '../../../machines/engine/result.ts'
import type { Plan } from '../../../machines/pipeline/graph.ts'

/** What is kept of a stream lasts seconds; a script that switches pipelines at every frame still finds its results. */
const MAX_PLANS = 1024

/**
 * Of their texts. The longest layout has 100 kB but for names of classes, of which a step has 64 kB: all of a day's
 * work on pipelines, or a hundred of the longest.
 */
const MAX_BYTES = 8 * 1024 * 1024

/** Names of the classes that steps tell apart, by their ids. */
export type Labels = ReadonlyMap<string, readonly string[]>

/** How the results of a plan are laid out. hasTruth: the source knows what it shows, which comes after the outputs. */
export const layoutOf = (
  { steps, outputs: planned }: Plan,
  hasTruth: boolean,
  labelsOf: Labels = new Map(),
): ResultLayout => {
  const outputs: OutputLayout[] = []
  for (const { port, kind, slot } of planned) {
    if (kind === 'image') continue
    const labels = labelsOf.get(steps.find((step) => step.outputs.includes(slot))?.id ?? '')
    outputs.push({ port, kind, ...(labels && { labels }) })
  }
  if (hasTruth) outputs.push({ port: 'truth', kind: 'truth' }, { port: 'visible', kind: 'visible' })
  return { stages: steps.map(({ id }) => id), outputs }
}

/** A layout on the wire: the names of a step's classes are there once, however many outputs come from it. */
export interface SentLayout {
  readonly stages: readonly string[]
  /** labels: which of those below. */
  readonly outputs: readonly (Omit<OutputLayout, 'labels'> & { readonly labels?: number })[]
  readonly labels: readonly (readonly string[])[]
}

/** Lists of names that are one object are sent once. */
export const sentLayout = ({ stages, outputs }: ResultLayout): SentLayout => {
  const labels = [...new Set(outputs.flatMap((output) => (output.labels ? [output.labels] : [])))]
  const sent = outputs.map(({ labels: named, ...output }) => ({
    ...output,
    ...(named && { labels: labels.indexOf(named) }),
  }))
  return { stages, outputs: sent, labels }
}

export const layoutFrom = ({ stages, outputs, labels }: SentLayout): ResultLayout => ({
  stages,
  outputs: outputs.map(({ labels: place, ...output }) => {
    const named = place === undefined ? undefined : labels[place]
    return { ...output, ...(named && { labels: named }) }
  }),
})

const PLAN = RESULT_HEADER.indexOf('plan')

/** A layout, and how many plans have it. */
interface Known {
  readonly text: string
  readonly layout: ResultLayout
  plans: number
}

/**
 * The layouts by the number of the plan. Plans that say the same share one: whoever switches to and fro, or changes a
 * threshold, adds nothing.
 */
export class Layouts {
  readonly #maxBytes: number
  readonly #byPlan = new Map<number, Known>()
  readonly #byText = new Map<string, Known>()
  #bytes = 0

  /** maxBytes: of the texts of all that are kept; the newest is kept in any case. */
  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes
  }

  /** Gives the layout that is kept for it: the previous one, when that says the same. */
  set(plan: number, layout: ResultLayout): ResultLayout {
    const text = JSON.stringify(sentLayout(layout))
    const known = this.#byText.get(text) ?? this.#add({ text, layout, plans: 0 })
    known.plans += 1
    this.#forget(plan)
    this.#byPlan.set(plan, known)
    for (const oldest of this.#byPlan.keys()) {
      if (oldest === plan || (this.#byPlan.size <= MAX_PLANS && this.#bytes <= this.#maxBytes)) break
      this.#forget(oldest) // by its place: plans that could not be made have numbers too
    }
    return known.layout
  }

  /** Of a packed result, which begins at `start`. undefined: its plan is of too long ago. */
  of(data: Float64Array, start = 0): ResultLayout | undefined {
    return this.ofPlan(data[start + PLAN] as number)
  }

  /** Of the plan with that number. undefined: it is of too long ago, or there never was one. */
  ofPlan(plan: number): ResultLayout | undefined {
    return this.#byPlan.get(plan)?.layout
  }

  #add(known: Known): Known {
    this.#byText.set(known.text, known)
    this.#bytes += known.text.length
    return known
  }

  #forget(plan: number): void {
    const known = this.#byPlan.get(plan)
    if (!known) return
    this.#byPlan.delete(plan)
    known.plans -= 1
    if (known.plans > 0) return
    this.#byText.delete(known.text)
    this.#bytes -= known.text.length
  }
}

/** What goes with a result on the wire. */
interface Beside {
  readonly sighting?: Float64Array | undefined
  /** So many of the last of its own doubles are those of its observation; default none. */
  readonly observed?: number
}

/**
 * The bytes of a result: its own doubles, those of its observation, those of its sighting, then how many the former and
 * the latter are.
 */
export const resultBytes = (data: Uint8Array, { sighting, observed = 0 }: Beside = {}): Uint8Array => {
  const sightingBytes = sighting ? new Uint8Array(sighting.buffer, sighting.byteOffset, sighting.byteLength) : NOTHING
  const end = data.length + sightingBytes.length
  const bytes = Buffer.allocUnsafe(end + COUNT_BYTES)
  bytes.set(data)
  bytes.set(sightingBytes, data.length)
  bytes.writeDoubleLE(observed, end)
  bytes.writeDoubleLE(sightingBytes.length / 8, end + 8)
  return bytes
}

const COUNT_BYTES = 16

const NOTHING = new Uint8Array(0)

/** The result in its bytes, copied: they came at any address, and doubles lie at multiples of eight. */
export const resultFrom = (bytes: Uint8Array, layouts: Layouts): Result | undefined => {
  const count = Math.floor(bytes.length / 8)
  const start = room(count)
  slabBytes.set(bytes.length === 8 * count ? bytes : bytes.subarray(0, 8 * count), 8 * start)
  const layout = layouts.of(slab, start)
  if (!layout) return undefined
  const end = start + count - COUNT_BYTES / 8
  const sightingAt = end - countAt(end + 1, end - start)
  const observationAt = sightingAt - countAt(end, sightingAt - start)
  return {
    layout,
    data: slab.subarray(start, observationAt),
    ...(sightingAt < end && { sighting: slab.subarray(sightingAt, end) }),
    ...(observationAt < sightingAt && { observation: slab.subarray(observationAt, sightingAt) }),
  }
}

/** A count of doubles in the slab, none where fewer than one of the result itself would be left. */
const countAt = (at: number, doubles: number): number => {
  const count = slab[at] as number
  return count > 0 && count < doubles ? count : 0
}

// Memory for a hundred results at a time: to ask for it, to clear it and to give it back takes longer than to copy what
// goes into it.
const SLAB_DOUBLES = 64 * 1024
let slab = new Float64Array(0)
let slabBytes = new Uint8Array(0)
let used = 0

/** Where so many doubles have room that nobody else holds. */
const room = (count: number): number => {
  if (used + count > slab.length) {
    slab = new Float64Array(Math.max(SLAB_DOUBLES, count))
    slabBytes = new Uint8Array(slab.buffer)
    used = 0
  }
  used += count
  return used - count
}
