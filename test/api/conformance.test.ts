// Every endpoint, visited: what it answers, refuses and documents is what its row says.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import type { Endpoint } from '../../api/endpoints/endpoint.ts'
import { faultsOf } from '../../api/endpoints/every-request.ts'
import { SUCCESS, statusOf } from '../../api/problems/faults.ts'
import { bracedPath, openApi } from '../../api/spec/openapi.ts'
import { apiPage, describedAreas } from '../../docs/generate-api.ts'
import { validatorOf } from '../../machines/schema/errors.ts'
import type { FakeIde } from '../../native/ide/fake.ts'
import { IDE } from '../../native/ide/port.ts'
import type { FakeIpa } from '../../native/ipa/fake.ts'
import { IPA } from '../../native/ipa/port.ts'
import type { FakeFieldMaps } from '../../native/localization/fake.ts'
import { USER_MAPS } from '../../native/localization/port.ts'
import type { FakePackages } from '../../native/plugins/packages/fake.ts'
import { PLUGIN_PACKAGES } from '../../native/plugins/packages/port.ts'
import type { FakeBundles } from '../../native/update/fake.ts'
import { BUNDLE_STORE } from '../../native/update/port.ts'
import { allEndpoints, assertDeclared, assertProblem, forCertificates } from '../support/api/api.ts'
import { beforehand, busyApi } from '../support/api/busy-api.ts'
import { freshBody, nameOf, ordinaryEndpoints, urlOf, visit } from '../support/api/visit.ts'
import { fileLifetime } from '../support/lifetime.ts'
import { until } from '../support/until.ts'

const endpoints = allEndpoints()
const described = openApi(describedAreas(), '1') as {
  readonly paths: Record<string, Record<string, { readonly responses: Record<number, { readonly headers?: object }> }>>
}

/** Whether the OpenAPI document says that its success has an ETag. */
const promisesEtag = ({ method, path, answer }: Endpoint): boolean =>
  'ETag' in
  (described.paths[bracedPath(path)]?.[method.toLowerCase()]?.responses[SUCCESS[answer.status]]?.headers ?? {})

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

for (const endpoint of ordinaryEndpoints) {
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
    if (endpoint.takesRest && endpoint.path.endsWith(`:${name}`)) continue // what there is below is not ours to say
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
      const packages = resolve(PLUGIN_PACKAGES) as FakePackages
      const ide = resolve(IDE) as FakeIde
      const disks = [documents, resolve(BUNDLE_STORE) as FakeBundles, maps, resolve(IPA) as FakeIpa, packages, ide]
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
