// Steps of one type with the same inputs and parameters are one step.

/** inputs: what it reads, each value under a number of its own; null: left open. */
interface Step {
  readonly type: string
  readonly params: object
  readonly inputs: readonly ({ readonly number: number } | null)[]
}

/** Steps of one type that read the same values. byParams: by their parameters as text, once there are two. */
interface Group<S> {
  readonly first: S
  byParams?: Map<string, S>
}

/**
 * The steps that there are so far, no two of them alike. Parameters, which take longer than all the rest, are compared
 * only where everything else is the same.
 */
export class DistinctSteps<S extends Step> {
  readonly #groups = new Map<string, Group<S>>()

  /** The step that is alike, or else the one that `make` gives, which is one of them from then on. */
  take(step: Step, make: () => S): S {
    const key = keyOf(step)
    const group = this.#groups.get(key)
    if (!group) {
      const first = make()
      this.#groups.set(key, { first })
      return first
    }
    if (group.first.params === step.params) return group.first
    group.byParams ??= new Map([[textOf(group.first), group.first]])
    const text = textOf(step)
    const known = group.byParams.get(text)
    if (known) return known
    const made = make()
    group.byParams.set(text, made)
    return made
  }
}

const keyOf = ({ type, inputs }: Step): string => {
  let key = type
  for (const value of inputs) key += value ? `,${value.number}` : ',-'
  return key
}

/** The parameters of a type are in one order. */
const textOf = ({ params }: Step): string => JSON.stringify(params)
