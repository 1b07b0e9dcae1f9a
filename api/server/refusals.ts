// Answers requests that reach no handler, and handlers that break, with a problem document.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Fault } from '../../machines/errors/fault.ts'
import { firstError } from '../../machines/schema/errors.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { MAX_BODY_BYTES } from '../json-body/read.ts'
import { SUCCESS } from '../problems/faults.ts'
import { FaultError, fault, pathOf, sendProblem } from '../problems/problem.ts'
import { endpointOf, patternOf } from './routes.ts'
import { Rejected } from './validation.ts'

/** Where bugs are reported. */
export type Log = (level: 'error' | 'warn', message: string, facts?: Readonly<Record<string, unknown>>) => void

/** Maps every error that fastify raises, and every one that is thrown. */
export const faultOf = (error: FastifyError, request: FastifyRequest): Fault => {
  if (error instanceof FaultError) return error.fault
  if (error instanceof Rejected) return rejection(error, request)
  switch (error.code) {
    case 'FST_ERR_BAD_URL':
      return fault('url.malformed', 'the path holds a broken percent-encoding')
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return fault('url.too_long', 'a part of the path is too long to be the name of anything')
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return fault('body.too_large', `the body may have ${mostBytesOf(request)} bytes at most`)
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return fault('media_type.unsupported', 'the body must be application/json')
    case 'ECONNRESET':
      if (request.raw.complete) break // not this connection, but one of the handler's own
      return fault('request.malformed', 'the connection ended before the request was here whole')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return fault('body.malformed', 'the body is shorter or longer than its Content-Length')
  }
  return fault('internal', 'the service broke while it answered; the log has the details under the request_id')
}

const mostBytesOf = (request: FastifyRequest): number => endpointOf(request)?.body?.maxBytes ?? MAX_BODY_BYTES

const rejection = ({ errors, validationContext }: Rejected, request: FastifyRequest): Fault => {
  const inBody = validationContext === 'body'
  const code = inBody ? (endpointOf(request)?.body?.invalid ?? 'body.invalid') : 'query.invalid'
  return fault(code, firstError(errors, inBody ? 'the body' : 'the query'), { errors })
}

/** Makes problem documents of errors and of paths without a route. */
export const answerErrors = (app: FastifyInstance, endpoints: readonly Endpoint[], log: Log): void => {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const found = faultOf(error, request)
    if (found.code === 'internal')
      log('error', `${request.method} ${request.url}: ${error.stack}`, { request_id: request.id })
    return sendProblem(reply, found)
  })
  const methodsAt = methodsByPath(endpoints)
  const optionsAt = optionsByPath(endpoints)
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) return nothingHere(request, reply, { methodsAt, optionsAt })
  })
  app.setNotFoundHandler((request, reply) => nothingHere(request, reply, { methodsAt, optionsAt }))
}

const nothingHere = (
  request: FastifyRequest,
  reply: FastifyReply,
  { methodsAt, optionsAt }: { readonly methodsAt: MethodsAt; readonly optionsAt: OptionsAt },
): FastifyReply => {
  const path = pathOf(request.url)
  const methods = methodsAt(path)
  if (methods.length === 0)
    return sendProblem(reply, fault('route.not_found', `there is nothing at ${path}; see /openapi.json`))
  reply.header('allow', methods.join(', '))
  if (request.method === 'OPTIONS') return reply.headers(optionsAt(path)).code(SUCCESS.empty).send()
  return sendProblem(reply, fault('method.not_allowed', `${path} takes ${methods.join(', ')}, not ${request.method}`))
}

type MethodsAt = (path: string) => string[]
type OptionsAt = (path: string) => Readonly<Record<string, string>>

/** What rows have said to whoever asks what a path can do. */
const optionsByPath = (endpoints: readonly Endpoint[]): OptionsAt => {
  const some = endpoints
    .filter(({ options }) => Object.keys(options).length > 0)
    .map((endpoint) => ({ pattern: patternOf(endpoint), options: endpoint.options }))
  return (path) => Object.assign({}, ...some.filter(({ pattern }) => pattern.test(path)).map(({ options }) => options))
}

/** The methods that a path takes; none when it is not a path of ours. */
const methodsByPath = (endpoints: readonly Endpoint[]): MethodsAt => {
  const patterns = endpoints.map((endpoint) => ({
    pattern: patternOf(endpoint),
    methods: endpoint.method === 'GET' ? ['GET', 'HEAD'] : [endpoint.method],
  }))
  return (path) => [...new Set(patterns.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods))]
}
