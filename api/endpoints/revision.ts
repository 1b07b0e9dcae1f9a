// Revisions on the wire: ETag and If-Match.
import type { Fault } from '../../machines/errors/fault.ts'
import { fault } from '../problems/problem.ts'

/** What If-Match may be: one ETag as this service makes them, or `*` for whatever there is. */
export const IF_MATCH_PATTERN = '^(\\*|"[0-9]{1,15}")$'
const ifMatch = new RegExp(IF_MATCH_PATTERN)

/** Revision 7 is `"7"`. */
export const etagOf = (revision: number): string => `"${revision}"`

/** The revision that a write expects, ready to be spread into a command. */
export const expectedRevision = (header: string | undefined): { readonly expected_revision?: number } | Fault => {
  if (header === undefined || header === '*') return {}
  if (!ifMatch.test(header))
    return fault('if_match.malformed', `If-Match must be a revision in double quotes ("7") or *, not ${header}`)
  return { expected_revision: Number(header.slice(1, -1)) }
}
