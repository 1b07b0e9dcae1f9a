// A peer over real sockets: linked, lost, back, exchanged for another, and forgotten.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { PeerRecord } from '../../machines/peers/peer-record.ts'
import { PEER_WIRE } from '../../native/peers/port.ts'
import { socketWire } from '../../native/peers/wire.ts'
import { value } from '../../supervisors/composition/container.ts'
import { fakeApi } from '../support/api/api.ts'
import { PeerDevice } from '../support/peers/peer-device.ts'
import { deviceCertificate, pinOf } from '../support/peers/peer-server.ts'
import { inventoryOf, remoteStream } from '../support/peers/peers.ts'
import { until } from '../support/until.ts'

const TOKEN = 'a-token-of-the-pair'
const CHANGED = { revision: 4, data: { deleted: false } }

const linkedTo = async (t: TestContext) => {
  const certificate = await deviceCertificate()
  const device = new PeerDevice(t, certificate)
  await device.start()
  const { app, fake } = await fakeApi(t, {}, { ports: [value(PEER_WIRE, socketWire())] })
  const send = async (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) => {
    const response = await app.inject({ method, url, headers: { host: 'localhost' }, ...(payload && { payload }) })
    return { status: response.statusCode, body: response.body === '' ? undefined : response.json() }
  }
  const record = async (): Promise<PeerRecord> => (await send('GET', '/v1/peers/back')).body
  const state = (wanted: string) => until(`a link that is ${wanted}`, record, ({ status }) => status === wanted)
  const told: string[] = []
  fake.directory.events.subscribe(({ kind, resource_ref }) => told.push(`${kind} ${JSON.stringify(resource_ref)}`))
  const registration = { base_url: device.origin, name: 'Back', fingerprint: pinOf(certificate), token: TOKEN }
  assert.equal((await send('POST', '/v1/peers', registration)).status, 201)
  await state('linked')
  return { device, send, record, state, told }
}

test('a device whose plug is pulled is found again, and what it told meanwhile is told here', async (t) => {
  const { device, record, state, told } = await linkedTo(t)
  assert.ok(
    device.asked.every((each) => each.endsWith(`Bearer ${TOKEN}`)),
    device.asked.join('\n'),
  )
  device.tell('stream_changed', { stream_id: 'front' }, CHANGED)
  const event = 'stream_changed {"stream_id":"front","peer_id":"back"}'
  await until('the event', () => told.includes(event))

  device.stop()
  await state('backing-off')
  assert.equal((await record()).streams[0]?.origin.stale, true)
  device.inventory = inventoryOf({ seq: 2, streams: [remoteStream({ alias: 'Renamed' })] })
  device.tell('stream_changed', { stream_id: 'front' }, CHANGED)
  await device.start()
  const back = await state('linked')

  assert.equal(back.streams[0]?.alias, 'Renamed')
  await until('the event that was missed', () => told.filter((each) => each === event).length === 2)
  assert.ok(device.asked.some((each) => each.includes('/v1/interdevice/events?since=1&epoch=first')))
})

test('another device at the same address gets nothing of what belongs to the first', async (t) => {
  const { device, record, state } = await linkedTo(t)

  device.stop()
  await state('backing-off')
  device.asked.length = 0
  await device.start(await deviceCertificate())
  await state('refused')

  assert.equal((await record()).fault?.code, 'peer.wrong_certificate')
  assert.deepEqual(device.asked, [])
})

test('an order reaches the device, and its answer comes back; of a device that is away nothing was done', async (t) => {
  const { device, send, state } = await linkedTo(t)
  const heard: unknown[] = []
  device.answer = (request, body, response) => {
    heard.push([request.method, request.url, JSON.parse(body)])
    response
      .writeHead(200, { 'content-type': 'application/json', etag: '"4"' })
      .end('{"accepted":true,"new_revision":4,"applied_at_ms":7}')
  }
  const order = { request_id: 'one', command: 'set_control', payload: { control_id: 1, value: 2 } }
  const url = '/v1/peers/back/streams/front/commands'

  const answered = await send('POST', url, order)
  device.stop()
  await state('backing-off')
  const away = await send('POST', url, order)

  assert.deepEqual(answered, { status: 200, body: { accepted: true, new_revision: 4, applied_at_ms: 7 } })
  assert.deepEqual(heard, [['POST', '/v1/interdevice/streams/front/commands', order]])
  assert.deepEqual([away.status, away.body.code], [502, 'peer.unreachable'])
})

test('a device that dies in the middle of an order leaves it open whether that was carried out', async (t) => {
  const { device, send } = await linkedTo(t)
  device.answer = (request) => request.socket.destroy()

  const { status, body } = await send('POST', '/v1/peers/back/streams/front/commands', {
    request_id: 'one',
    command: 'snapshot',
  })

  assert.deepEqual([status, body.code], [504, 'peer.too_slow'])
})

test('a peer that is deleted is left at once, connections and all', async (t) => {
  const { device, send } = await linkedTo(t)

  assert.equal((await send('DELETE', '/v1/peers/back')).status, 200)

  await until('no connection', () => device.connections === 0)
})
