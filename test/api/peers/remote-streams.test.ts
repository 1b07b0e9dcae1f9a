// The streams of peers beside those of this device.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FakePeerWire } from '../../../native/peers/fake.ts'
import { PEER_WIRE } from '../../../native/peers/port.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { fakeApi } from '../../support/api.ts'
import { nativeDevice, ORIGIN, remoteStream } from '../../support/peers.ts'
import { until } from '../../support/until.ts'

test('streams of peers are listed for who asks for them, with whose they are and how sure that is; nothing runs here', async (t) => {
  const wire = new FakePeerWire()
  const { app, fake } = await fakeApi(t, {}, { ports: [value(PEER_WIRE, wire)] })
  const native = nativeDevice(wire)
  const ask = async (method: 'GET' | 'POST', url: string, payload?: object) =>
    (await app.inject({ method, url, headers: { host: 'localhost' }, ...(payload && { payload }) })).json()
  const remote = async () => (await ask('GET', '/v1/streams?include=remote')).remote
  await ask('POST', '/v1/peers', { base_url: ORIGIN })
  await until('its streams', remote, (streams) => streams.length === 1 && !streams[0].origin.stale)

  const [stream] = await remote()
  const without = await ask('GET', '/v1/streams')

  assert.deepEqual(stream, {
    ...remoteStream(),
    origin: { peer_id: 'back', revision: 3, stale: false },
    compute: 'proxy',
    authority: 'source',
  })
  assert.equal('remote' in without, false)
  assert.deepEqual([without.items, fake.streams.all()], [[], []])
  native.device.sockets[0]?.drop()
  await until('an old one', remote, ([{ origin }]) => origin.stale)
})
