// The streams of peers beside those of this device.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FakePeerWire } from '../../../native/peers/fake.ts'
import { PEER_WIRE } from '../../../native/peers/port.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { fakeApi } from '../../support/api/api.ts'
import { nativeDevice, ORIGIN, remoteStream } from '../../support/peers/peers.ts'
import { until } from '../../support/until.ts'

test('streams of peers are listed on request, with their owner and how sure that is; nothing runs here', async (t) => {
  const wire = new FakePeerWire()
  const { app, fake } = await fakeApi(t, {}, { ports: [value(PEER_WIRE, wire)] })
  const native = nativeDevice(wire)
  const ask = async (method: 'GET' | 'POST', url: string, payload?: object) =>
    (await app.inject({ method, url, headers: { host: 'localhost' }, ...(payload && { payload }) })).json()
  const all = async (query = '') => ask('GET', `/v1/streams?include=remote${query}`)
  const remote = async () => (await all()).items.filter(({ origin }: { readonly origin?: object }) => origin)
  await fake.put({ id: 'front', source: { backend: 'synthetic' } })
  await ask('POST', '/v1/peers', { base_url: ORIGIN })
  await until('its streams', remote, (streams) => streams.length === 1 && !streams[0].origin.stale)

  const [stream] = await remote()
  const without = await ask('GET', '/v1/streams')

  const { alias, status: state, width_px, height_px, fps, revision, id, ...known } = remoteStream()
  assert.deepEqual(stream, {
    id: 'back:front',
    revision,
    spec: { id, alias },
    status: { state, width_px, height_px, fps },
    ...known,
    origin: { peer_id: 'back', revision: 3, stale: false },
    compute: 'proxy',
    authority: 'source',
  })
  const ids = ({ items }: { readonly items: readonly { readonly id: string }[] }) => items.map((each) => each.id)
  assert.deepEqual(ids(await all()), ['front', 'back:front'], 'the same id on both devices, and one list')
  const first = await all('&limit=1')
  assert.deepEqual([ids(first), ids(await all(`&cursor=${first.next_cursor}`))], [['front'], ['back:front']])
  assert.deepEqual([ids(without), fake.streams.all().length], [['front'], 1])
  native.device.sockets[0]?.drop()
  await until('an old one', remote, ([{ origin }]) => origin.stale)
})
