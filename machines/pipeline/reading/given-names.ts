// Names that repairs give, so that no two of one report give the same: all of them can be applied.

import type { Taken } from '../../schema/free-id.ts'
import type { Patch } from '../diagnostic.ts'
import { freeName } from './patches.ts'

/** For the nodes of a graph, or for its outputs. */
export class GivenNames {
  readonly #given = new Set<string>()

  /**
   * A fix that gives a name like this one, which nobody has and no fix has given: the same each time it is asked for.
   */
  fix(like: string, taken: Taken, rename: (free: string) => Patch | null): () => Patch | null {
    let free: string | undefined
    return () => {
      free ??= freeName(like, { has: (name) => taken.has(name) || this.#given.has(name) })
      this.#given.add(free)
      return rename(free)
    }
  }
}
