// How many tags were not used within the last second, and why.
import type { TagReason } from './reasons.ts'

/** How long a tag is counted, in parts after which the oldest are forgotten. */
const COUNTED_FOR_US = 1_000_000
const PARTS = 10
const PART_US = COUNTED_FOR_US / PARTS

/** Counts by reason. */
export type TagCounts = Readonly<Partial<Record<TagReason, number>>>

/** The tags of the last second that were left out. */
export class RejectedTags {
  readonly #parts = Array.from({ length: PARTS }, () => ({ number: -1, counts: new Map<TagReason, number>() }))

  add(reason: TagReason, nowUs: number, count = 1): void {
    if (count === 0) return
    const number = Math.floor(nowUs / PART_US)
    const part = this.#parts[number % PARTS]
    if (!part) return
    if (part.number !== number) {
      part.number = number
      part.counts.clear()
    }
    part.counts.set(reason, (part.counts.get(reason) ?? 0) + count)
  }

  counts(nowUs: number): TagCounts {
    const newest = Math.floor(nowUs / PART_US)
    const sum: Partial<Record<TagReason, number>> = {}
    for (const { number, counts } of this.#parts) {
      if (number <= newest - PARTS) continue
      for (const [reason, count] of counts) sum[reason] = (sum[reason] ?? 0) + count
    }
    return sum
  }
}
