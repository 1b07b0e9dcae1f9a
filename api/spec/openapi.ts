// The HTTP interface as OpenAPI 3.1, written from the rows.

import type { TSchema } from 'typebox'
import { type ClientCode, titleOf } from '../../machines/errors/catalogue.ts'
import { RequestId } from '../../machines/requests/request.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import type { AnswerSpec, Area, Endpoint, UploadSpec } from '../endpoints/endpoint.ts'
import { faultsOf } from '../endpoints/every-request.ts'
import { IF_MATCH_PATTERN } from '../endpoints/revision.ts'
import { retryAfterS, SUCCESS, type Success, statusOf } from '../problems/faults.ts'
import { fault, PROBLEM_MEDIA_TYPE, Problem, problemOf } from '../problems/problem.ts'
import { cookieName } from '../session/cookie.ts'
import { Components } from './components.ts'
import { Examples } from './examples.ts'
import { operationId } from './operation-id.ts'

/** The document. Feeds are not in it: they are in the AsyncAPI document. */
export const openApi = (areas: readonly Area[], version: string): object => {
  const steps = openApiInSteps(areas, version)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** The same, an operation at a time: all of it takes longer than others are to wait. */
export function* openApiInSteps(areas: readonly Area[], version: string): Generator<undefined, object, undefined> {
  const described = areas.map((area) => ({ ...area, endpoints: area.endpoints.filter(isDescribed) }))
  const rows = described.flatMap(({ tag, endpoints }) => endpoints.map((endpoint) => ({ tag, endpoint })))
  const components = new Components({ discriminates: true })
  const examples = new Examples()
  const shared = { referring: components.referring, exampleOf: examples.referring }
  const paths: Record<string, Record<string, object>> = {}
  for (const { tag, endpoint } of rows) {
    const path = bracedPath(endpoint.path)
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(tag, endpoint, shared) }
    yield
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Vedette',
      version,
      description: 'The service of a robot camera. Faults are problem documents (RFC 9457) with a stable `code`.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: tagsOf(described.filter(({ endpoints }) => endpoints.length > 0)),
    security: [{}, ...Object.keys(securitySchemes).map((name) => ({ [name]: [] }))],
    paths,
    components: {
      schemas: components.schemas,
      examples: examples.written,
      securitySchemes,
    },
  }
}

/** Any one of them is as good as another. */
const securitySchemes = {
  token: {
    type: 'http',
    scheme: 'bearer',
    description: "The administrator's token; for what is of the class peer also one of the trust list.",
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: cookieName(false),
    description:
      'A browser that is signed in (POST /v1/session), over plain HTTP. Writes need an Origin that is this device.',
  },
  session_over_tls: { type: 'apiKey', in: 'cookie', name: cookieName(true), description: 'The same over TLS.' },
}

/** Areas may share a tag, and each says its part about it. */
const tagsOf = (areas: readonly Area[]): object[] =>
  [...Map.groupBy(areas, ({ tag }) => tag)].map(([name, some]) => ({
    name,
    description: [...new Set(some.map(({ about }) => about))].join(' '),
  }))

const isDescribed = (endpoint: Endpoint): boolean => !endpoint.hidden && !endpoint.feed

/** `/v1/streams/{id}` of `/v1/streams/:id`. */
export const bracedPath = (path: string): string => path.replace(/:(\w+)/g, '{$1}')

type Referring = Components['referring']

/** Where what has a name of its own is written. */
interface Shared {
  readonly referring: Referring
  readonly exampleOf: Examples['referring']
}

const operation = (tag: string, endpoint: Endpoint, { referring, exampleOf }: Shared): object => ({
  operationId: operationId(endpoint),
  tags: [tag],
  summary: endpoint.summary,
  ...(endpoint.about && { description: endpoint.about }),
  'x-access': endpoint.access,
  ...(endpoint.publishes.length > 0 && { 'x-publishes': endpoint.publishes.map(({ kind }) => kind) }),
  parameters: parameters(endpoint, referring),
  ...(endpoint.body && {
    requestBody: {
      required: !endpoint.body.optional,
      content: {
        'application/json': {
          schema: referring(endpoint.body.schema),
          examples: exampleOf(endpoint.body.schema, endpoint.body.example),
        },
      },
    },
  }),
  ...(endpoint.upload && {
    requestBody: {
      required: true,
      content: uploaded(endpoint.upload, { referring, exampleOf }),
    },
  }),
  responses: {
    ...(!endpoint.answer.refusedWith && {
      [SUCCESS[endpoint.answer.status]]: success(endpoint, { referring, exampleOf }),
    }),
    ...Object.fromEntries(
      (endpoint.answer.also ?? [])
        .filter((also) => also !== 'empty')
        .map((also) => [SUCCESS[also], other(also, endpoint, { referring, exampleOf })]),
    ),
    ...problems(faultsOf(endpoint), referring),
  },
  ...(endpoint.answer.also?.includes('empty') && { 'x-repeated': { [SUCCESS.empty]: gone(endpoint) } }),
})

const uploaded = ({ mediaTypes, described }: UploadSpec, { referring, exampleOf }: Shared): object =>
  Object.fromEntries(
    mediaTypes.map((type) => {
      const content = described[type]
      if (!content) return [type, { schema: BYTES }]
      const { schema, example } = content
      return [type, { schema: referring(schema), examples: exampleOf(schema, example) }]
    }),
  )

const BYTES = { type: 'string', format: 'binary', description: 'The content, as it is.' }

const other = (status: Success, endpoint: Endpoint, shared: Shared): object =>
  status === 'partial'
    ? { ...success(endpoint, shared), description: 'The part that was asked for.' }
    : { description: 'What the client has is what it is.' }

/**
 * How a repeat is answered whose document is gone. It is no response like the others: who sends no key never gets it,
 * and generated clients would say of every order that it may be answered with nothing.
 */
const gone = (endpoint: Endpoint): object => ({
  description: GONE,
  headers: { ...headersOf(endpoint), ETag: text('The revision that it got, if any.') },
})

const GONE =
  'To a repeat with the same key: it was carried out, and what it left has been deleted since, so that there is ' +
  'nothing to show.'

const parameters = ({ params, query, conditional, kind, upload }: Endpoint, referring: Referring): object[] => [
  ...Object.entries(params).map(([name, schema]) => ({ name, in: 'path', required: true, schema: referring(schema) })),
  ...Object.entries(query.properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: query.required?.includes(name) ?? false,
    schema: referring(schema),
  })),
  ...(conditional
    ? [
        {
          name: 'If-Match',
          in: 'header',
          required: false,
          description: oneLine`
            The revision that this write is based on, or several; without it, whatever there is is changed.
            \`expected_revision\` in the ${kind === 'upload' ? 'query' : 'body'} does the same.
          `,
          schema: { type: 'string', pattern: IF_MATCH_PATTERN },
        },
      ]
    : []),
  ...Object.entries(upload?.headers ?? {}).map(([name, { about, isRequired, example }]) => ({
    name,
    in: 'header',
    required: isRequired,
    description: about,
    schema: { type: 'string', examples: [example] },
  })),
  ...(kind === 'command'
    ? [
        {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          description:
            'A repeat with the same key gets the first answer again; `x-repeated` says how it is answered where what ' +
            'the order left has been deleted since. `request_id` in the body does the same.',
          schema: referring(RequestId),
        },
      ]
    : []),
]

const headersOf = ({ kind }: Endpoint): object => ({
  ...(kind === 'command' && { 'Idempotent-Replayed': text('`true` when this answer was given before.') }),
  'X-Request-Id': text('The number of this request, in the log and in problems.'),
})

const success = (endpoint: Endpoint, { referring, exampleOf }: Shared): object => {
  const { answer, conditional } = endpoint
  const headers = {
    ...headersOf(endpoint),
    ...(hasRevision(answer, conditional) && { ETag: text('The revision, in double quotes.') }),
    ...Object.fromEntries(Object.entries(answer.headers ?? {}).map(([name, about]) => [name, text(about)])),
  }
  if (!answer.mediaType) return { description: 'Done.', headers }
  const mediaType = answer.mediaType.split(';', 1)[0] as string
  const { schema, example, otherForms = [] } = answer
  return {
    description: 'Here it is.',
    headers,
    content: {
      [mediaType]: {
        ...(schema && { schema: referring(schema) }),
        ...(schema && example !== undefined && { examples: exampleOf(schema, example) }),
      },
      ...Object.fromEntries(otherForms.map((form) => [form.mediaType, { schema: referring(form.schema) }])),
    },
  }
}

const text = (description: string): object => ({ description, schema: { type: 'string' } })

const hasRevision = ({ schema, mediaType }: AnswerSpec, conditional: boolean): boolean =>
  conditional ||
  (mediaType !== undefined && 'revision' in ((schema as TSchema & { properties?: object }).properties ?? {}))

const RETRY_AFTER = {
  description: 'Seconds after which it is worth asking again. None: what is in the way does not pass by itself.',
  schema: { type: 'integer' },
}

/** One response per status, with an example for each code it may have. */
const problems = (codes: readonly ClientCode[], referring: Referring): object =>
  Object.fromEntries(
    [...Map.groupBy(codes, statusOf)].map(([status, some]) => [
      status,
      {
        description: some.map((code) => `\`${code}\`: ${titleOf(code)}.`).join('\n'),
        ...(some.some((code) => retryAfterS(code) !== undefined) && { headers: { 'Retry-After': RETRY_AFTER } }),
        content: {
          [PROBLEM_MEDIA_TYPE]: {
            schema: referring(Problem),
            examples: Object.fromEntries(some.map((code) => [code, { value: problemExample(code) }])),
          },
        },
      },
    ]),
  )

const problemExample = (code: ClientCode): object => problemOf(fault(code, `${titleOf(code)}.`), '/v1', 'a1b2c3')
