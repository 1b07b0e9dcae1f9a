// The kind `forward`: an order that another device decides, or a question that it answers. It is passed on as it came,
// with its key, and answered with what that device answers: nothing is remembered, guessed or filled in here.

import type { FastifyReply } from 'fastify'
import type { Static, TProperties, TSchema } from 'typebox'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { problemIn } from '../../machines/interdevice/problem.ts'
import { REFUSALS } from '../../machines/peers/greeting.ts'
import { schemaErrors } from '../../machines/schema/errors.ts'
import { jsonIn } from '../../machines/schema/json.ts'
import { lenient } from '../../machines/schema/lenient.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { SUCCESS, type Success } from '../problems/faults.ts'
import { fault, PROBLEM_MEDIA_TYPE, sendProblem } from '../problems/problem.ts'
import { parted } from './controls.ts'
import {
  type Awaitable,
  type BodySpec,
  type Call,
  type CallOf,
  type Endpoint,
  endpoint,
  type Method,
  type RowBase,
  type RowParams,
} from './endpoint.ts'

/** What is asked of the other device. headers: beside those that each such request has. */
export interface Forwarded {
  readonly method: Method
  readonly path: string
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
}

/** What it has answered, whatever that is. */
export interface ForeignAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Uint8Array
}

/** An order that this device carries out itself, in place of those that are sent on. */
export interface CarriedOutHere<Body extends TSchema> {
  /** By what the body says. */
  readonly isMeant: (body: Static<Body>) => boolean
  /** With the same path. */
  readonly row: Endpoint
}

/**
 * body: of an order. to: the path there. send: carries it there. answer: without one it has no body; canBeGone: as of a
 * command. here: what is not sent on.
 */
export interface ForwardRow<Path extends string, Query extends TProperties, Body extends TSchema>
  extends RowBase<Query> {
  readonly body?: BodySpec<Body>
  readonly answer?: { readonly schema: TSchema; readonly example: unknown; readonly canBeGone?: true }
  readonly to: (call: CallOf<Path, Query, Body>) => string
  readonly send: (call: CallOf<Path, Query, Body>, forwarded: Forwarded) => Awaitable<ForeignAnswer | Fault>
  readonly here?: CarriedOutHere<Body>
}

export const forward = <Path extends string, Query extends TProperties, Body extends TSchema>(
  method: Method,
  path: Path,
  row: ForwardRow<Path, Query, Body> & RowParams<Path>,
): Endpoint => {
  const { answer } = row
  const status: Success = answer ? 'ok' : 'empty'
  const isOrder = method !== 'GET'
  return endpoint('forward', method, path, row, {
    ...(row.body && { body: row.body }),
    faults: [
      ...REFUSALS,
      ...(['peer.bad_answer', 'peer.too_slow', 'peer.unreachable'] as const),
      ...(row.here?.row.faults ?? []),
    ],
    answer: {
      status,
      headers: { ETag: isOrder ? 'The revision there, after the change.' : 'The revision there.' },
      ...(answer && { mediaType: 'application/json', schema: answer.schema, example: answer.example }),
      ...(answer?.canBeGone && { also: ['empty'] as const }),
    },
    serve: async (anyCall, reply) => {
      const call = anyCall as CallOf<Path, Query, Body>
      const { body, request } = call
      if (row.here?.isMeant(body)) return carriedOut(row.here.row, anyCall, reply)
      const headers = Object.fromEntries(
        PASSED_ON.flatMap((name) => {
          const value = request.headers[name]
          return typeof value === 'string' ? [[name, value]] : []
        }),
      )
      const came = await row.send(call, { method, path: row.to(call), body, headers })
      return isFault(came) ? sendProblem(reply, came) : passOn(reply, came, { ...answer, isOrder })
    },
  })
}

/** As if it had been asked for at a row of its own: with its key, so that a repeat is known. */
const carriedOut = (row: Endpoint, call: Call, reply: FastifyReply): Awaitable<FastifyReply> => {
  const its = parted(call.request, row, call.administers)
  return isFault(its) ? sendProblem(reply, its) : row.serve({ ...call, ...its }, reply)
}

/** What says on which revision an order is based, and as which one it is known. */
const PASSED_ON = ['if-match', 'idempotency-key'] as const

/** What may come. */
interface Expected {
  /** Of a success; undefined: it has no body. */
  readonly schema?: TSchema
  /** Or has none any more. */
  readonly canBeGone?: true
  /** Whether something may have been done. */
  readonly isOrder: boolean
}

/** Sends on what makes sense. */
const passOn = (reply: FastifyReply, { status, headers, body }: ForeignAnswer, expected: Expected) => {
  const { schema, canBeGone = false, isOrder } = expected
  const senseless = (what: string) => sendProblem(reply, nonsense(what, isOrder))
  const text = Buffer.from(body).toString()
  if (typeof headers['idempotent-replayed'] === 'string') reply.header('idempotent-replayed', 'true')
  const isEmpty = status === SUCCESS.empty && (canBeGone || !schema)
  if (isEmpty || (status === SUCCESS.ok && schema)) {
    const { etag } = headers
    if (typeof etag === 'string' && ETAG.test(etag)) reply.header('etag', etag)
    if (isEmpty || !schema) return reply.code(status).send()
    const fits = schemaErrors(lenient(schema), jsonIn(text)).length === 0 // it may be newer, and say more
    return fits ? json(reply, status, 'application/json', text) : senseless('a success that does not fit')
  }
  const { isWhole, refusesUs, detail = '' } = problemIn(status, text)
  if (!isWhole) return senseless(`status ${status} without saying why`)
  if (refusesUs) return sendProblem(reply, refused(detail))
  return json(reply, status, PROBLEM_MEDIA_TYPE, text)
}

const ETAG = /^"[\x21\x23-\x7e]{0,64}"$/

const json = (reply: FastifyReply, status: number, mediaType: string, text: string) =>
  reply.code(status).header('cache-control', 'no-store').type(mediaType).send(text)

/** The order was sent: a peer that answers nonsense may have carried it out. A question has changed nothing. */
const nonsense = (what: string, isOrder: boolean): Fault =>
  isOrder
    ? fault(
        'peer.too_slow',
        oneLine`
          the other device answers ${what}: whether the order was carried out is not known. Repeat it with the same
          request_id to learn that
        `,
      )
    : fault('peer.bad_answer', `the other device answers ${what}`)

/** A browser would take a 401 of the other device for one of this. */
const refused = (detail: string): Fault =>
  fault('peer.refuses_us', `the other device does not let this one do that: ${detail}`)
