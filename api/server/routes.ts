// From rows to routes: one fastify route per endpoint, its validation, and one call per request.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { TObject, TSchema } from 'typebox'
import type { WebSocket } from 'ws'
import type { Directory } from '../../actors/directory.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { validatorOf } from '../../machines/schema/errors.ts'
import type { Call, Endpoint } from '../endpoints/endpoint.ts'
import { expectedRevision } from '../endpoints/revision.ts'
import { readJson } from '../json-body/read.ts'
import { FaultError, fault, sendProblem } from '../problems/problem.ts'
import { queryFromText, Rejected, tooManyParameters } from './validation.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint
  }
}

/** The row behind a request; undefined where there is none. */
export const endpointOf = (request: FastifyRequest): Endpoint | undefined => request.routeOptions.config?.endpoint

/** Makes a route of every row. */
export const mount = (app: FastifyInstance, endpoints: readonly Endpoint[], directory: Directory): void => {
  validateRequests(app)
  readBodies(app)
  for (const endpoint of endpoints) {
    const { feed } = endpoint
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      schema: { querystring: endpoint.query, ...(endpoint.body && { body: endpoint.body.schema }) },
      config: { endpoint },
      handler: (request, reply) => {
        const call = callOf(request, endpoint, directory)
        return isFault(call) ? sendProblem(reply, call) : endpoint.serve(call, reply)
      },
      ...(feed && {
        wsHandler: (socket: WebSocket, request: FastifyRequest) => {
          const call = callOf(request, endpoint, directory)
          if (isFault(call)) socket.terminate()
          else feed.accept(call, socket)
        },
      }),
    })
  }
}

const callOf = (request: FastifyRequest, { conditional }: Endpoint, directory: Directory): Call | Fault => {
  const ifMatch = conditional ? expectedRevision(request.headers['if-match']) : {}
  if (isFault(ifMatch)) return ifMatch
  const { params, query, body, caller } = request
  const administers = caller.token === 'valid'
  return { directory, params: params as Record<string, string>, query, body, ifMatch, administers, request }
}

const validateRequests = (app: FastifyInstance): void => {
  app.setValidatorCompiler<TSchema>(({ schema, httpPart }) => {
    const errorsIn = validatorOf(schema)
    return (sent: unknown) => {
      const isQuery = httpPart === 'querystring'
      const value = isQuery ? queryFromText(schema as TObject, sent as object) : sent
      const errors = isQuery ? (tooManyParameters(value as object) ?? errorsIn(value)) : errorsIn(value)
      return errors.length === 0 ? { value } : { error: new Rejected(errors) }
    }
  })
}

const readBodies = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    if (!endpointOf(request)?.body) return done(null)
    const read = readJson(bytes)
    if (isFault(read)) done(new FaultError(read))
    else done(null, read.value)
  })
  app.addContentTypeParser('*', (request, payload, done) => {
    payload.resume()
    if (!endpointOf(request)?.body) return done(null)
    const type = request.headers['content-type'] ?? 'none'
    done(
      new FaultError(fault('media_type.unsupported', `the body must be application/json; its content-type is ${type}`)),
    )
  })
  app.addHook('preParsing', async (request, reply) => {
    if (!endpointOf(request)?.body) return
    const { 'content-encoding': encoding = '', 'content-type': type = '' } = request.headers
    const charset = /;\s*charset="?([^\s";]+)/i.exec(type)?.[1]
    if (charset && !UTF_8.test(charset))
      throw new FaultError(fault('media_type.unsupported', `the body must be in UTF-8; its content-type is ${type}`))
    if (encoding.split(',').every((each) => ['', PLAIN].includes(each.trim().toLowerCase()))) return
    reply.header('accept-encoding', PLAIN)
    throw new FaultError(
      fault(
        'media_type.unsupported',
        `the body is compressed (${encoding}); send it as it is, without Content-Encoding`,
      ),
    )
  })
  app.addHook('preValidation', async (request) => {
    const { body } = endpointOf(request) ?? {}
    if (body && request.body === undefined)
      throw new FaultError(fault(body.invalid, 'the body is missing; send a JSON document', MISSING))
  })
}

const PLAIN = 'identity'
const UTF_8 = /^(utf-?8|us-ascii)$/i // ASCII is UTF-8
const MISSING = { errors: [{ pointer: '', message: 'is missing' }] }
