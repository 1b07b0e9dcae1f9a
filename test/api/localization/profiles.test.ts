// Profiles: exported, imported, refused, as a client does it.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { demoMap, FIELD_MAPS, type FieldMap } from '../../../machines/localization/field-map.ts'
import { importedMapCollection } from '../../../machines/localization/maps/imported.ts'
import { canonicalJson } from '../../../machines/schema/canonical-json.ts'
import { documentsOf } from '../../../machines/settings/store.ts'
import type { FakeFieldMaps } from '../../../native/localization/fake.ts'
import { USER_MAPS } from '../../../native/localization/port.ts'
import { assertProblem, fakeApi } from '../../support/api/api.ts'
import { askLocalization, type Reply } from '../../support/localization/asking.ts'
import { until } from '../../support/until.ts'

type Content = Record<string, unknown>

const sha256 = (content: unknown) => createHash('sha256').update(canonicalJson(content)).digest('hex')

const pose = { x_m: 0.2, y_m: 0.1, z_m: 0.6, roll_deg: 0, pitch_deg: -10, yaw_deg: 90 }
const gym: FieldMap = { ...demoMap, id: 'gym', name: 'Gym' }
const otherGym: FieldMap = { ...gym, tags: gym.tags.slice(1) }
const source = {
  kind: 'absolute',
  origin: 'blue',
  time_base: 'arrival',
  outputs: [{ output_key: 'pose', data_type: 'pose' }],
}

/** A service, and the profile that it exports. */
const device = async (t: TestContext) => {
  const { app, fake } = await fakeApi(t)
  const ask = askLocalization({ app })
  const exported = async () => (await ask('GET', 'profiles/export')).json
  const fresh = await exported()
  /** An envelope with this content. */
  const withContent = (changes: Content) => {
    const content = { ...fresh.content, ...changes }
    return { ...fresh, content, sha256: sha256(content) }
  }
  const take = (body: unknown, query = '') => ask('POST', `profiles/import${query}`, body)
  const settings = () => fake.directory.settings.getSnapshot().context
  const files = fake.resolve(USER_MAPS) as FakeFieldMaps
  const waiting = () => Object.keys(documentsOf(fake.directory.settings, importedMapCollection))
  const mapsAreFiles = () => until('the maps as files', () => waiting().length === 0)
  return { fake, ask, exported, fresh, withContent, take, settings, files, mapsAreFiles }
}

const pointersOf = (reply: Reply): readonly string[] =>
  (assertProblem(reply, 'localization.invalid').errors ?? []).map(({ pointer }) => pointer)

const actionsIn = ({ json }: Reply): Record<string, string> =>
  Object.fromEntries(json.done.map(({ part, id, action }: Record<string, string>) => [`${part} ${id}`, action]))

test('a map that came with a profile is there at every moment while it is made a file', async (t) => {
  const { fake, withContent, take, mapsAreFiles } = await device(t)
  const maps = fake.resolve(FIELD_MAPS)
  const seen: boolean[] = []
  const { unsubscribe } = fake.directory.settings.subscribe(() => seen.push(maps().has('gym')))
  t.after(unsubscribe)

  const taken = await take(withContent({ maps: [gym] }))
  await mapsAreFiles()

  assert.equal(taken.status, 200, taken.body)
  assert.ok(maps().has('gym'))
  assert.ok(seen.length >= 2 && seen.every(Boolean), `${seen}`) // it came, and is a file
})

test('the export of a fresh device imports again and changes nothing', async (t) => {
  const { fresh, take, settings } = await device(t)
  const before = settings()

  const replaced = await take(fresh)
  const merged = await take(fresh, '?mode=merge')

  assert.equal(replaced.status, 200, replaced.body)
  assert.deepEqual(settings(), before)
  assert.deepEqual(actionsIn(replaced), { 'config config': 'same', 'robot robot': 'same' })
  assert.deepEqual(actionsIn(merged), actionsIn(replaced))
  assert.deepEqual([replaced.json.revision, replaced.json.dry_run, replaced.json.warnings], [0, false, []])
})

test('what one device exports another takes: config, maps, poses, the robot and sources', async (t) => {
  const one = await device(t)
  await one.fake.put({ id: 'front', source: { backend: 'synthetic' }, pose })
  one.files.maps.set('gym', gym)
  await one.ask('PUT', 'config', { map_id: 'gym', streams: ['front'], round_wait_ms: 25 })
  await one.ask('PUT', 'external/sources/quest', source)
  const profile = await one.exported()
  const two = await device(t)
  await two.fake.put({ id: 'front', source: { backend: 'synthetic' } })

  const taken = await two.take(profile)
  await two.mapsAreFiles()
  const again = await two.exported()

  assert.equal(taken.status, 200, taken.body)
  assert.deepEqual(actionsIn(taken), {
    'map gym': 'added',
    'config config': 'replaced',
    'source quest': 'added',
    'robot robot': 'same',
    'pose stream-front': 'added',
  })
  assert.deepEqual(taken.json.config, profile.content.config)
  assert.deepEqual(again.content, profile.content)
  assert.equal(again.sha256, profile.sha256)
  assert.deepEqual(two.files.maps.get('gym'), gym)
})

test('nothing of a profile that is refused is stored, and it is said where it is wrong', async (t) => {
  const { fresh, withContent, take, settings } = await device(t)
  const before = settings()
  const camera = { camera_uid: 'stream-front', stream_id: 'front', name: 'Front', pose, lens: null }
  const rig = { robot: {}, cameras: [camera, camera] }
  const refused = async (body: unknown) => pointersOf(await take(body))

  assert.deepEqual(await refused({ ...fresh, version: 2 }), ['/version'])
  assert.deepEqual(await refused({ ...fresh, format: 'other' }), ['/format'])
  assert.deepEqual(await refused({ ...fresh, sha256: '0'.repeat(64) }), ['/sha256'])
  assert.deepEqual(await refused({ ...withContent({ maps: [gym] }), sha256: fresh.sha256 }), ['/sha256'])
  assert.deepEqual(await refused({ ...fresh, nonsense: 1 }), ['/nonsense'])
  assert.deepEqual(await refused(withContent({ nonsense: 1 })), ['/content/nonsense'])
  assert.deepEqual(await refused(withContent({ config: { map_id: 'mars' } })), ['/content/config/map_id'])
  assert.deepEqual(await refused(withContent({ config: { round_wait_ms: 1 } })), ['/content/config/round_wait_ms'])
  assert.deepEqual(await refused(withContent({ maps: [gym, gym] })), ['/content/maps/1/id'])
  assert.deepEqual(await refused(withContent({ maps: [{ ...gym, tags: [] }] })), ['/content/maps/0/tags'])
  assert.deepEqual(await refused(withContent({ rig })), ['/content/rig/cameras/1/camera_uid'])
  const wrong = { id: 'quest', spec: { ...source, origin: 'own' } }
  assert.deepEqual(await refused(withContent({ sources: [wrong] })), ['/content/sources/0/spec/origin'])
  const many = Array.from({ length: 17 }, (_, n) => ({ id: `s${n}`, spec: source }))
  assert.deepEqual(await refused(withContent({ maps: [gym], sources: many })), ['/content/sources'])
  assertProblem(await take('{"format": "vedette-loc'), 'body.malformed')
  assert.deepEqual(settings(), before)
})

test('a map of another content under a taken id is refused with both hashes, replaced, or renamed', async (t) => {
  const { ask, withContent, take, files, mapsAreFiles } = await device(t)
  files.maps.set('gym', gym)
  const hashIn = async (id: string) => (await ask('GET', `maps/${id}`)).json.hash
  const here = await hashIn('gym')
  const profile = withContent({ maps: [otherGym], config: { map_id: 'gym' } })

  const refused = await take(profile)
  const renamed = await take(profile, '?on_conflict=rename')
  await mapsAreFiles()
  const kept = await hashIn('gym')
  const replaced = await take(profile, '?on_conflict=replace')
  await mapsAreFiles()

  const { errors = [] } = assertProblem(refused, 'localization.invalid')
  const other = await hashIn('gym')
  assert.deepEqual(errors[0]?.pointer, '/content/maps/0/id')
  assert.ok(errors[0]?.message.includes(here) && errors[0].message.includes(other))
  assert.deepEqual([renamed.json.config.map_id, kept], ['gym-2', here])
  assert.equal(await hashIn('gym-2'), other)
  assert.deepEqual([replaced.json.config.map_id, files.maps.get('gym')?.tags.length], ['gym', otherGym.tags.length])
  assert.notEqual(other, here)
})

test('a map that comes with the service is never replaced', async (t) => {
  const { withContent, take } = await device(t)
  const profile = withContent({ maps: [{ ...otherGym, id: 'demo' }] })

  assert.deepEqual(pointersOf(await take(profile, '?on_conflict=replace')), ['/content/maps/0/id'])
  assert.equal((await take(profile, '?on_conflict=rename')).json.done[0].id, 'demo-2')
})

test('a dry run tells what would be done, and stores nothing', async (t) => {
  const { withContent, take, settings } = await device(t)
  const before = settings()
  const profile = withContent({ maps: [gym], config: { map_id: 'gym' }, sources: [{ id: 'quest', spec: source }] })

  const dry = await take(profile, '?dry_run=true')

  assert.deepEqual([dry.status, dry.json.dry_run, dry.json.revision], [200, true, 0])
  assert.equal(dry.json.config.map_id, 'gym')
  assert.deepEqual(actionsIn(dry), actionsIn(await take(profile)))
  assert.notDeepEqual(settings(), before)
})

test('replacing removes sources that are not in it, merging keeps them and the tags that are ignored', async (t) => {
  const { ask, withContent, take } = await device(t)
  await ask('PUT', 'external/sources/old', source)
  await ask('PUT', 'config', { ignored: [{ tag_id: 3, why: 'loose' }] })
  const profile = withContent({
    config: { ignored: [{ tag_id: 4, why: 'hidden' }] },
    sources: [{ id: 'quest', spec: source }],
  })
  const ids = async () => (await ask('GET', 'external/sources')).json.items.map(({ id }: { id: string }) => id)
  const ignored = (reply: Reply) => reply.json.config.ignored.map(({ tag_id }: { tag_id: number }) => tag_id)

  const merged = await take(profile, '?mode=merge')
  const afterMerge = await ids()
  const replaced = await take(profile)

  assert.deepEqual(
    [ignored(merged), afterMerge],
    [
      [4, 3],
      ['old', 'quest'],
    ],
  )
  assert.deepEqual([ignored(replaced), await ids()], [[4], ['quest']])
  assert.equal(actionsIn(replaced)['source old'], 'removed')
})

test('the pose of a camera that is not here waits for a stream that has it', async (t) => {
  const { fake, withContent, take } = await device(t)
  const camera = { camera_uid: 'stream-side', stream_id: 'side', name: 'Side', pose, lens: null }

  const taken = await take(withContent({ rig: { robot: {}, cameras: [camera] } }))
  await fake.put({ id: 'side', source: { backend: 'synthetic' } })
  await until('the pose', () => fake.streams.get('side')?.manifest.pose)

  assert.equal(actionsIn(taken)['pose stream-side'], 'pending')
  assert.match(taken.json.warnings[0], /stream-side.*is not here/)
  assert.deepEqual(fake.streams.get('side')?.manifest.pose, pose)
  await until('that nothing waits', () => {
    const { pending_poses } = fake.directory.settings.getSnapshot().context.documents
    return Object.keys(pending_poses ?? {}).length === 0
  })
})

test('a profile that was stored by the first service that knew them is still taken', async (t) => {
  const { take } = await device(t)
  const stored = readFileSync(join(import.meta.dirname, '../../support/localization/profile-1.json'), 'utf8')

  const taken = await take(stored)

  assert.equal(taken.status, 200, taken.body)
  assert.equal(taken.json.config.map_id, 'gym')
})

test('with a disk that is full nothing of it is stored', async (t) => {
  const { fake, withContent, take, settings } = await device(t)
  const before = settings()
  fake.documents.fault = { code: 'storage.full', detail: 'no room is left' }

  assertProblem(await take(withContent({ maps: [gym], config: { map_id: 'gym' } })), 'storage.full')
  assert.deepEqual(settings(), before)
})
