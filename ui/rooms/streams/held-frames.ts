// Which frames of two pictures belong together while both are held: those of the same number where both are of one
// stream, else those that were taken at nearly the same moment.
import type { KeptFrame } from '../../pictures/messages.ts'

/** A frame of the left picture and one of the right, by their places among those that are kept. */
export interface HeldPair {
  readonly left: number
  readonly right: number
}

/** isOneStream: both pictures are of the same one, so that numbers tell which frame is which. The newest pair last. */
export const heldPairs = (
  left: readonly KeptFrame[],
  right: readonly KeptFrame[],
  isOneStream: boolean,
): readonly HeldPair[] => {
  const same = isOneStream ? sameFrames(left, right) : []
  return same.length > 0 ? same : nearestFrames(left, right)
}

const sameFrames = (left: readonly KeptFrame[], right: readonly KeptFrame[]): readonly HeldPair[] => {
  const places = new Map(right.map(({ seq }, place) => [seq, place]))
  return left.flatMap(({ seq }, place) => {
    const other = seq === undefined ? undefined : places.get(seq)
    return other === undefined ? [] : [{ left: place, right: other }]
  })
}

/** A pair for each frame of the side that has fewer of them, within the time that both know. */
const nearestFrames = (left: readonly KeptFrame[], right: readonly KeptFrame[]): readonly HeldPair[] => {
  if (left.length > right.length) return nearestFrames(right, left).map(turned)
  return left.flatMap(({ takenAtMs }, place) => {
    const distances = right.map((each) => Math.abs(each.takenAtMs - takenAtMs))
    const nearest = distances.indexOf(Math.min(...distances))
    return nearest < 0 ? [] : [{ left: place, right: nearest }]
  })
}

const turned = ({ left, right }: HeldPair): HeldPair => ({ left: right, right: left })
