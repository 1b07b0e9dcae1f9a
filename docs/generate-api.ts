// Writes docs/api.md from the endpoint tables: every endpoint with what it takes, answers and refuses.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as Effect from 'effect/Effect'
import { allAreas } from '../api/areas.ts'
import type { AnswerSpec, Area, Endpoint, FeedMessage } from '../api/endpoints/endpoint.ts'
import { faultsOf } from '../api/endpoints/every-request.ts'
import { SUCCESS, statusOf } from '../api/problems/faults.ts'
import { type ClientCode, codesFor, titleOf } from '../machines/errors/catalogue.ts'
import { oneLine } from '../machines/schema/one-line.ts'
import { compose, fakePorts } from '../supervisors/composition/compose.ts'
import { defaultOptions } from '../supervisors/options.ts'
import { tree } from '../supervisors/tree.ts'

/** All areas, as a server has them that serves nobody. */
export const describedAreas = (): readonly Area[] => {
  const parts = { branches: tree, options: defaultOptions(), ports: fakePorts(tree), log: () => {}, version: '0.0.0' }
  const areas = Effect.runSync(Effect.scoped(Effect.map(compose(parts), ({ resolve }) => allAreas(resolve))))
  for (const { close } of areas) close?.()
  return areas
}

/** The page, in Markdown. */
export const apiPage = (areas: readonly Area[]): string => {
  const shown = areas
    .map((area) => ({ ...area, endpoints: area.endpoints.filter(({ hidden }) => !hidden) }))
    .filter(({ endpoints }) => endpoints.length > 0)
  const all = shown.flatMap(({ endpoints }) => endpoints)
  const everywhere = CLIENT_CODES.filter((code) => all.every((endpoint) => faultsOf(endpoint).includes(code)))
  const parts = [
    '# The HTTP interface',
    oneLine`
      Written from the tables in \`api/\` by \`npm run docs\`; change the table, not this page. The full schemas are in
      \`/openapi.json\` and \`/asyncapi.json\`, with an explorer at \`/docs\`.
    `,
    oneLine`
      Bodies are JSON and strict: unknown keys, and text for a number, are refused. Every fault is a problem document
      (RFC 9457) with one of the codes [below](#faults). A document with a \`revision\` carries it as its \`ETag\`, and
      the answer to a write the one after it. A write can say on which revision it is based: \`expected_revision\` in
      the body (also of a DELETE, which else needs none) or \`If-Match\` with one tag, several, or \`*\`; one suffices,
      a stale one is refused with 409 and the present revision in \`context\`. Where nothing has a revision, saying one
      is refused. A write that changes nothing keeps the revision and is answered like any other. Every write may carry
      a key of its own, \`request_id\` in the body or \`Idempotency-Key\` in a header: a repeat gets the first answer
      again, also after a restart, for at least ten minutes and 10,000 requests ([decision
      52](decisions/0052-repeated-requests.md) has the table). One that was carried out before anybody heard of it, and
      is repeated after what it left was deleted, is answered with 204 and the revision that it got as \`ETag\`: it was
      done ([why](decisions/0180-done-and-gone.md)). Revisions rise, also over the deletion of a document: a new one
      begins above all that were deleted. Access classes are explained in [access.md](access.md).
    `,
    `Any request may be refused with ${everywhere.map(quoted).join(', ')}; that is not repeated below.`,
    '## Contents',
    contentsOf(shown),
    ...shown.flatMap(({ tag, about, endpoints }) => [
      `## ${tag}`,
      about,
      ...endpoints.flatMap((endpoint) => sectionOf(endpoint, everywhere)),
    ]),
    '## Faults',
    table(
      ['status', 'code', 'what'],
      CLIENT_CODES.map((code) => [String(statusOf(code)), quoted(code), titleOf(code)]),
    ),
    'In the error history (`GET /v1/errors`), in statuses and in the log:',
    table(
      ['code', 'what'],
      HISTORY_CODES.map((code) => [quoted(code), titleOf(code)]),
    ),
  ]
  return `${parts.join('\n\n')}\n`
}

const CLIENT_CODES = codesFor('client').toSorted((a, b) => statusOf(a) - statusOf(b))

/** What no problem document has: it stands in the error history, in statuses and in the log. */
const HISTORY_CODES = [...codesFor('history'), ...codesFor('engine')].sort()

const quoted = (text: string): string => `\`${text}\``

const titleOfEndpoint = ({ method, path, feed }: Endpoint): string =>
  `${feed ? 'WS' : method} ${path.replace(/:(\w+)/g, '{$1}')}`

/** The table of contents: a line for each area, and one for each of its endpoints. */
const contentsOf = (areas: readonly Area[]): string => {
  const link = links()
  return [
    ...areas.flatMap(({ tag, endpoints }) => [
      `- ${link(tag)}`,
      ...endpoints.map((endpoint) => `  - ${link(titleOfEndpoint(endpoint))}: ${endpoint.summary}`),
    ]),
    `- ${link('Faults')}`,
  ].join('\n')
}

/** Makes links to headings, in the order of the page: a heading that comes again gets a number, as GitHub counts. */
const links = (): ((heading: string) => string) => {
  const seen = new Map<string, number>()
  return (heading) => {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-')
    const times = seen.get(anchor) ?? 0
    seen.set(anchor, times + 1)
    return `[${heading}](#${times === 0 ? anchor : `${anchor}-${times}`})`
  }
}

const statusesOf = ({ status, also = [] }: Endpoint['answer']): string =>
  [status, ...also].map((each) => SUCCESS[each]).join(', ')

const answersOf = (answer: AnswerSpec): string =>
  answer.refusedWith
    ? `Answers ${statusOf(answer.refusedWith)} in all cases.`
    : `Answers ${statusesOf(answer)}${formsOf(answer)}.`

const sectionOf = (endpoint: Endpoint, everywhere: readonly ClientCode[]): string[] => {
  const { summary, about, access, conditional, publishes, query, body, upload, answer, feed } = endpoint
  const refusals = faultsOf(endpoint).filter((code) => !everywhere.includes(code))
  return [
    `### ${titleOfEndpoint(endpoint)}`,
    [
      ...[`${summary}.`, about, `Access: ${access}.`],
      conditional ? 'Heeds `If-Match` and `expected_revision`.' : '',
      publishes.length > 0 ? `Everybody hears of it by ${publishes.map(({ kind }) => quoted(kind)).join(', ')}.` : '',
    ]
      .filter(Boolean)
      .join(' '),
    ...queryTable(query.properties),
    ...(body && !body.optional ? ['Body:', json(body.example)] : []),
    ...(upload ? [`Body: bytes, ${upload.mediaTypes.map(quoted).join(', ')}.`] : []),
    ...Object.entries(upload?.described ?? {}).flatMap(([type, { example }]) => [
      `As ${quoted(type)}:`,
      typeof example === 'string' ? `\`\`\`text\n${example.trimEnd()}\n\`\`\`` : json(example),
    ]),
    ...(feed
      ? [
          ...(feed.protocols ?? []).map(({ name, about: form }) => `Subprotocol ${quoted(name)}: ${form}`),
          feed.messages.length > 1 ? 'Messages, told apart by their `kind`:' : 'Messages:',
          ...feed.messages.flatMap(messageSection),
          ...(feed.questions ? ['A client may send:', ...feed.questions.flatMap(messageSection)] : []),
        ]
      : [answersOf(answer)]),
    ...(answer.example === undefined ? [] : [json(answer.example)]),
    ...(refusals.length > 0 ? [`Refuses with ${refusals.map(quoted).join(', ')}.`] : []),
  ]
}

const formsOf = ({ mediaType, otherForms = [] }: AnswerSpec): string =>
  mediaType ? ` with ${[mediaType, ...otherForms.map((form) => form.mediaType)].map(quoted).join(' or ')}` : ''

const messageSection = ({ name, schema, mediaType, example }: FeedMessage): string[] => [
  `${quoted(name)}: ${(schema as { readonly description?: string }).description ?? ''}`,
  mediaType === undefined ? `\`\`\`json\n${JSON.stringify(example)}\n\`\`\`` : `Bytes, ${quoted(mediaType)}.`,
]

const queryTable = (properties: Readonly<Record<string, { readonly description?: string }>>): string[] => {
  const rows = Object.entries(properties).map(([name, schema]) => [
    quoted(name),
    limitsOf(schema),
    schema.description ?? '',
  ])
  return rows.length > 0 ? [table(['query', 'is', 'means'], rows)] : []
}

const limitsOf = (schema: object): string => {
  const { type = 'text', minimum, maximum } = schema as { type?: string; minimum?: number; maximum?: number }
  const range =
    minimum === undefined ? '' : maximum === undefined ? `, ${minimum} or more` : `, ${minimum} to ${maximum}`
  return type + range
}

const MAX_EXAMPLE_LINES = 60

/** An example; one that would fill pages is left to the OpenAPI document. */
const json = (example: unknown): string => {
  const text = JSON.stringify(example, null, 2)
  return text.split('\n').length > MAX_EXAMPLE_LINES
    ? 'The example is long; it stands in `/openapi.json`.'
    : `\`\`\`json\n${text}\n\`\`\``
}

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

if (import.meta.main) writeFileSync(join(import.meta.dirname, 'api.md'), apiPage(describedAreas()))
