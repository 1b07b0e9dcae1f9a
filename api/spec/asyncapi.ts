// The WebSocket interface as AsyncAPI 3, written from the rows.

import type { Area, Endpoint, FeedMessage, FeedProtocol } from '../endpoints/endpoint.ts'
import { Components } from './components.ts'
import { bracedPath } from './openapi.ts'

/** The document. Only feeds are in it. */
export const asyncApi = (areas: readonly Area[], version: string): object => {
  const feeds = areas.flatMap(({ endpoints }) => endpoints.filter((endpoint) => endpoint.feed))
  const components = new Components()
  const channels = Object.fromEntries(
    feeds.map((endpoint) => [nameOf(endpoint), channel(endpoint, components.referring)]),
  )
  return {
    asyncapi: '3.0.0',
    info: { title: 'Vedette', version, description: 'What the service of a robot camera tells those who listen.' },
    defaultContentType: 'application/json',
    servers: {
      device: {
        host: '{device}',
        protocol: 'ws',
        description: 'The device itself.',
        variables: { device: { default: '127.0.0.1:5800' } },
      },
    },
    channels,
    operations: Object.fromEntries(feeds.flatMap(operations)),
    components: { schemas: components.schemas },
  }
}

/** `events` of `/v1/events`. */
const nameOf = ({ path }: Endpoint): string =>
  path
    .replace(/^\/v1\//, '')
    .replace(/\W+/g, '_')
    .replace(/^_|_$/g, '')

const channel = (endpoint: Endpoint, referring: Components['referring']): object => ({
  address: bracedPath(endpoint.path),
  title: endpoint.summary,
  description: endpoint.about,
  ...(Object.keys(endpoint.params).length > 0 && { parameters: addressParameters(endpoint) }),
  messages: Object.fromEntries(
    [...messagesOf(endpoint), ...questionsOf(endpoint)].map(({ name, schema, mediaType, example }) => [
      name,
      {
        name,
        summary: schema.description,
        payload: referring(schema),
        ...(mediaType === undefined ? { examples: [{ payload: example }] } : { contentType: mediaType }),
      },
    ]),
  ),
  bindings: {
    ws: {
      method: 'GET',
      query: referring(endpoint.query),
      ...(endpoint.feed?.protocols && { headers: protocolHeader(endpoint.feed.protocols) }),
      bindingVersion: '0.1.0',
    },
  },
})

/** What stands in its address. AsyncAPI has no schemas there: all of it is text. */
const addressParameters = ({ params }: Endpoint): object =>
  Object.fromEntries(
    Object.entries(params).map(([name, schema]) => {
      const { description, examples } = schema as { readonly description?: string; readonly examples?: unknown[] }
      return [name, { description, ...(examples && { examples: examples.map(String) }) }]
    }),
  )

/** How a client asks for another form. */
const protocolHeader = (protocols: readonly FeedProtocol[]): object => ({
  type: 'object',
  properties: {
    'Sec-WebSocket-Protocol': {
      type: 'string',
      enum: protocols.map(({ name }) => name),
      description: protocols.map(({ name, about }) => `${name}: ${about}`).join(' '),
    },
  },
})

/** By name: what the service says, and what it may be asked. */
const operations = (endpoint: Endpoint): readonly (readonly [name: string, operation: object])[] => {
  const name = nameOf(endpoint)
  const asked = questionsOf(endpoint)
  return [
    [`send_${name}`, operation(endpoint, 'send', messagesOf(endpoint))],
    ...(asked.length > 0 ? [[`receive_${name}`, operation(endpoint, 'receive', asked)] as const] : []),
  ]
}

const operation = (endpoint: Endpoint, action: 'send' | 'receive', messages: readonly DescribedMessage[]): object => ({
  action,
  channel: { $ref: `#/channels/${nameOf(endpoint)}` },
  summary: action === 'send' ? endpoint.summary : 'What a client may ask',
  messages: messages.map(({ name }) => ({ $ref: `#/channels/${nameOf(endpoint)}/messages/${name}` })),
})

const questionsOf = ({ feed }: Endpoint): readonly DescribedMessage[] => (feed?.questions ?? []) as DescribedMessage[]

const messagesOf = ({ feed }: Endpoint): readonly DescribedMessage[] => (feed?.messages ?? []) as DescribedMessage[]

type DescribedMessage = FeedMessage & { readonly schema: { readonly description?: string } }
