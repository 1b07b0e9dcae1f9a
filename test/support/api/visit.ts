// Endpoints that are visited: each is asked for what its row gives as an example.
import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { Endpoint } from '../../../api/endpoints/endpoint.ts'
import { listen } from '../../../api/server/server.ts'
import { type Answered, allEndpoints, type FakeApi, pathOf } from './api.ts'

/**
 * All but feeds, which answer nothing, the page's files, of which only its build knows the names, and those of panels,
 * which take a ticket.
 */
export const ordinaryEndpoints: readonly Endpoint[] = allEndpoints().filter(
  ({ feed, path, kind }) => !feed && path !== '/assets/:name' && kind !== 'panel',
)

/** As `GET /v1/streams/:id`. */
export const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`

/** What is asked for other than by the example. */
export interface Ask {
  readonly params?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: string
}

/** Its path, with what its query cannot be without. */
export const urlOf = (endpoint: Endpoint, { params = {}, query = demanded(endpoint) }: Ask = {}): string =>
  pathOf(endpoint, params) + query

/** What its query cannot be without, as examples have it. */
const demanded = ({ query }: Endpoint): string => {
  const { properties, required } = query as { properties: Record<string, unknown>; required?: readonly string[] }
  const given = (required ?? []).map((name) => {
    const [example] = (properties[name] as { readonly examples?: readonly unknown[] }).examples ?? []
    return `${name}=${example}`
  })
  return given.length === 0 ? '' : `?${given.join('&')}`
}

/** Asks for what never ends, over a socket, and goes as soon as it has begun. */
const begin = async ({ app }: FakeApi, endpoint: Endpoint, ask: Ask): Promise<Answered> => {
  if (!app.server.listening) await listen(app, { host: '127.0.0.1', port: 0 })
  const { address, port } = app.server.address() as AddressInfo
  const response = await fetch(`http://${address}:${port}${urlOf(endpoint, ask)}`)
  const body = response.ok ? '' : await response.text()
  await response.body?.cancel().catch(() => {})
  return { status: response.status, contentType: response.headers.get('content-type') ?? '', body }
}

/** Asks an endpoint for what its row gives as an example, unless told otherwise. */
export const visit = async (api: FakeApi, endpoint: Endpoint, ask: Ask = {}): Promise<Answered & { etag?: string }> => {
  if (endpoint.answer.endless) return begin(api, endpoint, ask)
  const { app } = api
  const body = ask.body ?? freshBody(endpoint)
  const response = await app.inject({
    method: endpoint.method,
    url: urlOf(endpoint, ask),
    headers: { host: 'localhost', ...toldWith(endpoint), ...ask.headers },
    ...(endpoint.upload && { payload: Buffer.from(endpoint.upload.example) }),
    ...(body !== undefined && {
      payload: JSON.stringify(body),
      headers: { host: 'localhost', 'content-type': 'application/json', ...ask.headers },
    }),
  })
  const { etag } = response.headers
  return {
    status: response.statusCode,
    contentType: response.headers['content-type'] ?? '',
    body: response.body,
    ...(etag !== undefined && { etag }),
  }
}

/** The headers that an upload cannot be without. */
const toldWith = ({ upload }: Endpoint): Record<string, string> =>
  Object.fromEntries(
    Object.entries(upload?.headers ?? {})
      .filter(([, { isRequired }]) => isRequired)
      .map(([name, { example }]) => [name, example]),
  )

/** The example, under an id that is free, or with the token that is good here. */
export const freshBody = ({ path, body }: Endpoint): unknown => {
  if (path === '/v1/session' && body) return { token: 'good-token' }
  if (isKeyed(body?.example)) return { ...body.example, request_id: randomUUID() } // or it would be a repeat
  return path === '/v1/streams' && body ? { ...(body.example as object), id: 'another' } : body?.example
}

const isKeyed = (example: unknown): example is { readonly request_id: string } =>
  typeof example === 'object' && example !== null && 'request_id' in example
