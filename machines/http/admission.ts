// Which connections stay when there are more than can be served: a pure decision about addresses and moments. It knows
// no socket.
import { isLoopbackAddress } from './access.ts'

/** A robot has a handful of clients; so many connections are held open at one listener. */
export const MAX_CONNECTIONS = 256

/**
 * A client that only listens to events costs some kilobytes and no work of its own: so many have places beside the
 * others.
 */
export const MAX_LISTENERS = 1_024

/**
 * Of one remote address: a browser with every page of the device open needs 20. This device itself, where tools and
 * tests run, may have all there are.
 */
export const MAX_PER_ADDRESS = 64

/** A connection as the decision sees it. */
export interface Occupant {
  readonly address: string
  /** Since when nothing has come of it; null: it is at work, and not taken away. */
  readonly idleSinceMs: number | null
  /** It has one of the places for listeners. */
  readonly isListener?: boolean
}

/** `full` says which limit was met. */
export type Admission<O extends Occupant> =
  | { readonly outcome: 'room' }
  | { readonly outcome: 'instead-of'; readonly occupant: O }
  | { readonly outcome: 'full'; readonly limit: number; readonly of: 'address' | 'all' }

/**
 * Whether a newcomer finds a place beside the occupants, and whose.
 *
 * An address that has all it may have gives up its own connection that has been idle longest; nobody else pays for it.
 * An address of the network may have no more when some of them listen.
 */
export const admission = <O extends Occupant>(occupants: readonly O[], address: string): Admission<O> => {
  const isHere = isLoopbackAddress(address)
  const limit = isHere ? MAX_CONNECTIONS : MAX_PER_ADDRESS
  const ofAddress = occupants.filter((each) => each.address === address && !(isHere && each.isListener))
  if (ofAddress.length >= limit) return insteadOf(ofAddress) ?? { outcome: 'full', limit, of: 'address' }
  const others = occupants.filter(({ isListener }) => !isListener)
  if (others.length < MAX_CONNECTIONS) return { outcome: 'room' }
  return insteadOf(others) ?? { outcome: 'full', limit: MAX_CONNECTIONS, of: 'all' }
}

/** Whether one more may have a place for listeners. */
export const hasRoomToListen = (occupants: readonly Occupant[]): boolean =>
  occupants.filter(({ isListener }) => isListener).length < MAX_LISTENERS

const insteadOf = <O extends Occupant>(occupants: readonly O[]): Admission<O> | undefined => {
  let longest: O | undefined
  for (const each of occupants) {
    if (each.idleSinceMs === null) continue
    if (longest === undefined || each.idleSinceMs < (longest.idleSinceMs as number)) longest = each
  }
  return longest && { outcome: 'instead-of', occupant: longest }
}

/**
 * What comes slower than this is not coming: 1 MiB, the largest body, in the 30 s that a request may take, goes at 35
 * kB/s.
 */
const MIN_BYTES_PER_MS = 16

/**
 * Since when an exchange has stood still: each byte that moved since its begin bought it a little time, a trickle next
 * to none.
 */
export const stillSinceMs = (beganMs: number, movedBytes: number, nowMs: number): number =>
  Math.min(nowMs, beganMs + movedBytes / MIN_BYTES_PER_MS)
