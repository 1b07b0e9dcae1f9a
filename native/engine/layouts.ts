// How the results of the last plans of an engine are laid out: those that are on their way, that a recording takes, or that were kept for one, may be of another
// plan than the present.
import { type OutputLayout, RESULT_HEADER, type ResultLayout } from '../../machines/engine/result.ts'
import type { Plan } from '../../machines/pipeline/graph.ts'

/** What is kept of a stream lasts seconds; a script that switches pipelines at every frame still finds its results. */
const MOST_PLANS = 1024

/** How the results of a plan are laid out. hasTruth: the source knows what it shows, which comes after the outputs. */
export const layoutOf = ({ steps, outputs: planned }: Plan, hasTruth: boolean): ResultLayout => {
  const outputs: OutputLayout[] = []
  for (const { port, kind } of planned) if (kind !== 'image') outputs.push({ port, kind })
  if (hasTruth) outputs.push({ port: 'truth', kind: 'truth' }, { port: 'visible', kind: 'visible' })
  return { stages: steps.map(({ id }) => id), outputs }
}

const PLAN = RESULT_HEADER.indexOf('plan')

/** The layouts by the number of the plan. */
export class Layouts {
  readonly #known = new Map<number, ResultLayout>()

  set(plan: number, layout: ResultLayout): void {
    this.#known.set(plan, layout)
    this.#known.delete(plan - MOST_PLANS)
  }

  /** Of a packed result, which begins at `start`. undefined: its plan is of too long ago. */
  of(data: Float64Array, start = 0): ResultLayout | undefined {
    return this.#known.get(data[start + PLAN] as number)
  }
}
