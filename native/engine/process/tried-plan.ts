// The plan that was tried last. It is made already, and most often run right after: whoever stores a pipeline has it
// tried first.
import type { Plan } from '../../../machines/pipeline/graph.ts'

/**
 * From its trial until it is stored takes a few milliseconds, or some seconds where the disk is slow; then its memory
 * is needed for other things.
 */
const KEPT_MS = 10_000

/** Which plan is kept, and for how long. letGo: told when it is to be kept no longer. */
export class TriedPlan {
  readonly #letGo: () => void
  #text: string | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(letGo: () => void) {
    this.#letGo = letGo
  }

  /** It has been made, and is kept. */
  keep(plan: Plan): void {
    this.#text = JSON.stringify(plan)
    this.#timer = setTimeout(() => this.drop(), KEPT_MS).unref()
  }

  /** Whether the plan is the one that is kept. It is not any more: whoever asks takes it, or has another one made. */
  take(plan: Plan): boolean {
    const isKept = this.#text !== undefined && this.#text === JSON.stringify(plan)
    if (isKept) this.#forget()
    else this.drop()
    return isKept
  }

  drop(): void {
    if (this.#text === undefined) return
    this.#forget()
    this.#letGo()
  }

  #forget(): void {
    this.#text = undefined
    clearTimeout(this.#timer)
  }
}
