// What the kinds answer with, made and sent.
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import type { GivenAnswer } from '../../machines/requests/request.ts'
import { retryAfterS, SUCCESS, type Success, statusOf } from '../problems/faults.ts'
import { PROBLEM_MEDIA_TYPE, pathOf, problemOf, type Refusal, sayWhenAgain, sendProblem } from '../problems/problem.ts'
import { etagOf } from './revision.ts'

/** A JSON document, with its revision as ETag when it has one. */
export const documentAnswer = (status: Success, document: object): GivenAnswer => ({
  status: SUCCESS[status],
  mediaType: 'application/json',
  etag: etagIn(document),
  body: JSON.stringify(document),
})

/** No body; value: what the actor answered, for the sake of its revision. */
export const emptyAnswer = (value: unknown): GivenAnswer => ({
  status: SUCCESS.empty,
  mediaType: null,
  body: '',
  etag: etagIn(value),
})

/** A problem document, as the one who asked gets it. refusal: what it says beside the fault. */
export const problemAnswer = (found: Fault, request: FastifyRequest, refusal: Refusal = {}): GivenAnswer => ({
  status: statusOf(found.code),
  mediaType: PROBLEM_MEDIA_TYPE,
  etag: null,
  body: JSON.stringify({ ...problemOf(found, pathOf(request.url), request.id), ...refusal }),
  retryAfterS: retryAfterS(found.code),
})

/** Sends an answer as it stands. */
export const sendAnswer = (
  reply: FastifyReply,
  { status, mediaType, etag, body, retryAfterS: againS }: GivenAnswer,
): FastifyReply => {
  if (etag !== null) reply.header('etag', etag)
  sayWhenAgain(reply, againS)
  if (mediaType === null) return reply.code(status).send()
  return reply.code(status).header('cache-control', 'no-store').type(mediaType).send(body)
}

/** Sends a JSON document or a problem. */
export const sendDocument = (reply: FastifyReply, status: Success, document: object | Fault): FastifyReply =>
  isFault(document) ? sendProblem(reply, document) : sendAnswer(reply, documentAnswer(status, document))

/** Answers HEAD where nobody knows how long the body would be: an empty text would be said to be the length. */
export const sendHead = (reply: FastifyReply, mediaType: string): FastifyReply =>
  reply.type(mediaType).send(Readable.from([]))

/** Sends no body. */
export const sendEmpty = (reply: FastifyReply, value: unknown): FastifyReply => sendAnswer(reply, emptyAnswer(value))

const etagIn = (value: unknown): string | null => {
  const revision = (value as { readonly revision?: unknown } | null | undefined)?.revision
  return typeof revision === 'number' ? etagOf(revision) : null
}
