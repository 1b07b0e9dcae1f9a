// From rows to routes: one fastify route per endpoint, its validation, and one call per request.
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TObject, TSchema } from 'typebox'
import type { WebSocket } from 'ws'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { validatorOf } from '../../machines/schema/errors.ts'
import { expectedBy, parted } from '../endpoints/controls.ts'
import type { Call, Endpoint } from '../endpoints/endpoint.ts'
import { gatherBody } from '../json-body/gather.ts'
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

/** What the paths of a row look like. */
export const patternOf = ({ path }: Endpoint): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`)

/** Its path as fastify has it. */
const routeOf = ({ path, takesRest }: Endpoint): string => (takesRest ? path.replace(/:\w+$/, '*') : path)

/** The names in its path, with what stands in their places. */
const paramsOf = (request: FastifyRequest, { path, takesRest }: Endpoint): Record<string, string> => {
  const params = request.params as Record<string, string>
  if (!takesRest) return params
  const { '*': rest = '', ...others } = params
  return { ...others, [path.slice(path.lastIndexOf(':') + 1)]: rest }
}

/** What every call has. */
type Shared = Pick<Call, 'directory' | 'requests'>

/** Makes a route of every row. */
export const mount = (app: FastifyInstance, endpoints: readonly Endpoint[], shared: Shared): void => {
  validateRequests(app)
  readBodies(app)
  const add = (scope: FastifyInstance, endpoint: Endpoint): void => {
    const { feed } = endpoint
    scope.route({
      method: endpoint.method,
      url: routeOf(endpoint),
      schema: { querystring: endpoint.query, ...(endpoint.body && { body: endpoint.body.schema }) },
      config: { endpoint },
      ...(endpoint.body && { bodyLimit: endpoint.body.maxBytes }),
      handler: (request, reply) => {
        const call = callOf(request, endpoint, shared)
        return isFault(call) ? sendProblem(reply, call) : endpoint.serve(call, reply)
      },
      ...(feed && {
        // Before the upgrade, so that a refusal is a problem document with its status.
        preHandler: async (request: FastifyRequest, reply: FastifyReply) => {
          if (!request.ws) return
          const call = callOf(request, endpoint, shared)
          const refusal = isFault(call) ? call : await feed.admit(call)
          if (refusal) return sendProblem(reply, refusal)
        },
        wsHandler: (socket: WebSocket, request: FastifyRequest) => {
          const call = callOf(request, endpoint, shared)
          if (isFault(call)) socket.terminate()
          else feed.accept(call, socket)
        },
      }),
    })
  }
  for (const endpoint of endpoints.filter(({ upload }) => !upload)) add(app, endpoint)
  app.register(async (uploads) => {
    uploads.removeAllContentTypeParsers()
    uploads.addContentTypeParser('*', (_request, _payload, done) => done(null)) // its handler reads it as it arrives
    for (const endpoint of endpoints.filter(({ upload }) => upload)) add(uploads, endpoint)
  })
}

const callOf = (request: FastifyRequest, endpoint: Endpoint, shared: Shared): Call | Fault => {
  const { query, body, caller } = request
  const administers = caller.token === 'valid'
  const { peer } = caller
  const call = { ...shared, params: paramsOf(request, endpoint), query, administers, peer, request }
  if (endpoint.kind === 'upload') {
    const { expected_revision } = query as { readonly expected_revision?: number }
    const expected = expectedBy(request.headers['if-match'], expected_revision, endpoint.conditional)
    return isFault(expected) ? expected : { ...call, body, expected }
  }
  if (endpoint.kind !== 'command') return { ...call, body, expected: {} }
  const own = parted(request, endpoint, administers)
  return isFault(own) ? own : { ...call, ...own }
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
    const { body } = endpointOf(request) ?? {}
    if (!body || (body.optional && bytes.length === 0)) return done(null)
    const read = readJson(bytes)
    if (isFault(read)) done(new FaultError(read))
    else done(null, read.value)
  })
  app.addContentTypeParser('*', (request, payload, done) => {
    const { body } = endpointOf(request) ?? {}
    const type = request.headers['content-type'] ?? 'none'
    const refusal = new FaultError(
      fault('media_type.unsupported', `the body must be application/json; its content-type is ${type}`),
    )
    if (body?.optional) return doneWhenEmpty(payload, (isEmpty) => done(isEmpty ? null : refusal))
    payload.resume()
    done(body ? refusal : null)
  })
  app.addHook('preParsing', async (request, reply, payload) => {
    if (!endpointOf(request)?.body) return payload
    const { 'content-encoding': encoding = '', 'content-type': type = '' } = request.headers
    const charset = /;\s*charset="?([^\s";]+)/i.exec(type)?.[1]
    if (charset && !UTF_8.test(charset))
      throw new FaultError(fault('media_type.unsupported', `the body must be in UTF-8; its content-type is ${type}`))
    if (encoding.split(',').every((each) => ['', PLAIN].includes(each.trim().toLowerCase())))
      return gatherBody(request.headers, payload)
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
    if (!body || request.body !== undefined) return
    if (body.optional) request.body = {}
    else throw new FaultError(fault(body.invalid, 'the body is missing; send a JSON document', MISSING))
  })
}

/** Says once whether there is anything in a body, as soon as that is known. */
const doneWhenEmpty = (payload: Readable, done: (isEmpty: boolean) => void): void => {
  const tell = (isEmpty: boolean) => {
    payload.off('data', full).off('end', empty)
    payload.resume()
    done(isEmpty)
  }
  const full = () => tell(false)
  const empty = () => tell(true)
  payload.on('data', full).on('end', empty)
}

const PLAIN = 'identity'
const UTF_8 = /^(utf-?8|us-ascii)$/i // ASCII is UTF-8
const MISSING = { errors: [{ pointer: '', message: 'is missing' }] }
