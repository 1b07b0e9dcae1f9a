// Every endpoint, visited: what it answers, refuses and documents is what its row says.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import type { Endpoint } from '../../api/endpoints/endpoint.ts'
import { faultsOf } from '../../api/endpoints/every-request.ts'
import { SUCCESS, statusOf } from '../../api/problems/faults.ts'
import { listen } from '../../api/server/server.ts'
import { bracedPath, openApi } from '../../api/spec/openapi.ts'
import { apiPage, describedAreas } from '../../docs/generate-api.ts'
import { validatorOf } from '../../machines/schema/errors.ts'
import type { FakeIpa } from '../../native/ipa/fake.ts'
import { IPA } from '../../native/ipa/port.ts'
import type { FakeFieldMaps } from '../../native/localization/fake.ts'
import { USER_MAPS } from '../../native/localization/port.ts'
import type { FakeBundles } from '../../native/update/fake.ts'
import { BUNDLE_STORE } from '../../native/update/port.ts'
import {
  type Answered,
  allEndpoints,
  assertDeclared,
  assertProblem,
  type FakeApi,
  forCertificates,
  pathOf,
} from '../support/api/api.ts'
import { beforehand, busyApi } from '../support/api/busy-api.ts'
import { fileLifetime } from '../support/lifetime.ts'
import { shortOrLong } from '../support/long.ts'
import { until } from '../support/until.ts'

const endpoints = allEndpoints()
/** All but feeds, which answer nothing, and the page's files, of which only its build knows the names. */
const ordinary = endpoints.filter(({ feed, path }) => !feed && path !== '/assets/:name')
const conditional = ordinary.filter((endpoint) => endpoint.conditional)
const described = openApi(describedAreas(), '1') as {
  readonly paths: Record<string, Record<string, { readonly responses: Record<number, { readonly headers?: object }> }>>
}
const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`

interface Ask {
  readonly params?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: string
}

const urlOf = (endpoint: Endpoint, { params = {}, query = demanded(endpoint) }: Ask = {}): string =>
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
const visit = async (api: FakeApi, endpoint: Endpoint, ask: Ask = {}): Promise<Answered & { etag?: string }> => {
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
const freshBody = ({ path, body }: Endpoint): unknown => {
  if (path === '/v1/session' && body) return { token: 'good-token' }
  if (isKeyed(body?.example)) return { ...body.example, request_id: randomUUID() } // or it would be a repeat
  return path === '/v1/streams' && body ? { ...(body.example as object), id: 'another' } : body?.example
}

const isKeyed = (example: unknown): example is { readonly request_id: string } =>
  typeof example === 'object' && example !== null && 'request_id' in example

/** Whether the OpenAPI document says that its success has an ETag. */
const promisesEtag = ({ method, path, answer }: Endpoint): boolean =>
  'ETag' in
  (described.paths[bracedPath(path)]?.[method.toLowerCase()]?.responses[SUCCESS[answer.status]]?.headers ?? {})

/** The revision that is expected, beside the headers. */
const expecting = (endpoint: Endpoint, expected_revision: number): Ask =>
  endpoint.upload
    ? { query: `?expected_revision=${expected_revision}` }
    : { body: { ...(freshBody(endpoint) as object), expected_revision } }

/** The ways to say on which revision a write is based. */
const preconditions = (endpoint: Endpoint): Record<string, (revision: number) => Ask> => {
  const said = (revision: number) => expecting(endpoint, revision)
  return {
    'If-Match': (revision) => ({ headers: { 'if-match': `"${revision}"` } }),
    'a weak If-Match': (revision) => ({ headers: { 'if-match': `W/"${revision}"` } }),
    'one tag of a list': (revision) => ({ headers: { 'if-match': `"998" , W/"${revision}","of-another-service"` } }),
    'If-Match: *': () => ({ headers: { 'if-match': '*' } }),
    expected_revision: said,
    both: (revision) => ({ headers: { 'if-match': `"${revision}"` }, ...said(revision) }),
  }
}

/** One reads all of them for every row: here each row has If-Match and one more in its turn, the long test has all. */
const waysToTry = (endpoint: Endpoint) => {
  const [first, ...more] = Object.entries(preconditions(endpoint))
  const turn = conditional.indexOf(endpoint) % more.length
  return [first, ...shortOrLong(more.slice(turn, turn + 1), more)].filter((each) => each !== undefined)
}

/** Names of nothing, in paths: those that something could have, and those that nothing can have. */
const POSSIBLE: readonly string[] = ['nobody', 'constructor']
const IMPOSSIBLE: readonly string[] = ['x'.repeat(3000), '%00', '..%2f', '%E2%82%AC']

/** The statuses for a name of nothing: nothing is there, or it cannot be a name. */
const refusedWith = ({ faults, creates }: Endpoint, name: string): readonly number[] => [
  creates ? statusOf('document.invalid') : statusOf('route.not_found'),
  ...(name === 'output_key' && faults.includes('output_key.malformed') ? [statusOf('output_key.malformed')] : []),
]

/** Is asked for what changes nothing. */
const shared = await busyApi(fileLifetime())

/** Its parts are taken down by the first who needs that. */
const withoutParts = await busyApi(fileLifetime())

for (const endpoint of ordinary) {
  const faults = faultsOf(endpoint)

  test(`${nameOf(endpoint)} answers as it declares, and is told as the events that it names`, async (t) => {
    const api = endpoint.method === 'GET' ? shared : await busyApi(t)
    const told: unknown[] = []
    const unsubscribe = api.fake.directory.events.subscribe(({ kind }) => told.push(kind))
    t.after(unsubscribe)
    await beforehand[endpoint.path]?.(api.fake)

    const answered = await visit(api, endpoint)

    assertDeclared(endpoint, answered)
    if (forCertificates.has(endpoint.path)) return void assertProblem(answered, 'pairing.no_certificate')
    if (endpoint.answer.refusedWith) return void assertProblem(answered, endpoint.answer.refusedWith)
    assert.equal(answered.status, SUCCESS[endpoint.answer.status], answered.body)
    const document = endpoint.answer.mediaType === 'application/json' ? JSON.parse(answered.body) : {}
    if (typeof document.revision === 'number') assert.equal(answered.etag, `"${document.revision}"`)
    if (endpoint.conditional) assert.match(answered.etag ?? '', /^"\d+"$/)
    if (!endpoint.hidden && !endpoint.answer.endless) assert.equal(answered.etag !== undefined, promisesEtag(endpoint))
    for (const { kind } of endpoint.publishes) await until(kind, () => told.includes(kind), Boolean)
    assert.deepEqual(api.bugs, [])
  })

  if (!('additionalProperties' in endpoint.query && endpoint.query.additionalProperties))
    test(`${nameOf(endpoint)} refuses an unknown query key`, async () => {
      const answered = await visit(shared, endpoint, { query: '?nonsense=1' })

      const problem = assertProblem(answered, 'query.invalid')
      assert.deepEqual(problem.errors, [{ pointer: '/nonsense', message: 'is not known here; remove it' }])
    })

  for (const name of Object.keys(endpoint.params)) {
    const isMade = endpoint.creates && endpoint.path.endsWith(`:${name}`)
    const about = isMade ? `makes an unknown ${name} that is possible` : `knows nothing of an unknown ${name}`
    test(`${nameOf(endpoint)} ${about}`, async (t) => {
      const api = isMade ? await busyApi(t) : shared
      const asked = isMade ? POSSIBLE : []
      for (const stranger of [...POSSIBLE, ...IMPOSSIBLE]) {
        const answered = await visit(api, endpoint, { params: { [name]: stranger } })
        const refusals = [
          asked.includes(stranger) ? SUCCESS[endpoint.answer.status] : refusedWith(endpoint, name),
        ].flat()
        assert.ok(refusals.includes(answered.status), answered.body)
        assertDeclared(endpoint, answered)
      }
    })
  }

  if (endpoint.body) {
    const { invalid, optional } = endpoint.body
    test(`${nameOf(endpoint)} refuses an unknown key, and no body at all unless it needs none`, async (t) => {
      const api = optional ? await busyApi(t) : shared
      if (optional) await beforehand[endpoint.path]?.(api.fake)
      const fresh = freshBody(endpoint)
      const isList = Array.isArray(fresh) // of which the length is what can be wrong

      const body = isList ? [...fresh, fresh[0]] : { ...(fresh as object), nonsense: 1 }
      const extra = await visit(api, endpoint, { body })
      const nothing = await api.app.inject({ method: endpoint.method, url: urlOf(endpoint) })

      assert.deepEqual(assertProblem(extra, invalid).errors?.[0]?.pointer, isList ? '' : '/nonsense')
      if (optional) assert.equal(nothing.statusCode, SUCCESS[endpoint.answer.status])
      else assert.equal(nothing.json().code, invalid)
    })
  }

  if (endpoint.conditional) {
    test(`${nameOf(endpoint)} refuses a stale revision and names the present one`, async () => {
      const first = assertProblem(await visit(shared, endpoint, { headers: { 'if-match': '"999"' } }), 'revision.stale')
      const revision = first.context?.revision as number
      const stale = [
        { headers: { 'if-match': 'W/"998", "999"' } },
        { headers: { 'if-match': '"of-another-service"' } },
        expecting(endpoint, 999),
        { headers: { 'if-match': `"${revision}"` }, ...expecting(endpoint, 999) },
        { headers: { 'if-match': '"999"' }, ...expecting(endpoint, revision) },
      ]

      for (const each of stale)
        assert.deepEqual(assertProblem(await visit(shared, endpoint, each), 'revision.stale').context, { revision })
      for (const odd of [`${revision}`, '""7"', '"1" "2"', '*, "1"', 'w/"1"'])
        assertProblem(await visit(shared, endpoint, { headers: { 'if-match': odd } }), 'if_match.malformed')
    })

    for (const [how, ask] of waysToTry(endpoint))
      test(`${nameOf(endpoint)} is carried out on the revision that ${how} names`, async (t) => {
        const api = await busyApi(t)
        const stale = await visit(api, endpoint, { headers: { 'if-match': '"999"' } })
        const revision = assertProblem(stale, 'revision.stale').context?.revision as number

        const fresh = await visit(api, endpoint, ask(revision))

        assert.equal(fresh.status, SUCCESS[endpoint.answer.status], fresh.body)
        assert.match(fresh.etag ?? '', /^"\d+"$/)
        assert.notEqual(fresh.etag, `"${revision}"`)
      })
  }

  if ((endpoint.kind === 'command' || endpoint.kind === 'upload') && !endpoint.conditional) {
    test(`${nameOf(endpoint)} refuses an expected revision, since there is none`, async () => {
      for (const tags of ['"1"', '*'])
        assertProblem(await visit(shared, endpoint, { headers: { 'if-match': tags } }), 'if_match.not_possible')
      const code = endpoint.upload ? 'query.invalid' : (endpoint.body?.invalid ?? 'body.invalid')
      const said = assertProblem(await visit(shared, endpoint, expecting(endpoint, 1)), code)
      assert.equal(said.errors?.[0]?.pointer, '/expected_revision')
    })
  }

  if (endpoint.kind === 'command') {
    test(`${nameOf(endpoint)} says so when the part that carries it out is down`, async () => {
      const { fake } = withoutParts
      for (const { name } of fake.directory.parts()) await fake.takeDown(name)

      assertProblem(await visit(withoutParts, endpoint), 'actor.unavailable')
    })
  }

  // What is sent on is stored by others.
  if (faults.includes('storage.full') && endpoint.kind !== 'forward') {
    test(`${nameOf(endpoint)} changes nothing when the disk is full`, async (t) => {
      const { directory, documents, resolve } = shared.fake
      const maps = resolve(USER_MAPS) as FakeFieldMaps
      maps.maps.clear() // one that is there already needs no room
      const disks = [documents, resolve(BUNDLE_STORE) as FakeBundles, maps, resolve(IPA) as FakeIpa]
      const before = directory.settings.getSnapshot().context
      for (const disk of disks) disk.fault = { code: 'storage.full', detail: 'there is no room left' }
      t.after(() => {
        for (const disk of disks) disk.fault = null
      })

      assertProblem(await visit(shared, endpoint), 'storage.full')
      assert.deepEqual(directory.settings.getSnapshot().context, before)
    })
  }
}

/** What an endpoint takes, gives and sends. */
const documentsOf = ({ body, answer, feed }: Endpoint): readonly TSchema[] =>
  [body?.schema, answer.schema, ...(feed?.messages ?? []).map(({ schema }) => schema)].filter(
    (each) => each !== undefined,
  )

for (const endpoint of endpoints.filter(({ hidden }) => !hidden)) {
  test(`${nameOf(endpoint)} describes what it takes and gives, each under a name`, () => {
    for (const schema of documentsOf(endpoint)) {
      const { title, description } = schema as { readonly title?: string; readonly description?: string }
      assert.match(String(title), /^[A-Z][A-Za-z0-9]+$/, JSON.stringify(schema).slice(0, 200))
      assert.match(String(description), /^[A-Z].+\.$/s, title)
    }
    if (endpoint.answer.mediaType) assert.ok(endpoint.answer.schema)
  })
}

test('every example fits its schema', () => {
  for (const endpoint of endpoints) {
    const { answer, body, feed } = endpoint
    if (answer.example !== undefined && answer.schema)
      assert.deepEqual(validatorOf(answer.schema)(answer.example), [], `the answer of ${nameOf(endpoint)}`)
    if (body) assert.deepEqual(validatorOf(body.schema)(body.example), [], `the body of ${nameOf(endpoint)}`)
    for (const { name, schema, example, mediaType } of feed?.messages ?? [])
      if (mediaType === undefined)
        assert.deepEqual(validatorOf(schema)(example), [], `the message ${name} of ${nameOf(endpoint)}`)
    if (answer.mediaType === 'application/json') assert.notEqual(answer.example, undefined, nameOf(endpoint))
  }
})

test('every endpoint is documented', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/api.md'), 'utf8')
  const { paths } = openApi(describedAreas(), '0') as { paths: Record<string, Record<string, { summary: string }>> }

  assert.equal(page, apiPage(describedAreas()), 'docs/api.md is stale; run: npm run docs')
  for (const endpoint of endpoints.filter(({ hidden, feed }) => !hidden && !feed)) {
    const braced = endpoint.path.replace(/:(\w+)/g, '{$1}')
    assert.equal(paths[braced]?.[endpoint.method.toLowerCase()]?.summary, endpoint.summary)
  }
})

const TABLE = join(import.meta.dirname, '../../../shared/spec/endpoints.json')

test('every status of the interface table is declared', {
  skip: existsSync(TABLE) ? false : 'the interface table is not here',
}, () => {
  const table = JSON.parse(readFileSync(TABLE, 'utf8')) as { method: string; path: string; statuses: number[] }[]
  const rows = new Map(endpoints.map((endpoint) => [nameOf(endpoint).replace(/:(\w+)/g, '{$1}'), endpoint]))
  let compared = 0

  for (const { method, path, statuses } of table) {
    const endpoint = rows.get(`${method} ${path}`)
    if (!endpoint) continue // comes in a later issue
    const declared = [SUCCESS[endpoint.answer.status], ...faultsOf(endpoint).map(statusOf)]
    for (const status of statuses) assert.ok(declared.includes(status), `${method} ${path} never answers ${status}`)
    const successes = statuses.filter((status) => status < statusOf('body.invalid'))
    if (successes.length > 0) assert.deepEqual(successes, [SUCCESS[endpoint.answer.status]], `${method} ${path}`)
    compared += 1
  }

  assert.ok(compared >= 28, `only ${compared} rows were found in the table`)
})
