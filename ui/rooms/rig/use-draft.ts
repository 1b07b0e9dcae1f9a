// What somebody is about to set, beside what is set: it follows that until somebody changes it.
import { useCallback, useState } from 'react'

interface Draft<T> {
  /** Of what it is. */
  readonly key: string
  readonly value: T
  /** What was set when somebody began, and its revision. */
  readonly base: T
  readonly baseRevision: number | null
}

/**
 * known: what is set now; revision: of the document that it is a part of. expected: the revision to write with. It is
 * the newest as long as nobody has changed the very thing: a change of another part of the document does not matter.
 */
export const useDraft = <T>(key: string, known: T, revision: number | null) => {
  const [draft, setDraft] = useState<Draft<T>>()
  const mine = draft?.key === key ? draft : undefined
  const isSame = (a: T, b: T) => JSON.stringify(a) === JSON.stringify(b)
  const change = useCallback(
    (value: T) =>
      setDraft((now) => (now?.key === key ? { ...now, value } : { key, value, base: known, baseRevision: revision })),
    [key, known, revision],
  )
  const drop = useCallback(() => setDraft(undefined), [])
  const isBaseKnown = mine === undefined || isSame(mine.base, known)
  return {
    value: mine ? mine.value : known,
    isChanged: mine !== undefined && !isSame(mine.value, known),
    expected: isBaseKnown ? revision : mine.baseRevision,
    change,
    drop,
  }
}
