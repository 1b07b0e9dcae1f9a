// The config of localization as a client sets it.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DEFAULT_LOCALIZATION_CONFIG } from '../../../machines/localization/config.ts'
import { demoMap } from '../../../machines/localization/field-map.ts'
import { assertProblem } from '../../support/api/api.ts'
import { busyApi } from '../../support/api/busy-api.ts'
import { fileLifetime } from '../../support/lifetime.ts'
import { askLocalization } from '../../support/localization/asking.ts'

const shared = await busyApi(fileLifetime())
const askShared = askLocalization(shared)

/** A service of this test alone. */
const own = async (t: TestContext) => {
  const api = await busyApi(t)
  return { ...api, ask: askLocalization(api) }
}

/** What a body is refused with: pointers. */
const pointersOf = async (body: unknown): Promise<readonly string[]> => {
  const before = await askShared('GET', 'config')
  const put = await askShared('PUT', 'config', body)
  const validated = await askShared('POST', 'validate', body)
  const after = await askShared('GET', 'config')
  const { errors = [] } = assertProblem(put, 'localization.invalid')
  assert.deepEqual(assertProblem(validated, 'localization.invalid').errors, errors)
  assert.equal(after.body, before.body, 'a body that is refused changes nothing')
  return errors.map(({ pointer }) => pointer)
}

test('a config that nobody has set is all defaults, at revision 0', async () => {
  const { json, etag } = await askShared('GET', 'config')

  assert.deepEqual(json.spec, DEFAULT_LOCALIZATION_CONFIG)
  assert.deepEqual([json.id, json.revision, etag], ['config', 0, '"0"'])
  assert.deepEqual(json.spec.priors, { z_std_m: 0.1, tilt_std_deg: 8 })
  assert.deepEqual(json.spec.gate, { tag_chi2: 30, fused_chi2: 16.3, max_std_m: 0.3 })
})

test('what is left out has its default, also within a group, and everybody hears of the change', async (t) => {
  const { ask, fake } = await own(t)
  const told: unknown[] = []
  t.after(fake.directory.events.subscribe(({ kind, revision }) => told.push([kind, revision])))

  const put = await ask('PUT', 'config', { map_id: demoMap.id, streams: ['front'], priors: { z_std_m: 0.05 } })

  const spec = {
    ...DEFAULT_LOCALIZATION_CONFIG,
    map_id: demoMap.id,
    streams: ['front'],
    priors: { z_std_m: 0.05, tilt_std_deg: 8 },
  }
  assert.deepEqual([put.status, put.json.spec, put.etag], [200, spec, '"1"'])
  assert.deepEqual((await ask('GET', 'config')).json.spec, spec)
  assert.deepEqual(
    told.filter((each) => String(each).startsWith('localization_config')),
    [['localization_config_changed', 1]],
  )
})

test('a config is set as a whole: what was set before and is not said again has its default', async (t) => {
  const { ask } = await own(t)
  await ask('PUT', 'config', { round_wait_ms: 20, gate: { max_std_m: 0.5 } })

  const { json } = await ask('PUT', 'config', { gate: { tag_chi2: 40 } })

  assert.deepEqual(json.spec, {
    ...DEFAULT_LOCALIZATION_CONFIG,
    gate: { ...DEFAULT_LOCALIZATION_CONFIG.gate, tag_chi2: 40 },
  })
})

test('a write on a stale revision is refused and names the present one', async (t) => {
  const { ask } = await own(t)
  const { etag = '' } = await ask('PUT', 'config', { round_wait_ms: 20 })

  const stale = await ask('PUT', 'config', { round_wait_ms: 30 }, { 'if-match': '"0"' })
  const fresh = await ask('PUT', 'config', { round_wait_ms: 30 }, { 'if-match': etag })

  assert.deepEqual(assertProblem(stale, 'revision.stale').context, { revision: 1 })
  assert.deepEqual([fresh.status, fresh.json.spec.round_wait_ms], [200, 30])
})

test('a map, a stream that is not there, and a stream or a tag that is named twice are refused by place', async () => {
  assert.deepEqual(await pointersOf({ map_id: 'mars' }), ['/map_id'])
  assert.deepEqual(await pointersOf({ streams: ['front', 'side', 'nobody'] }), ['/streams/2'])
  assert.deepEqual(await pointersOf({ streams: ['front', 'side', 'front'] }), ['/streams/2'])
  const ignored = [3, 4, 3].map((tag_id) => ({ tag_id, why: 'hangs loose' }))
  assert.deepEqual(await pointersOf({ ignored }), ['/ignored/2'])
})

test('numbers out of their bounds and keys that are not known are refused by place', async () => {
  for (const z_std_m of [0, -0.1, 1e9, '0.1', null])
    assert.deepEqual(await pointersOf({ priors: { z_std_m } }), ['/priors/z_std_m'], String(z_std_m))
  for (const round_wait_ms of [1, 201, 20.5])
    assert.deepEqual(await pointersOf({ round_wait_ms }), ['/round_wait_ms'], String(round_wait_ms))
  assert.deepEqual(await pointersOf({ gate: { max_std_m: 0 } }), ['/gate/max_std_m'])
  assert.deepEqual(await pointersOf({ nonsense: 1 }), ['/nonsense'])
  assert.deepEqual(await pointersOf({ priors: { z_std: 1 } }), ['/priors/z_std'])
  assert.deepEqual(await pointersOf({ odometry: { source: 'wheels' } }), ['/odometry/source'])
  assert.deepEqual(await pointersOf([]), [''])
})

test('what is no JSON at all is malformed', async () => {
  for (const text of ['', '{', '{"enabled": tru', 'NaN'])
    for (const [method, path] of [['PUT', 'config'] as const, ['POST', 'validate'] as const])
      assertProblem(await askShared(method, path, text), 'body.malformed')
})

test('validate answers what would be stored, and stores nothing', async (t) => {
  const { ask } = await own(t)
  const body = { streams: ['side'], heading: { use: false }, ignored: [{ tag_id: 1, why: 'loose' }] }

  const validated = await ask('POST', 'validate', body)

  assert.equal((await ask('GET', 'config')).json.revision, 0)
  assert.deepEqual(validated.json, (await ask('PUT', 'config', body)).json.spec)
})

test('what was named before may stay when it is gone: the rest of the config can still be changed', async (t) => {
  const { ask, app } = await own(t)
  await ask('PUT', 'config', { streams: ['side'] })
  await app.inject({ method: 'DELETE', url: '/v1/streams/side', headers: { host: 'localhost' } })

  const kept = await ask('PUT', 'config', { streams: ['side'], round_wait_ms: 25 })
  const named = await ask('PUT', 'config', { streams: [] })
  const again = await ask('PUT', 'config', { streams: ['side'] })

  assert.deepEqual([kept.status, named.status], [200, 200])
  assert.deepEqual(assertProblem(again, 'localization.invalid').errors?.[0]?.pointer, '/streams/0')
})

test('the capabilities name defaults, bounds, families and reasons', async () => {
  const { json } = await askShared('GET', 'capabilities')

  assert.deepEqual(json.config.defaults, DEFAULT_LOCALIZATION_CONFIG)
  const bounds = new Map(json.config.bounds.map(({ pointer, ...rest }: { pointer: string }) => [pointer, rest]))
  assert.deepEqual(bounds.get('/round_wait_ms'), { minimum: 5, maximum: 200 })
  assert.deepEqual(bounds.get('/ignored/*/tag_id'), { minimum: 0, maximum: 100_000 })
  assert.deepEqual(json.families[0], { name: 'tag36h11', tags: 587 })
  assert.deepEqual(json.maps.forms, ['vedette', 'wpilib', 'wpilib-2027', 'fmap'])
  assert.deepEqual([json.maps.max_maps, json.maps.max_tags, json.maps.max_bytes], [100, 1000, 1_048_576])
  assert.ok(json.maps.bounds.some(({ pointer }: { pointer: string }) => pointer === '/tags/*/id'))
  assert.ok(json.reasons.tags.includes('inconsistent') && json.reasons.streams.includes('no_pose'))
})
