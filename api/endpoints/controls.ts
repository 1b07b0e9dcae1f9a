// The write options of every command, beside its own document: the revision that it is based on, and the key by which a
// repeat is known. They stand in the body with the document, or in headers, and are told apart here, so that no handler
// meets them. A command without a document of its own takes a body with nothing else in it, or none.
import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { TObject, TProperties, TSchema } from 'typebox'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { RequestId, type RequestMark } from '../../machines/requests/request.ts'
import { schemaErrors } from '../../machines/schema/errors.ts'
import Type from '../../machines/schema/type.ts'
import type { Expected } from '../../machines/settings/commit.ts'
import { fault } from '../problems/problem.ts'
import type { BodySpec, Endpoint } from './endpoint.ts'
import { ExpectedRevision, expectedRevisions } from './revision.ts'

/** The body of a command as the wire has it. conditional: what it writes has a revision. */
export const bodyOfCommand = (own: BodySpec | undefined, conditional: boolean): BodySpec => {
  const controls = conditional ? Precondition : Repeatable
  return own
    ? { ...own, schema: extended(own.schema, controls.properties) }
    : { schema: controls, example: {}, optional: true }
}

const Repeatable = Type.Object(
  { request_id: Type.Optional(RequestId) },
  { additionalProperties: false, title: 'Repeatable', description: 'The order says it all, but for its key.' },
)

/** Of an order that says nothing else, of what has a revision. */
export const Precondition = Type.Object(
  { expected_revision: Type.Optional(ExpectedRevision), request_id: Type.Optional(RequestId) },
  {
    additionalProperties: false,
    title: 'Precondition',
    description: 'What has to hold for the order to be carried out, and its key.',
  },
)

/** A command's request, parted. */
export interface PartedRequest {
  /** The document alone. */
  readonly body: unknown
  readonly expected: Expected
  /** There is one when the request may be repeated. */
  readonly mark?: RequestMark
}

/**
 * Parts a command's request, whose body has passed its schema. administers: as in Call; with a token or without are two
 * requests.
 */
export const parted = (
  request: FastifyRequest,
  { access, conditional }: Endpoint,
  administers: boolean,
): PartedRequest | Fault => {
  const { expected_revision, request_id, ...body } = (request.body ?? {}) as Record<string, unknown> & Controls
  const { 'if-match': ifMatch, 'idempotency-key': header } = request.headers
  const expected = expectedBy(ifMatch, expected_revision, conditional)
  if (isFault(expected)) return expected
  const key = keyOf(header, request_id)
  if (key === undefined || isFault(key)) return key ?? { body, expected }
  const said = [request.method, request.originalUrl, body, ifMatch ?? null, expected_revision ?? null, administers]
  const fingerprint = createHash('sha256').update(canonical(said)).digest('base64url')
  return { body, expected, mark: { key: access === 'peer' ? `${senderOf(request)} ${key}` : key, fingerprint } }
}

/**
 * Two devices may choose one key: neither may get the answer of the other. No key has a space in it, so that it is no
 * other's either. A device whose token or certificate is renewed between two sends is the same device, where that is
 * known.
 */
const senderOf = ({ caller: { peer } }: FastifyRequest): string => peer?.device_id ?? peer?.id ?? 'nobody'

/** What a write expects to find. said: beside the header. conditional: what it writes has a revision. */
export const expectedBy = (
  ifMatch: string | undefined,
  said: number | undefined,
  conditional: boolean,
): Expected | Fault => (ifMatch !== undefined && !conditional ? NO_REVISION : expectedRevisions(ifMatch, said))

interface Controls {
  readonly expected_revision?: number
  readonly request_id?: string
}

/** The header may have its value in double quotes (draft-ietf-httpapi-idempotency-key-header) or bare. */
const keyOf = (header: string | string[] | undefined, inBody: string | undefined): string | undefined | Fault => {
  if (header === undefined) return inBody
  const key = typeof header === 'string' ? header.replace(/^"(.*)"$/, '$1') : ''
  if (schemaErrors(RequestId, key).length > 0)
    return fault('request_id.malformed', 'Idempotency-Key must be 1 to 128 visible ASCII characters, as a UUID is')
  if (inBody !== undefined && inBody !== key)
    return fault('request_id.malformed', 'Idempotency-Key and request_id differ; send one of them, or the same twice')
  return key
}

const NO_REVISION = fault(
  'if_match.not_possible',
  'what this changes has no revision that could be compared; repeat it without If-Match',
)

/** The same text for the same document, in whatever order its keys came. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )

/**
 * The properties are all optional, so what is required stays the same. It is another document, so it has another name,
 * unless it says itself that it is an order, or has them all already.
 */
const extended = (schema: TSchema, more: TProperties): TSchema => {
  const { properties, title } = schema as TObject & { readonly title?: string }
  if (!properties) throw new Error('the body of a command must be an object')
  if (Object.keys(more).every((name) => name in properties)) return schema
  return { ...schema, ...(title && { title: orderTitle(title) }), properties: { ...properties, ...more } }
}

const orderTitle = (title: string): string => (/(Order|Request)$/.test(title) ? title : `${title}Order`)
