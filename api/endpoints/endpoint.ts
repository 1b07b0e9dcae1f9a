// An endpoint: one row of its area's table. From the row come the route, its validation, the OpenAPI document and
// docs/api.md.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TObject, TProperties, TSchema } from 'typebox'
import type { WebSocket } from 'ws'
import type { Directory } from '../../actors/directory.ts'
import type { RequestKeeper } from '../../actors/requests/request-keeper.ts'
import type { ClientCode } from '../../machines/errors/catalogue.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import type { EventKind } from '../../machines/events/kind.ts'
import type { AccessClass } from '../../machines/http/access.ts'
import type { RequestMark } from '../../machines/requests/request.ts'
import Type from '../../machines/schema/type.ts'
import type { Expected } from '../../machines/settings/commit.ts'
import type { Peer } from '../../machines/trust/peer.ts'
import { MAX_BODY_BYTES } from '../json-body/read.ts'
import type { Success } from '../problems/faults.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Awaitable<T> = T | Promise<T>

/** The names in a path: `'id' | 'port'` of `/v1/streams/:id/pipeline/outputs/:port/sample`. */
export type ParamsOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamsOf<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** One request, validated. */
export interface Call<Params extends string = string, Query = unknown, Body = unknown> {
  readonly directory: Directory
  readonly requests: RequestKeeper
  readonly params: Readonly<Record<Params, string>>
  readonly query: Query
  /** Without what stands in every command's (api/endpoints/controls.ts). */
  readonly body: Body
  /** The revisions that it may find, ready to be spread into a command. */
  readonly expected: Expected
  /** Of a command that may be repeated. */
  readonly mark?: RequestMark
  /** It came with an administrator's token, or from a browser that is signed in, also where that is not needed. */
  readonly administers: boolean
  /** The trusted device that it came from, if it did. */
  readonly peer: Peer | null
  readonly request: FastifyRequest
}

/** A call, with the types of its row. */
export type CallOf<Path extends string, Query extends TProperties, Body extends TSchema> = Call<
  ParamsOf<Path>,
  Static<TObject<Query>>,
  Static<Body>
>

/** A JSON body. */
export interface BodySpec<Schema extends TSchema = TSchema> {
  readonly schema: Schema
  readonly example: unknown
  /** The code, and with it the status, when it does not fit. */
  readonly invalid?: ClientCode
  /** It may be left out. Examples are checked by a test. */
  readonly optional?: boolean
  /** It is refused where it is longer. Default: MAX_BODY_BYTES. */
  readonly maxBytes?: number
}

/** A body of bytes, of any length. */
export interface UploadSpec {
  /** What it may be, the one of the example first. */
  readonly mediaTypes: readonly [string, ...string[]]
  /** What some of these hold, which clients write as text or as JSON; all others are bytes. */
  readonly described: Readonly<Record<string, DescribedContent>>
  readonly example: Uint8Array
  /** What else it is told in headers, by name: for the documents. */
  readonly headers?: Readonly<Record<string, DescribedHeader>>
}

/** What is told of a header. */
export interface DescribedHeader {
  readonly about: string
  readonly isRequired: boolean
  readonly example: string
}

/** What is told of a media type: its schema, checked by its handler, and an example. */
export interface DescribedContent {
  readonly schema: TSchema
  readonly example: unknown
}

/** A success. No media type: no body. */
export interface AnswerSpec {
  readonly status: Success
  /** Other successes, of the same shape or without a body. */
  readonly also?: readonly Success[]
  readonly mediaType?: string
  /** What else it can be, as the client asks. */
  readonly otherForms?: readonly { readonly mediaType: string; readonly schema: TSchema }[]
  /** There is no success: each request is refused with this. */
  readonly refusedWith?: ClientCode
  /** Until the client goes. */
  readonly endless?: true
  readonly schema?: TSchema
  readonly example?: unknown
  /** Name to description, beyond those that every answer of the kind has. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * The schema of every name that stands in the path of a row. The first of its `examples` is what docs and tests ask
 * for.
 */
export type RowParams<Path extends string> = [ParamsOf<Path>] extends [never]
  ? { readonly params?: never }
  : { readonly params: Readonly<Record<ParamsOf<Path>, TSchema>> }

/**
 * What every row says, of whatever kind. access: `read` for GET and `operate` for what changes something, unless it
 * says otherwise.
 */
export interface RowBase<Query extends TProperties = TProperties> {
  readonly summary: string
  /** What the summary cannot say: waits, side effects, limits. */
  readonly about?: string
  readonly access?: AccessClass
  readonly query?: Query
  /** What the query has beyond that is ignored, as old clients are used to; else it is an error. */
  readonly ignoresOtherQueries?: boolean
  /**
   * Those that are particular to it; what any request can meet is added by the kind and by
   * api/endpoints/every-request.ts.
   */
  readonly faults?: readonly ClientCode[]
  /** The events by which everybody hears that it was carried out. */
  readonly publishes?: readonly EventKind[]
  /** It makes what its path names, where that is not there yet. */
  readonly creates?: boolean
  /** Pages and their files are left out of the documents. */
  readonly hidden?: boolean
  /**
   * It hardly ever changes, and is large: it has a tag of what is in it, and whoever has that document gets the word
   * that it is the same.
   */
  readonly isLasting?: boolean
  /**
   * A GET that changes something, as old clients ask for it: no page may send it but one of this device, and no browser
   * without a header of its own.
   */
  readonly acts?: boolean
  /** Headers of the answer to OPTIONS at its path. */
  readonly options?: Readonly<Record<string, string>>
  /** The last name in its path stands for all that follows, slashes and all. */
  readonly takesRest?: boolean
}

/** The kinds of one area; each stands in that area, in a file `<kind>-row.ts`. */
type OwnKind = 'pairing' | 'vendor' | 'preview' | 'panel'

export interface Endpoint {
  readonly kind: 'read' | 'command' | 'forward' | 'blob' | 'file' | 'upload' | 'feed' | 'proxy' | OwnKind | 'custom'
  readonly method: Method
  readonly path: string
  readonly summary: string
  readonly about: string
  readonly access: AccessClass
  readonly params: Readonly<Record<string, TSchema>>
  readonly query: TObject
  readonly body: Required<BodySpec> | undefined
  /** Bytes that it takes instead of a document. */
  readonly upload?: UploadSpec
  readonly answer: AnswerSpec
  readonly faults: readonly ClientCode[]
  readonly publishes: readonly EventKind[]
  readonly creates: boolean
  readonly hidden: boolean
  readonly isLasting: boolean
  readonly acts: boolean
  readonly options: Readonly<Record<string, string>>
  readonly takesRest: boolean
  /** Whether what it writes has a revision: then it heeds If-Match and expected_revision. */
  readonly conditional: boolean
  readonly serve: (call: Call, reply: FastifyReply) => Awaitable<FastifyReply>
  /** Of a WebSocket: what it sends, and who takes the socket over. */
  readonly feed?: FeedSpec
}

/** One sort of message. */
export interface FeedMessage {
  /** Among those of its feed. */
  readonly name: string
  readonly schema: TSchema
  /** Of one that is bytes, which has no example; else it is JSON. */
  readonly mediaType?: string
  readonly example?: unknown
}

/** A form in which a feed can be had, beside the default one. name: the subprotocol by which a client asks for it. */
export interface FeedProtocol {
  readonly name: string
  readonly about: string
}

/** What the documents say of a WebSocket. */
export interface FeedSpec {
  /** Every sort that is sent; a client tells them apart by their `kind`. */
  readonly messages: readonly FeedMessage[]
  readonly questions?: readonly FeedMessage[]
  /** What its client may choose; none are known of a feed that says nothing. */
  readonly protocols?: readonly FeedProtocol[]
  /** Asked before the upgrade. */
  readonly admit: (call: Call) => Awaitable<Fault | undefined>
  readonly accept: (call: Call, socket: WebSocket) => void
}

/** A table of endpoints. */
export interface Area {
  /** How the documents group them. */
  readonly tag: string
  readonly about: string
  readonly endpoints: readonly Endpoint[]
  /** Ends what the area keeps beyond a request; called when its server stops. */
  readonly close?: () => void
}

/** A table of endpoints. */
export const area = (tag: string, about: string, endpoints: readonly Endpoint[]): Area => ({ tag, about, endpoints })

const ABOUT_LASTING = '`If-None-Match` spares it to who has it.'

const lasting = (answer: AnswerSpec): AnswerSpec => ({
  ...answer,
  also: [...(answer.also ?? []), 'unchanged'],
  headers: { ...answer.headers, ETag: 'Of this document: another one when anything in it is.' },
})

/** What the kinds have in common. */
export const endpoint = (
  kind: Endpoint['kind'],
  method: Method,
  path: string,
  row: RowBase & { readonly params?: Readonly<Record<string, TSchema>> },
  rest: Pick<Endpoint, 'answer' | 'serve'> &
    Partial<Pick<Endpoint, 'conditional' | 'faults' | 'feed' | 'upload'>> & { body?: BodySpec },
): Endpoint => ({
  kind,
  method,
  path,
  summary: row.summary,
  about: row.isLasting ? [row.about, ABOUT_LASTING].join(' ').trim() : (row.about ?? ''),
  access: row.access ?? (method === 'GET' && !row.acts ? 'read' : 'operate'),
  params: row.params ?? {},
  query: Type.Object(row.query ?? {}, { additionalProperties: row.ignoresOtherQueries ?? false }),
  body: rest.body && { invalid: 'body.invalid', optional: false, maxBytes: MAX_BODY_BYTES, ...rest.body },
  answer: row.isLasting ? lasting(rest.answer) : rest.answer,
  faults: [...new Set([...(row.faults ?? []), ...(rest.faults ?? [])])],
  publishes: row.publishes ?? [],
  creates: row.creates ?? false,
  hidden: row.hidden ?? false,
  isLasting: row.isLasting ?? false,
  acts: row.acts ?? false,
  options: row.options ?? {},
  takesRest: row.takesRest ?? false,
  conditional: rest.conditional ?? false,
  serve: rest.serve,
  ...(rest.feed && { feed: rest.feed }),
  ...(rest.upload && { upload: rest.upload }),
})
