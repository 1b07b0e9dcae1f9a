// The threads of a plan's detectors together: each would take as many as it is given, of processors that the other
// streams need too.
import { isDetector } from '../checks/memory.ts'
import type { Plan } from '../graph.ts'
import { usedThreads } from '../nodes/tag-detectors.ts'

/** As many as the largest devices have processors, twice. */
export const MAX_THREADS = 8

/** The same plan, in which no detector has more threads than its fair part of those that there are. */
export const withThreadsShared = (plan: Plan): Plan => {
  const wanted = plan.steps.map(({ type, params }) => (isDetector(type) ? usedThreads(params) : 0))
  if (wanted.reduce((sum, each) => sum + each, 0) <= MAX_THREADS) return plan
  const shares = fairShares(wanted, MAX_THREADS)
  const steps = plan.steps.map((step, n) =>
    shares[n] === wanted[n] ? step : { ...step, params: { ...step.params, threads: shares[n] } },
  )
  return { ...plan, steps }
}

/** In turn each step takes one more, as long as it wants one and there is one; each has one at least. */
const fairShares = (wanted: readonly number[], most: number): readonly number[] => {
  const shares = wanted.map((each) => Math.min(each, 1))
  let left = most - shares.reduce((sum, each) => sum + each, 0)
  for (let round = 2; left > 0 && wanted.some((each) => each >= round); round += 1)
    for (const [n, each] of wanted.entries()) {
      if (each < round || left <= 0) continue
      shares[n] = round
      left -= 1
    }
  return shares
}
