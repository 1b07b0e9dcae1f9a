// Holding two pictures on frames that belong together, and going through the last ones.
import { useCallback, useMemo, useState } from 'react'
import type { Hold, KeptFrame } from '../../pictures/messages.ts'
import { type HeldPair, heldPairs } from './held-frames.ts'

/** So many frames of each can be gone back to. */
export const KEPT_FRAMES = 24

type Side = 'left' | 'right'

interface Held {
  readonly left?: readonly KeptFrame[]
  readonly right?: readonly KeptFrame[]
  /** Of the pairs, from the newest backwards. */
  readonly back: number
}

/** What both pictures are told, and what can be done. */
export interface Holding {
  /** undefined: they go on. */
  readonly held: { readonly count: number; readonly at: number } | undefined
  readonly holdOf: (side: Side) => Hold | null
  readonly onKept: Readonly<Record<Side, (frames: readonly KeptFrame[]) => void>>
  readonly start: () => void
  readonly end: () => void
  /** by: -1 is the frame before. */
  readonly step: (by: number) => void
}

const NONE: readonly HeldPair[] = []

/** isOneStream: both pictures are of the same stream. */
export const useHold = (isOneStream: boolean): Holding => {
  const [held, setHeld] = useState<Held>()
  const { left, right, back = 0 } = held ?? {}
  const pairs = useMemo(() => (left && right ? heldPairs(left, right, isOneStream) : NONE), [left, right, isOneStream])
  const at = pairs.length - 1 - back
  const takeKept = useCallback(
    (side: Side) => (frames: readonly KeptFrame[]) => setHeld((now) => now && { ...now, [side]: frames }),
    [],
  )
  const onKept = useMemo(() => ({ left: takeKept('left'), right: takeKept('right') }), [takeKept])
  return {
    held: held && { count: pairs.length, at },
    holdOf: (side) => (held ? { at: pairs[at]?.[side] } : null),
    onKept,
    start: () => setHeld({ back: 0 }),
    end: () => setHeld(undefined),
    step: (by) => setHeld((now) => now && { ...now, back: Math.min(pairs.length - 1, Math.max(0, now.back - by)) }),
  }
}
