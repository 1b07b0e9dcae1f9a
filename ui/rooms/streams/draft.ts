// What somebody has typed or drawn and not sent yet, over what stands there now.
import { useEffect, useState } from 'react'

/** A value that is being changed. */
export interface Draft<T> {
  /** As it was changed; what stands there, where it was not. */
  readonly value: T
  readonly isChanged: boolean
  /** The revision that a write of it expects: where others have changed the very thing meanwhile, an older one. */
  readonly expected: number
  readonly change: (value: T) => void
  /** Takes what stands there. */
  readonly drop: () => void
  /** Once it was written, with that revision: it is shown until what stands there is that. */
  readonly settle: (revision: number | null) => void
}

interface Kept<T> {
  readonly value: T
  /** What stood there when it was begun. */
  readonly base: T
  readonly revision: number
  /** Written: with that revision it is what stands there. */
  readonly written?: number
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** current: what stands there, in this revision. */
export const useDraft = <T>(current: T, revision: number): Draft<T> => {
  const [kept, setKept] = useState<Kept<T>>()
  const isInForce = kept?.written !== undefined && revision >= kept.written
  useEffect(() => {
    if (isInForce) setKept(undefined)
  }, [isInForce])
  return {
    value: kept && !isInForce ? kept.value : current,
    isChanged: kept !== undefined && kept.written === undefined && !isSame(kept.value, current),
    expected: kept && !isSame(kept.base, current) ? kept.revision : revision,
    change: (value) => setKept((now) => ({ base: current, revision, ...(now?.written === undefined && now), value })),
    drop: () => setKept(undefined),
    settle: (written) =>
      setKept((now) => (now && written !== null && written > revision ? { ...now, written } : undefined)),
  }
}
