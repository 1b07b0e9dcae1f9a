// Sending what the kinds answer with.
import type { FastifyReply } from 'fastify'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { SUCCESS, type Success } from '../problems/faults.ts'
import { sendProblem } from '../problems/problem.ts'
import { etagOf } from './revision.ts'

/** Sends a JSON document, with its revision as ETag when it has one; or a problem. */
export const sendDocument = (reply: FastifyReply, status: Success, document: object | Fault): FastifyReply => {
  if (isFault(document)) return sendProblem(reply, document)
  return withEtag(reply, document)
    .code(SUCCESS[status])
    .header('cache-control', 'no-store')
    .type('application/json')
    .send(JSON.stringify(document))
}

/** Sends no body; value: what the actor answered, for the sake of its revision. */
export const sendEmpty = (reply: FastifyReply, value: unknown): FastifyReply =>
  withEtag(reply, value).code(SUCCESS.empty).send()

const withEtag = (reply: FastifyReply, value: unknown): FastifyReply => {
  const revision = (value as { readonly revision?: unknown } | null | undefined)?.revision
  return typeof revision === 'number' ? reply.header('etag', etagOf(revision)) : reply
}
