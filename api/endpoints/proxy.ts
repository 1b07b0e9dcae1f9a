// The kind `proxy`: answers with what another device answers, byte for byte. HEAD is answered here, without asking it.

import type { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'
import type { TProperties, TSchema } from 'typebox'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { hijack, isNext } from '../connections/connections.ts'
import { SUCCESS } from '../problems/faults.ts'
import { fault, sendProblem } from '../problems/problem.ts'
import { sendHead } from './answer.ts'
import {
  type AnswerSpec,
  type Awaitable,
  type CallOf,
  type Endpoint,
  endpoint,
  type RowBase,
  type RowParams,
} from './endpoint.ts'

/** An answer of another device. */
export interface Relayed {
  /** The client has it already. */
  readonly isUnchanged: boolean
  /** The ones that are passed on. */
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer
}

/**
 * An answer that never ends, and goes past fastify straight to the socket. join: is given a connection whose answer has
 * its head, for good.
 */
export interface RelayedLive {
  readonly mediaType: string
  readonly join: (socket: Socket) => void
}

/** A row that is answered by another device. */
export interface ProxyRow<Path extends string, Query extends TProperties> extends RowBase<Query> {
  readonly answer: AnswerSpec & { readonly mediaType: string }
  /** Why nothing is asked for, also when only the head is wanted. */
  readonly refusal: (call: CallOf<Path, Query, TSchema>) => Fault | undefined
  /** Asks the other device. */
  readonly relay: (call: CallOf<Path, Query, TSchema>) => Awaitable<Relayed | RelayedLive | Fault>
}

export const proxy = <Path extends string, Query extends TProperties>(
  method: 'GET',
  path: Path,
  row: ProxyRow<Path, Query> & RowParams<Path>,
): Endpoint =>
  endpoint('proxy', method, path, row, {
    answer: row.answer,
    ...(row.answer.endless && { faults: ['request.malformed'] }),
    serve: async (call, reply) => {
      const own = call as CallOf<Path, Query, TSchema>
      const refusal = row.refusal(own) ?? (row.answer.endless && !isNext(reply) ? NOT_NEXT : undefined)
      if (refusal) return sendProblem(reply, refusal)
      if (call.request.method === 'HEAD') return sendHead(reply, row.answer.mediaType)
      const found = await row.relay(own)
      if (isFault(found)) return sendProblem(reply, found)
      return 'join' in found ? sendLive(reply, found) : sendRelayed(reply, found)
    },
  })

const NOT_NEXT = fault(
  'request.malformed',
  'live pictures must wait until what was asked before them on this connection is answered',
)

/** What another device sends is shown, and never run as a page of this one. */
const NOT_A_PAGE = { 'content-security-policy': "sandbox; default-src 'none'" }

const sendRelayed = (reply: FastifyReply, { isUnchanged, headers, bytes }: Relayed): FastifyReply => {
  reply
    .code(SUCCESS[isUnchanged ? 'unchanged' : 'ok'])
    .headers({ 'cache-control': 'no-store', ...headers, ...NOT_A_PAGE })
  return isUnchanged ? reply.send() : reply.send(bytes)
}

const sendLive = (reply: FastifyReply, { mediaType, join }: RelayedLive): FastifyReply => {
  const socket = hijack(reply, { 'content-type': mediaType, 'cache-control': 'no-store', ...NOT_A_PAGE })
  if (!socket.closed) join(socket)
  return reply
}
