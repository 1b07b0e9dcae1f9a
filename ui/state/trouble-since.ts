// Since when a stream has been in trouble. Its state does not tell: while it is tried again, that changes all the time.
import type { Stream } from './streams.ts'

const sinces = new Map<string, number>()

/** By the clock of the device; undefined: nothing is wrong with it. */
export const troubleSince = ({ id, status: { fault, since_ms } }: Stream): number | undefined => {
  if (fault === null) {
    sinces.delete(id)
    return undefined
  }
  const since = Math.min(sinces.get(id) ?? since_ms, since_ms)
  sinces.set(id, since)
  return since
}

/** Whether pictures of it come, though perhaps not as they should. */
export const givesPictures = ({ status: { state, fault } }: Stream): boolean =>
  fault === null || state === 'live' || state === 'stalled'
