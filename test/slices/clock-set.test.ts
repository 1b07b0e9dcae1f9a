// A device that wakes up in 1970, since it has no battery for its clock, and is told the time while it works.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import { PEER_CANDIDATES } from '../../actors/discovery/tokens.ts'
import { REGISTER_PEER } from '../../actors/peers/tokens.ts'
import { Sessions } from '../../api/session/sessions.ts'
import { baseUrlOf } from '../../machines/discovery/base-url.ts'
import { isFault } from '../../machines/errors/fault.ts'
import { SESSION_MS } from '../../machines/http/session.ts'
import { FakeClock } from '../../native/clock/fake.ts'
import { MEDIA_STORE } from '../../native/media/port.ts'
import { FakePeerWire } from '../../native/peers/fake.ts'
import { PEER_WIRE } from '../../native/peers/port.ts'
import { value } from '../../supervisors/composition/container.ts'
import { RECORD } from '../../supervisors/composition/tokens.ts'
import { fakeApi } from '../support/api/api.ts'
import { jpegFile } from '../support/media/media-files.ts'
import { good } from '../support/media/media-store.ts'
import { nativeDevice, ORIGIN } from '../support/peers/peers.ts'
import { until } from '../support/until.ts'

const YEARS_MS = 1_767_225_600_000 // from 1970 to the first day of 2026, where a fake clock begins
const WHILE_MS = 42_000
const NOTHING_ELSE = { hello: null, fingerprint: null, fault: null }

const deviceOf1970 = async (t: TestContext) => {
  const clock = new FakeClock()
  clock.setBy(-YEARS_MS)
  const wire = new FakePeerWire()
  const api = await fakeApi(t, {}, { clock, ports: [value(PEER_WIRE, wire)] })
  const get = async (url: string) => (await api.app.inject({ url, headers: { host: 'localhost' } })).json()
  const { fake } = api
  await until('the media', () => fake.directory.actor('media')?.getSnapshot().matches('ready'))
  await fake.addStream({ id: 'front', source: { backend: 'synthetic' } })
  const store = fake.resolve(MEDIA_STORE)
  const began = async (name: string) => {
    const wish = {
      kind: 'picture',
      origin: 'snapshot',
      media_type: 'image/jpeg',
      name,
      captured_ms: clock.nowMs(),
    } as const
    const draft = good(await store.begin(wish))
    await writeFile(draft.path, jpegFile(64, 48))
    return draft
  }
  return { ...api, clock, wire, get, began, record: fake.resolve(RECORD) }
}

test('what was noted under the wrong clock is put right when the clock is', async (t) => {
  const { clock, get, began, record, fake } = await deviceOf1970(t)
  good(await (await began('whole')).complete({}))
  const writing = await began('writing')
  record({ code: 'camera.lost', resource: 'streams/front', detail: 'the camera is gone' })
  const before = await get('/v1/health')
  clock.advanceMs(WHILE_MS)

  clock.setBy(YEARS_MS)
  good(await writing.complete({}))
  const items = () => get('/v1/media')
  const { items: media } = await until('the media of 2026', items, ({ items }) =>
    items.every((item: { created_at_ms: number }) => item.created_at_ms > YEARS_MS / 2),
  )

  const { items: errors } = await get('/v1/errors')
  const health = await get('/v1/health')
  const { status } = await get('/v1/streams/front')
  for (const { name, created_at_ms, captured_at_ms } of media)
    assert.deepEqual([created_at_ms, captured_at_ms], [YEARS_MS, YEARS_MS], name)
  assert.equal(media.length, 2)
  assert.deepEqual([errors[0].first_at_ms, errors[0].last_at_ms], [YEARS_MS, YEARS_MS])
  assert.deepEqual([before.started_at_ms, health.started_at_ms], [0, YEARS_MS])
  assert.deepEqual([before.uptime_ms, health.uptime_ms], [0, WHILE_MS])
  assert.equal(status.since_ms, YEARS_MS)
  const { events } = fake.directory.events.since(0, fake.directory.events.epoch) as unknown as {
    events: { timestamp_ms: number }[]
  }
  assert.ok(events.length > 2 && events.every(({ timestamp_ms }) => timestamp_ms >= YEARS_MS))
})

test('when other devices were heard and found is put right with the clock', async (t) => {
  const { clock, wire, get, fake } = await deviceOf1970(t)
  const { device } = nativeDevice(wire)
  const registered = await fake.resolve(REGISTER_PEER)({ base_url: ORIGIN, name: 'Back' })
  assert.ok(!isFault(registered), JSON.stringify(registered))
  const peer = () => get('/v1/peers/back')
  await until('the link', peer, ({ status }) => status === 'linked')
  fake.resolve(PEER_CANDIDATES).seen(baseUrlOf('10.12.34.12', 80), { kind: 'legacy', ...NOTHING_ELSE })
  wire.devices.clear()
  for (const { drop } of device.sockets) drop()
  await until('its absence', peer, ({ status }) => status === 'backing-off')

  clock.setBy(YEARS_MS)

  const { synced_at_ms, health } = await peer()
  const { items } = await get('/v1/peers/candidates')
  for (const ms of [synced_at_ms, health.last_seen_ms, items[0].first_seen_ms, items[0].last_seen_ms])
    assert.ok(ms >= YEARS_MS, `${ms}`)
})

test('what is made after the clock was set is left alone', async (t) => {
  const { clock, get, began } = await deviceOf1970(t)
  good(await (await began('first')).complete({}))
  clock.setBy(YEARS_MS)
  const second = await began('second')
  good(await second.complete({}))
  clock.advanceMs(WHILE_MS)

  const times = async () => {
    const { items } = await get('/v1/media')
    return Object.fromEntries(
      items.map(({ name, created_at_ms }: { name: string; created_at_ms: number }) => [name, created_at_ms]),
    )
  }
  const settled = await until('both of 2026', times, (found) => found['first.jpg'] === YEARS_MS)

  assert.deepEqual(settled, { 'first.jpg': YEARS_MS, 'second.jpg': YEARS_MS })
})

test('how long the service has run does not depend on how its clock is set', async (t) => {
  const { clock, get } = await deviceOf1970(t)
  clock.advanceMs(WHILE_MS)
  for (const byMs of [YEARS_MS, -3_600_000, 0]) {
    clock.setBy(byMs)
    assert.equal((await get('/v1/health')).uptime_ms, WHILE_MS)
  }
})

test('who signed in under the wrong clock stays signed in for as long as others', () => {
  const clock = new FakeClock()
  clock.setBy(-YEARS_MS)
  const old = { hash: 'a'.repeat(64), token: 'good', opened_at_ms: 1, expires_at_ms: 2 * YEARS_MS }
  let kept: readonly object[] = [old]
  const keep = async (all: readonly object[]) => {
    kept = all
  }
  const sessions = new Sessions({ kept: [old], keep, token: 'good', nowMs: clock.nowMs })
  const opened = sessions.open()
  assert.ok(opened)

  clock.setBy(YEARS_MS)
  sessions.clockSet(YEARS_MS)

  assert.equal(sessions.find(opened.secret)?.expires_at_ms, YEARS_MS + SESSION_MS)
  assert.deepEqual(kept, [old, sessions.find(opened.secret)])
})
