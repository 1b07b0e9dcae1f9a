// Faults as the wire shows them: RFC 9457 problem documents.
import type { FastifyReply } from 'fastify'
import type { Static } from 'typebox'
import { type ClientCode, codesFor, titleOf } from '../../machines/errors/catalogue.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import type { SchemaError } from '../../machines/schema/explain.ts'
import Type from '../../machines/schema/type.ts'
import { clientCode, retryAfterS, statusOf } from './faults.ts'

const refusalFields = {
  accepted: Type.Optional(
    Type.Literal(false, { description: 'Of a command from another device: it was not carried out.' }),
  ),
  new_revision: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Of a command from another device: the revision of the stream as it is.' }),
  ),
  error: Type.Optional(
    Type.Object(
      {
        code: Type.String({ description: 'The code of this document.' }),
        detail: Type.String({ description: 'The detail of this document.' }),
      },
      {
        additionalProperties: false,
        title: 'CommandError',
        description: 'Of a command from another device: why it was not carried out, where that device looks for it.',
      },
    ),
  ),
}

/** What a problem may say beside the fault, for clients that expect it in another form. */
export type Refusal = Partial<Pick<Problem, keyof typeof refusalFields>>

/** The body of every answer that is not a success. `code` is the stable key; the sentences may change. */
export const Problem = Type.Object(
  {
    type: Type.String({ description: 'A URI for the code.' }),
    title: Type.String({ description: 'The code in a few words.' }),
    status: Type.Integer({ minimum: 100, maximum: 599, description: 'Of the answer.' }),
    code: Type.Enum([...codesFor('client')], { title: 'ProblemCode', description: 'The stable key, for programs.' }),
    detail: Type.String({ description: 'What was expected, what came, and the way out.' }),
    instance: Type.String({ description: 'The path that was asked for.' }),
    request_id: Type.String({ description: 'Also in the header X-Request-Id, and in the log.' }),
    errors: Type.Optional(
      Type.Array(
        Type.Object(
          {
            pointer: Type.String({ description: 'RFC 6901, into the body or the query.' }),
            message: Type.String({ description: 'What is wrong there, after the name of the place.' }),
          },
          {
            additionalProperties: false,
            title: 'Flaw',
            description: 'A place in the body or the query, and what is wrong there.',
          },
        ),
      ),
    ),
    context: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'Facts for programs.' })),
    ...refusalFields,
  },
  {
    additionalProperties: false,
    title: 'Problem',
    description: 'Why a request was refused or failed: a problem document (RFC 9457).',
  },
)
export type Problem = Static<typeof Problem>

export const PROBLEM_MEDIA_TYPE = 'application/problem+json'

/** A fault on its way to the error handler, for the places where fastify takes nothing but an Error. */
export class FaultError extends Error {
  readonly fault: Fault

  constructor(fault: Fault) {
    super(fault.detail)
    this.fault = fault
  }
}

/** A fault of the catalogue. */
export const fault = (code: ClientCode, detail: string, more: Omit<Fault, 'code' | 'detail'> = {}): Fault => ({
  code,
  detail,
  ...more,
})

/** A place in the body with which something is wrong that its schema does not say. */
export const invalidBody = (flaw: SchemaError): Fault =>
  fault('body.invalid', `the body does not fit: ${flaw.pointer} ${flaw.message}`, { errors: [flaw] })

/** instance: a path. requestId: of the request that went wrong. */
export const problemOf = (found: Fault, instance: string, requestId: string): Problem => ({
  type: `urn:vedette:fault:${clientCode(found.code)}`,
  title: titleOf(clientCode(found.code)),
  status: statusOf(found.code),
  code: clientCode(found.code),
  detail: found.detail,
  instance,
  request_id: requestId,
  ...(found.errors && { errors: found.errors.map(({ pointer, message }) => ({ pointer, message })) }),
  ...(found.context && { context: { ...found.context } }),
})

const WITHOUT_TOKEN: ReadonlySet<string> = new Set([
  ...['token.in_the_clear', 'token.invalid', 'token.required'],
  ...['trust.expired', 'trust.unknown'],
])

/** Says in Retry-After when it is worth asking again, where what is in the way passes by itself. */
export const sayWhenAgain = (reply: FastifyReply, afterS: number | undefined): void => {
  if (afterS !== undefined && !reply.hasHeader('retry-after')) reply.header('retry-after', String(afterS))
}

/** Answers with a problem document. */
export const sendProblem = (reply: FastifyReply, found: Fault): FastifyReply => {
  const { request } = reply
  if (WITHOUT_TOKEN.has(found.code)) reply.header('www-authenticate', 'Bearer realm="vedette"')
  sayWhenAgain(reply, retryAfterS(found.code))
  return reply
    .code(statusOf(found.code))
    .header('cache-control', 'no-store')
    .type(PROBLEM_MEDIA_TYPE)
    .send(JSON.stringify(problemOf(found, pathOf(request.url), request.id)))
}

/** The path of a request target, without its query. */
export const pathOf = (url: string): string => url.split('?', 1)[0] as string
