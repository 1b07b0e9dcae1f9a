// Configs, sources, samples, profiles and maps by chance, most of them broken: whatever is sent, the service answers as
// it declares, nothing breaks, and nothing is half stored. Chance has a seed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Endpoint } from '../../../api/endpoints/endpoint.ts'
import { builtInMaps } from '../../../machines/localization/maps/built-in.ts'
import { exportMap } from '../../../machines/localization/maps/export-map.ts'
import { MAP_FORMS } from '../../../machines/localization/maps/map-draft.ts'
import { collectionsByName, misfits } from '../../../machines/settings/collection.ts'
import { collectionsOf } from '../../../supervisors/composition/compose.ts'
import { tree } from '../../../supervisors/tree.ts'
import { allEndpoints, assertDeclared, pathOf } from '../../support/api/api.ts'
import { fitting } from '../../support/api/arbitrary.ts'
import { busyApi } from '../../support/api/busy-api.ts'
import { type Random, seeded } from '../../support/engine/random-graphs.ts'
import { sensibleLocalization } from '../../support/localization/sensible.ts'
import { shortOrLong } from '../../support/long.ts'

const SEED = 3_636
const REQUESTS = shortOrLong(1_500, 25_000)
const POOL = 60 // bodies that fit, of each row

const UPLOAD = '/v1/localization/maps/upload'
const PATHS = [
  'PUT /v1/localization/config',
  'POST /v1/localization/validate',
  'PUT /v1/localization/external/sources/:id',
  'POST /v1/localization/external/sources/:id/sample',
  'POST /v1/localization/profiles/import',
  `POST ${UPLOAD}`,
]
const rows = allEndpoints().filter(({ method, path }) => PATHS.includes(`${method} ${path}`))
const collections = collectionsByName([...collectionsOf(tree).values()])

const ODD: readonly unknown[] = [
  ...[null, true, 0, -1, 0.5, 1e308, -1e308, 2 ** 53, 1e-320, '', 'x', 'front', 'demo', '7', 'é'.repeat(200)],
  ...[[], [[]], {}, { a: 1 }, { __proto__: null }, 'NaN', 'own', [1, 2, 3, 4]],
]

/** What is stored of it by orders, and by nobody else. */
const OF_LOCALIZATION = ['localization', 'external_sources', 'rig']

/** Bodies that a row takes. */
const poolOf = ({ path, body, upload }: Endpoint): readonly unknown[] => {
  if (upload || path === UPLOAD) return builtInMaps.flatMap((map) => MAP_FORMS.map((form) => exportMap(map, form)))
  return fc
    .sample(fitting((body as NonNullable<Endpoint['body']>).schema), { seed: SEED, numRuns: POOL })
    .map((each) => sensibleLocalization(path, each as Record<string, unknown>) ?? each)
}

/** The same with some place of it changed, removed or doubled. */
const broken = (value: unknown, below: Random): unknown => {
  if (typeof value !== 'object' || value === null || below(6) === 0) return ODD[below(ODD.length)]
  if (Array.isArray(value)) {
    const at = below(value.length + 1)
    if (below(5) === 0) return [...value, ...value.slice(0, 2)]
    return value.map((each, n) => (n === at ? broken(each, below) : each))
  }
  const entries = Object.entries(value)
  const at = below(entries.length + 1)
  if (at === entries.length) return { ...value, nonsense: ODD[below(ODD.length)] }
  return Object.fromEntries(
    entries.flatMap(([key, each], n) => {
      if (n !== at) return [[key, each]]
      return below(5) === 0 ? [] : [[key, broken(each, below)]]
    }),
  )
}

/** A third fits, a third has one thing wrong, a third some. */
const bodyFrom = (pool: readonly unknown[], below: Random): unknown => {
  let body = pool[below(pool.length)]
  for (let wrong = below(3) * (1 + below(2)); wrong > 0; wrong--) body = broken(body, below)
  return body
}

test(`of ${REQUESTS} bodies none breaks the service, and what is stored is always whole`, async (t) => {
  const api = await busyApi(t)
  const below = seeded(SEED)
  const pools = new Map(rows.map((row) => [row, poolOf(row)]))
  const ofLocalization = () => {
    const { documents } = api.fake.directory.settings.getSnapshot().context
    return Object.fromEntries(OF_LOCALIZATION.map((name) => [name, documents[name] ?? {}]))
  }
  const statuses = new Map<number, number>()

  for (let n = 0; n < REQUESTS; n++) {
    const row = rows[below(rows.length)] ?? assert.fail('there is no row')
    const text = JSON.stringify(bodyFrom(pools.get(row) ?? [], below))
    const payload = below(40) === 0 ? text.slice(0, below(text.length)) : text
    const before = ofLocalization()
    const {
      statusCode: status,
      headers,
      body,
    } = await api.app.inject({
      method: row.method,
      url: pathOf(row),
      headers: { host: 'localhost', 'content-type': 'application/json' },
      payload,
    })
    statuses.set(status, (statuses.get(status) ?? 0) + 1)

    assert.ok(status < 500, `${row.method} ${row.path} of ${payload.slice(0, 500)} answered ${status}: ${body}`)
    assertDeclared(row, { status, contentType: headers['content-type'] ?? '', body })
    if (status >= 400) assert.deepEqual(ofLocalization(), before, `refused and stored: ${payload.slice(0, 300)}`)
    else assertWhole(ofLocalization())
  }

  t.diagnostic(`answered ${JSON.stringify(Object.fromEntries(statuses))}`)
  assert.deepEqual(api.bugs, [])
  const done = [...statuses].reduce((sum, [status, count]) => (status < 300 ? sum + count : sum), 0)
  assert.ok(done > REQUESTS / 10 && (statuses.get(422) ?? 0) > REQUESTS / 10)
})

const assertWhole = (documents: Readonly<Record<string, Readonly<Record<string, { readonly value: unknown }>>>>) => {
  for (const name of OF_LOCALIZATION)
    for (const [id, { value }] of Object.entries(documents[name] ?? {})) {
      const declared = collections.get(name) ?? assert.fail(name)
      assert.deepEqual(misfits(declared, id, value), [], `${name}/${id}`)
    }
}
