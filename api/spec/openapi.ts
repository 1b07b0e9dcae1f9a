// The HTTP interface as OpenAPI 3.1, written from the rows.
import type { TSchema } from 'typebox'
import { type ClientCode, titleOf } from '../../machines/errors/catalogue.ts'
import { RequestId } from '../../machines/requests/request.ts'
import type { AnswerSpec, Area, Endpoint, UploadSpec } from '../endpoints/endpoint.ts'
import { faultsOf } from '../endpoints/every-request.ts'
import { IF_MATCH_PATTERN } from '../endpoints/revision.ts'
import { SUCCESS, type Success, statusOf } from '../problems/faults.ts'
import { fault, PROBLEM_MEDIA_TYPE, Problem, problemOf } from '../problems/problem.ts'
import { cookieName } from '../session/cookie.ts'
import { Components } from './components.ts'

/** The document. Feeds are not in it: they are in the AsyncAPI document. */
export const openApi = (areas: readonly Area[], version: string): object => {
  const described = areas.map((area) => ({ ...area, endpoints: area.endpoints.filter(isDescribed) }))
  const rows = described.flatMap(({ tag, endpoints }) => endpoints.map((endpoint) => ({ tag, endpoint })))
  const components = new Components()
  const paths = Object.fromEntries(
    [...Map.groupBy(rows, ({ endpoint }) => bracedPath(endpoint.path))].map(([path, each]) => [
      path,
      Object.fromEntries(
        each.map(({ tag, endpoint }) => [
          endpoint.method.toLowerCase(),
          operation(tag, endpoint, components.referring),
        ]),
      ),
    ]),
  )
  return {
    openapi: '3.1.0',
    info: {
      title: 'Vedette',
      version,
      description: 'The service of a robot camera. Faults are problem documents (RFC 9457) with a stable `code`.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: described
      .filter(({ endpoints }) => endpoints.length > 0)
      .map(({ tag, about }) => ({ name: tag, description: about })),
    security: [{}, ...Object.keys(securitySchemes).map((name) => ({ [name]: [] }))],
    paths,
    components: {
      schemas: components.schemas,
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
    ...{ type: 'apiKey', in: 'cookie', name: cookieName(false) },
    description:
      'A browser that is signed in (POST /v1/session), over plain HTTP. Writes need an Origin that is this device.',
  },
  session_over_tls: { type: 'apiKey', in: 'cookie', name: cookieName(true), description: 'The same over TLS.' },
}

const isDescribed = (endpoint: Endpoint): boolean => !endpoint.hidden && !endpoint.feed

/** `/v1/streams/{id}` of `/v1/streams/:id`. */
export const bracedPath = (path: string): string => path.replace(/:(\w+)/g, '{$1}')

/** `getStreamsByIdFrame` of `GET /v1/streams/:id/frame`; what is not under /v1 has `Root` in its name. */
const operationId = ({ method, path }: Endpoint): string =>
  path
    .replace(/^\/(v1\/)?/, (_, v1) => (v1 ? '' : 'root-'))
    .replace(/:(\w+)/g, 'by-$1')
    .split(/[^a-zA-Z0-9]+/)
    .filter(Boolean)
    .reduce((id, word) => id + word.charAt(0).toUpperCase() + word.slice(1), method.toLowerCase())

type Referring = Components['referring']

const operation = (tag: string, endpoint: Endpoint, referring: Referring): object => ({
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
      content: { 'application/json': { schema: referring(endpoint.body.schema), example: endpoint.body.example } },
    },
  }),
  ...(endpoint.upload && {
    requestBody: {
      required: true,
      content: uploaded(endpoint.upload, referring),
    },
  }),
  responses: {
    [SUCCESS[endpoint.answer.status]]: success(endpoint, referring),
    ...Object.fromEntries(
      (endpoint.answer.also ?? []).map((also) => [SUCCESS[also], other(also, endpoint, referring)]),
    ),
    ...problems(faultsOf(endpoint), referring),
  },
})

const uploaded = ({ mediaTypes, described }: UploadSpec, referring: Referring): object =>
  Object.fromEntries(
    mediaTypes.map((type) => {
      const content = described[type]
      return [type, content ? { ...content, schema: referring(content.schema) } : { schema: BYTES }]
    }),
  )

const BYTES = { type: 'string', format: 'binary', description: 'The content, as it is.' }

const other = (status: Success, endpoint: Endpoint, referring: Referring): object => {
  switch (status) {
    case 'partial':
      return { ...success(endpoint, referring), description: 'The part that was asked for.' }
    case 'empty':
      return { description: GONE, headers: { ...headersOf(endpoint), ETag: text('The revision that it got, if any.') } }
    default:
      return { description: 'What the client has is what it is.' }
  }
}

const GONE =
  'It was carried out, as a repeat may learn late: what it left has been deleted since, so that there is nothing to show.'

const parameters = ({ params, query, conditional, kind }: Endpoint, referring: Referring): object[] => [
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
          description: `The revision that this write is based on, or several; without it, whatever there is is changed. \`expected_revision\` in the ${kind === 'upload' ? 'query' : 'body'} does the same.`,
          schema: { type: 'string', pattern: IF_MATCH_PATTERN },
        },
      ]
    : []),
  ...(kind === 'command'
    ? [
        {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          description:
            'A repeat with the same key gets the first answer again. `request_id` in the body does the same.',
          schema: referring(RequestId),
        },
      ]
    : []),
]

const headersOf = ({ kind }: Endpoint): object => ({
  ...(kind === 'command' && { 'Idempotent-Replayed': text('`true` when this answer was given before.') }),
  'X-Request-Id': text('The number of this request, in the log and in problems.'),
})

const success = (endpoint: Endpoint, referring: Referring): object => {
  const { answer, conditional } = endpoint
  const headers = {
    ...headersOf(endpoint),
    ...(hasRevision(answer, conditional) && { ETag: text('The revision, in double quotes.') }),
    ...Object.fromEntries(Object.entries(answer.headers ?? {}).map(([name, about]) => [name, text(about)])),
  }
  if (!answer.mediaType) return { description: 'Done.', headers }
  const mediaType = answer.mediaType.split(';', 1)[0] as string
  const { schema, example } = answer
  return {
    description: 'Here it is.',
    headers,
    content: {
      [mediaType]: { ...(schema && { schema: referring(schema) }), ...(example !== undefined && { example }) },
    },
  }
}

const text = (description: string): object => ({ description, schema: { type: 'string' } })

const hasRevision = ({ schema, mediaType }: AnswerSpec, conditional: boolean): boolean =>
  conditional ||
  (mediaType !== undefined && 'revision' in ((schema as TSchema & { properties?: object }).properties ?? {}))

/** One response per status, with an example for each code it may have. */
const problems = (codes: readonly ClientCode[], referring: Referring): object =>
  Object.fromEntries(
    [...Map.groupBy(codes, statusOf)].map(([status, some]) => [
      status,
      {
        description: some.map((code) => `\`${code}\`: ${titleOf(code)}.`).join('\n'),
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
