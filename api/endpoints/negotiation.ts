// What a request says of the form in which it takes an answer, and of what it has already; and what an answer says of
// the requests that it is for.

import type { FastifyReply } from 'fastify'

/** The codings in which answers can be sent, beside as they are. */
export type Coding = 'gzip' | 'br'

const bare = (tag: string): string => tag.trim().replace(/^W\//, '')

/** Whether who asks has the very document: what its If-None-Match says, compared weakly. */
export const hasTag = (header: string | undefined, etag: string): boolean =>
  header !== undefined && (header.trim() === '*' || header.split(',').some((tag) => bare(tag) === bare(etag)))

/** Whether a coding is named in an Accept-Encoding, or `*` where it is gzip; and not with a weight of nothing. */
export const takesCoding = (header: string | string[] | undefined, coding: Coding): boolean =>
  String(header ?? '')
    .split(',')
    .some((each) => NAMED[coding].test(each))

/** Says by one more header of requests that the answer to others may differ. */
export const addVary = (reply: FastifyReply, name: string): void => {
  const named = reply.getHeader('vary')
  reply.header('vary', named === undefined ? name : `${named}, ${name}`)
}

const WEIGHT = '\\s*(?:;\\s*q=(?!0(?:\\.0*)?\\s*$)[\\d.]+\\s*)?$'

const NAMED: Readonly<Record<Coding, RegExp>> = {
  gzip: new RegExp(`^\\s*(?:gzip|\\*)${WEIGHT}`, 'i'),
  br: new RegExp(`^\\s*br${WEIGHT}`, 'i'),
}
