// Revisions on the wire: ETag and If-Match in headers, expected_revision in bodies. One of the two suffices; where both
// came, both must hold.

import { type Fault, isFault } from '../../machines/errors/fault.ts'
import Type from '../../machines/schema/type.ts'
import type { Expected } from '../../machines/settings/commit.ts'
import { fault } from '../problems/problem.ts'

/** In the body of every write of something that has a revision; in the query, where the body is bytes. */
export const ExpectedRevision = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'The revision that this write is based on; a stale one is refused. The same as If-Match.',
})

/** What If-Match may be: entity tags (RFC 9110), or `*` for whatever there is. */
export const IF_MATCH_PATTERN = '^(\\*|(W/)?"[!#-~\\u0080-\\u00ff]*"([ \\t]*,[ \\t]*(W/)?"[!#-~\\u0080-\\u00ff]*")*)$'
const ifMatch = new RegExp(IF_MATCH_PATTERN)
const EVERY_TAG = /"([^"]*)"/g
const OURS = /^\d{1,15}$/

/** Revision 7 is `"7"`. */
export const etagOf = (revision: number): string => `"${revision}"`

/**
 * What a write expects, ready to be spread into a command.
 *
 * A tag is weak when something on the way compressed the answer; the revision in it is the same. Tags that are not ours
 * match no revision.
 */
export const expectedRevisions = (header: string | undefined, inBody: number | undefined): Expected | Fault => {
  const fromHeader = header === undefined ? {} : revisionsIn(header)
  if (isFault(fromHeader) || inBody === undefined) return fromHeader
  const { expected_revisions: listed } = fromHeader
  return { expected_revisions: listed ? listed.filter((each) => each === inBody) : [inBody] }
}

const revisionsIn = (header: string): Expected | Fault => {
  if (!ifMatch.test(header))
    return fault(
      'if_match.malformed',
      `If-Match must be revisions in double quotes ("7" or "7", "8") or *, not ${header}`,
    )
  if (header === '*') return {}
  const tags = [...header.matchAll(EVERY_TAG)].map(([, tag]) => tag as string)
  return { expected_revisions: tags.filter((tag) => OURS.test(tag)).map(Number) }
}
