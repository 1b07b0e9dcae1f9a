// The routes of plugins: whatever lies below `/v1/plugins/{name}/api/` is answered by the program of that plugin.
import type { FastifyReply } from 'fastify'
import { PLUGIN_ROUTES, type PluginRoutes } from '../../actors/plugins/tokens.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { PluginName } from '../../machines/plugins/name.ts'
import { MAX_ROUTE_BODY_BYTES } from '../../machines/plugins/process/messages.ts'
import type { PluginRequest } from '../../machines/plugins/process/route.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import { discardBody } from '../connections/request-limit.ts'
import { areaOf } from '../endpoints/area.ts'
import { custom } from '../endpoints/custom.ts'
import { area, type Call, type Endpoint } from '../endpoints/endpoint.ts'
import { SUCCESS } from '../problems/faults.ts'
import { fault, sendProblem } from '../problems/problem.ts'

const params = {
  name: PluginName,
  path: Type.String({ examples: ['notes'], description: 'The rest of the path, whatever the plugin makes of it.' }),
}

const ABOUT = oneLine`
  The plugin says what there is below its name, and what it means: its status, its body (at most 1 MiB) and its media
  type are passed on, no other header. A plugin that was not granted more sees nothing of who asks.
`

export const pluginRoutesArea = areaOf({ routes: PLUGIN_ROUTES }, ({ routes }) =>
  area('plugin routes', 'What plugins answer.', [
    routeRow(routes, 'GET'),
    routeRow(routes, 'POST'),
    routeRow(routes, 'PUT'),
    routeRow(routes, 'PATCH'),
    routeRow(routes, 'DELETE'),
  ]),
)

const VERBS = {
  GET: 'Ask a plugin',
  POST: 'Order something of a plugin',
  PUT: 'Put something with a plugin',
  PATCH: 'Change something of a plugin',
  DELETE: 'Delete something of a plugin',
} as const

const HAS_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])

const routeRow = (routes: PluginRoutes, method: keyof typeof VERBS): Endpoint =>
  custom(method, '/v1/plugins/:name/api/:path', {
    because: 'its path goes on for as long as the plugin likes, and so does what it says',
    params,
    takesRest: true,
    summary: VERBS[method],
    about: ABOUT,
    ignoresOtherQueries: true,
    ...(HAS_BODY.has(method) && {
      upload: {
        mediaTypes: ['application/json', 'application/octet-stream', 'text/plain'] as const,
        described: {},
        example: Buffer.from('{}'),
      },
    }),
    answer: {
      status: 'ok',
      also: ['empty'],
      mediaType: 'application/json',
      schema: Type.Unknown({ title: 'PluginAnswer', description: 'Whatever the plugin answers.' }),
      example: { method, path: '/notes', query: '', bytes: HAS_BODY.has(method) ? 2 : 0 },
    },
    serve: (call, reply) => serve(routes, call, reply),
    faults: [
      ...(['plugin.not_found', 'plugin.no_route', 'plugin.not_running'] as const),
      ...(['plugin.too_slow', 'plugin.bad_answer'] as const),
      ...(HAS_BODY.has(method) ? (['body.too_large', 'media_type.unsupported'] as const) : []),
    ],
  })

const serve = async (routes: PluginRoutes, { params, request }: Call, reply: FastifyReply): Promise<FastifyReply> => {
  const { method } = request
  const body = HAS_BODY.has(method) ? await bodyOf(request) : undefined
  if (isFault(body)) return sendProblem(reply, body)
  const found = await routes.request(params.name as string, {
    method: method === 'HEAD' ? 'GET' : (method as PluginRequest['method']),
    ...pathAndQuery(request.url),
    media_type: body ? (request.headers['content-type'] ?? null) : null,
    body,
  })
  if (isFault(found)) return sendProblem(reply, found)
  reply.code(found.status).headers(NOT_A_PAGE)
  if (found.media_type === null || found.status === SUCCESS.empty) return reply.send()
  return reply.type(found.media_type).send(Buffer.from(found.body))
}

/** What a plugin answers is shown, and never run as a page of this device. */
const NOT_A_PAGE = { 'content-security-policy': "sandbox; default-src 'none'", 'cache-control': 'no-store' }

const pathAndQuery = (url: string): Pick<PluginRequest, 'path' | 'query'> => {
  const [, path = '/', query = ''] = /^\/v1\/plugins\/[^/]+\/api([^?]*)(?:\?(.*))?$/s.exec(url) ?? []
  return { path, query }
}

const bodyOf = async ({ raw, headers }: Call['request']): Promise<Uint8Array | undefined | Fault> => {
  const packed = headers['content-encoding'] ?? 'identity'
  if (packed !== 'identity') {
    discardBody(raw)
    return fault('media_type.unsupported', `the body is compressed (${packed}); send it as it is`)
  }
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += piece.length
    if (length > MAX_ROUTE_BODY_BYTES) {
      discardBody(raw)
      return fault('body.too_large', 'the body has more than 1 MiB, and a plugin takes no more')
    }
    pieces.push(piece)
  }
  return length === 0 ? undefined : Buffer.concat(pieces)
}
