// Devices that lie, over real sockets: what they say counts for nothing beyond what it can be, and what was known
// before is said to be old.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import { PEER_REGISTRY } from '../../actors/peers/tokens.ts'
import type { PeerHealth } from '../../machines/peers/peer-health.ts'
import type { PeerRecord } from '../../machines/peers/peer-record.ts'
import { PEER_WIRE } from '../../native/peers/port.ts'
import { socketWire } from '../../native/peers/wire.ts'
import { value } from '../../supervisors/composition/container.ts'
import { fakeApi } from '../support/api/api.ts'
import { PeerDevice } from '../support/peers/peer-device.ts'
import { deviceCertificate, pinOf } from '../support/peers/peer-server.ts'
import { DEVICE_ID, inventoryOf, OTHER_ID, remoteStream } from '../support/peers/peers.ts'
import { until } from '../support/until.ts'

const CHANGED = { revision: 4, data: { deleted: false } }
const FRONT = { stream_id: 'front' }
// more than 1 MiB, and each of them as it should be
const MANY = Array.from({ length: 10_000 }, (_, n) => remoteStream({ id: `front-${n}` }))

const linkedTo = async (t: TestContext) => {
  const device = new PeerDevice(t)
  await device.start()
  const { app, fake } = await fakeApi(t, {}, { ports: [value(PEER_WIRE, socketWire())] })
  const send = async (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) => {
    const response = await app.inject({ method, url, headers: { host: 'localhost' }, ...(payload && { payload }) })
    return { status: response.statusCode, body: response.json() }
  }
  const record = async (): Promise<PeerRecord> => (await send('GET', '/v1/peers/back')).body
  const state = (wanted: string) => until(`a link that is ${wanted}`, record, ({ status }) => status === wanted)
  const told: (number | null)[] = []
  const health: PeerHealth[] = []
  fake.directory.events.subscribe(({ kind, revision, data }) => {
    if (kind === 'stream_changed') told.push(revision)
    if (kind === 'peer_health') health.push(data as PeerHealth)
  })
  /** The fault with which the link was lost the last time; waits until there is a link again. */
  const lost = async () => {
    const found = await until('a lost link', () => health.findLast(({ status }) => status === 'backing-off'))
    await until('a link after it', () => health.at(-1)?.status === 'linked')
    return found?.fault
  }
  assert.equal((await send('POST', '/v1/peers', { base_url: device.origin, name: 'Back' })).status, 201)
  await state('linked')
  const restarts = () => fake.resolve(PEER_REGISTRY).get('back')?.child?.status()?.restarts
  return { device, send, record, state, told, lost, restarts, clock: fake.clock }
}

const MAX_TAKEN_BYTES = 24 * 1024 * 1024 // 8 MiB are the most that is taken of anything; the kernel holds some more
let endlessBytes = 0

/** Writes for as long as anybody listens. */
const endless = (response: ServerResponse): void => {
  const chunk = ' '.repeat(16_384)
  endlessBytes = 0
  const write = (): void => {
    for (let isTaken = true; isTaken && !response.destroyed; endlessBytes += chunk.length)
      isTaken = response.write(chunk)
  }
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .on('drain', write)
    .on('error', () => {})
  write()
}

for (const [what, inventory] of [
  ['is huge', (response: ServerResponse) => response.end(JSON.stringify(inventoryOf({ seq: 1, streams: MANY })))],
  ['has no end', endless],
  ['is that of another device', inventoryOf({ seq: 1, device_id: OTHER_ID })],
  ['has a revision that is none', inventoryOf({ seq: 1, streams: [remoteStream({ revision: -4 })] })],
] as const)
  test(`of an inventory that ${what} nothing is taken; the one before is shown, and said to be old`, async (t) => {
    const { device, record } = await linkedTo(t)
    const before = await record()

    device.inventory = inventory
    device.tell('stream_changed', FRONT, CHANGED)
    const lied = await until('the complaint', record, ({ fault }) => fault?.code === 'peer.bad_answer')
    device.inventory = inventoryOf({ seq: 1, streams: [remoteStream({ revision: 4 })] })
    const after = await until('the truth', record, ({ stale }) => !stale)

    assert.deepEqual([lied.stale, lied.synced_at_ms], [true, before.synced_at_ms])
    assert.deepEqual(
      lied.streams.map(({ origin }) => origin),
      [{ peer_id: 'back', revision: 3, stale: true }],
    )
    assert.deepEqual([after.fault, after.streams[0]?.revision], [null, 4])
    await until('no connection but that of the events', () => device.connections === 1)
    assert.ok(endlessBytes < MAX_TAKEN_BYTES, `${endlessBytes} bytes were taken`)
  })

test('who greets as another device than before is refused, and what was known stays that of the first', async (t) => {
  const { device, state } = await linkedTo(t)

  device.stop()
  await state('backing-off')
  device.deviceId = OTHER_ID
  device.inventory = inventoryOf({ device_id: OTHER_ID, streams: [] })
  await device.start()
  const { fault, device_id, stale, streams } = await state('refused')

  assert.deepEqual([fault?.code, device_id, stale, streams.length], ['peer.other_device', DEVICE_ID, true, 1])
})

test('who says without a certificate that he is a peer which has one does not become it', async (t) => {
  const { send, record, state } = await linkedTo(t)
  const certificate = await deviceCertificate()
  const [honest, liar] = [new PeerDevice(t, certificate), new PeerDevice(t)]
  for (const each of [honest, liar]) {
    each.deviceId = OTHER_ID
    each.inventory = inventoryOf({ device_id: OTHER_ID })
    await each.start()
  }
  assert.equal((await send('DELETE', '/v1/peers/back')).status, 200)
  const pinned = { base_url: honest.origin, fingerprint: pinOf(certificate), name: 'Back' }
  assert.equal((await send('POST', '/v1/peers', pinned)).status, 201)
  await state('linked')

  const { status, body } = await send('POST', '/v1/peers', { base_url: liar.origin })

  assert.deepEqual([status, body.errors?.[0]?.pointer], [400, '/base_url'])
  assert.equal((await record()).base_url, honest.origin)
})

test('a revision that an answer does not have is not made up', async (t) => {
  const { device, send, record } = await linkedTo(t)
  const answers = ['-1', '"four"', '1e400', 'null', '4.5']
  const seen: unknown[] = []

  for (const revision of answers) {
    device.answer = (_, __, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(`{"accepted":true,"new_revision":${revision},"applied_at_ms":7}`)
    const order = { request_id: `with-${seen.length}`, command: 'snapshot' }
    const { status, body } = await send('POST', '/v1/peers/back/streams/front/commands', order)
    seen.push([status, body.code])
  }

  assert.deepEqual(
    seen,
    answers.map(() => [504, 'peer.too_slow']), // it may have been done
  )
  assert.equal((await record()).streams[0]?.revision, 3)
})

test('a picture without an end is ended here, and whoever asked for it is told', async (t) => {
  const { device, send } = await linkedTo(t)
  device.answer = (_, __, response) => endless(response)

  const { status, body } = await send('GET', '/v1/peers/back/streams/front/frame')

  assert.deepEqual([status, body.code], [502, 'peer.bad_answer'])
  await until('no connection but that of the events', () => device.connections === 1)
  assert.ok(endlessBytes < MAX_TAKEN_BYTES, `${endlessBytes} bytes were taken`)
})

test('an event that is nested as deep as it is long is none, and the link stays', async (t) => {
  const { device, record, told, restarts } = await linkedTo(t)
  const deep = '['.repeat(25_000) + ']'.repeat(25_000)
  const eventOf = (seq: number, kind: string, data: string, ref = '') =>
    `{"seq":${seq},"kind":"${kind}","resource_ref":{"stream_id":"front"${ref}},"revision":4,"data":${data}}`

  for (const socket of device.listeners) {
    socket.send(eventOf(1, 'stream_changed', deep))
    socket.send(eventOf(2, 'localization_source_changed', deep, ',"output_id":"pose"')) // which has no data
    socket.send(eventOf(3, 'stream_changed', '{"deleted":false}'))
  }
  await until('the event behind it', () => told.length === 1)

  assert.deepEqual([(await record()).status, restarts()], ['linked', 0])
})

/** How the numbers of a device lie for once. seq: of what it tells then. */
const LIES: Readonly<Record<string, (device: PeerDevice) => void>> = {
  'one event leaps as far as it can': (device) => sayOnce(device, Number.MAX_SAFE_INTEGER),
  'one event leaps by a million': (device) => {
    sayOnce(device, 1_000_000)
    device.tell('control_changed', {})
  },
  'the ring leaps': (device) => {
    const reset = { kind: 'reset', epoch: device.epoch, seq: Number.MAX_SAFE_INTEGER }
    for (const socket of device.listeners) socket.send(JSON.stringify(reset))
    device.tell('control_changed', {})
  },
}

const sayOnce = (device: PeerDevice, seq: number) => {
  const event = { seq, epoch: device.epoch, timestamp_ms: 1_000, kind: 'stream_changed', resource_ref: FRONT }
  for (const socket of device.listeners) socket.send(JSON.stringify({ ...event, ...CHANGED }))
}

for (const [what, lie] of Object.entries(LIES))
  test(`a peer that lies (${what}) loses its link, is back at once, and hears all that follows`, async (t) => {
    const { device, record, lost, told } = await linkedTo(t)
    device.tell('stream_changed', FRONT, CHANGED)
    await until('the event before it', () => told.length === 1)
    device.inventory = inventoryOf({ streams: [remoteStream({ revision: 5 })] })

    lie(device)
    const fault = await lost()
    device.inventory = inventoryOf({ seq: 9, streams: [remoteStream({ revision: 9 })] })
    device.tell('stream_changed', FRONT, { ...CHANGED, revision: 9 })
    await until('the event after it', () => told.at(-1) === 9)
    const after = await until('the truth', record, ({ stale }) => !stale)

    assert.equal(fault?.code, 'peer.bad_answer')
    assert.deepEqual([after.status, after.fault, after.streams[0]?.revision], ['linked', null, 9])
  })

test('a device that says of itself that it has told more than it has is heard from the next time on', async (t) => {
  const { device, send, told, lost } = await linkedTo(t)
  device.ahead = 1_000_000
  device.forgetEvents()
  for (const socket of device.listeners) socket.terminate()
  await lost()

  device.ahead = 0
  device.tell('stream_changed', FRONT, CHANGED)
  const fault = await until('the complaint', async () => {
    const found = await lost()
    return found?.code === 'peer.bad_answer' ? found : undefined
  })
  device.tell('stream_changed', FRONT, { ...CHANGED, revision: 8 })
  await until('an event', () => told.at(-1) === 8)

  assert.match(fault?.detail ?? '', /the numbers of events rise/)
  assert.match(JSON.stringify((await send('GET', '/v1/errors')).body), /the numbers of events rise/)
})

test('an event that is longer than any costs the link, which comes back', async (t) => {
  const { device, state } = await linkedTo(t)

  device.tell('stream_changed', FRONT, { ...CHANGED, more: 'x'.repeat(100_000) })
  const { stale } = await state('backing-off')

  assert.equal(stale, true)
  device.forgetEvents()
  await state('linked')
})

test('of a flood of events the newest is told, in their order, and it is no flood of readings', async (t) => {
  const EVENTS = 2_000
  const { device, record, told, clock } = await linkedTo(t)
  device.inventory = inventoryOf({ seq: EVENTS, streams: [remoteStream({ revision: EVENTS })] })

  for (let revision = 1; revision <= EVENTS; revision += 1)
    device.tell('stream_changed', FRONT, { ...CHANGED, revision })
  await until('the newest', () => {
    clock.advanceMs(100) // what may be told grows with time
    return told.at(-1) === EVENTS
  })
  const after = await until('the truth', record, ({ stale }) => !stale)

  assert.deepEqual(
    told,
    [...new Set(told)].toSorted((one, other) => Number(one) - Number(other)),
    'each once, in their order',
  )
  assert.ok(told.length < EVENTS / 2, `${told.length} were told`)
  assert.equal(after.streams[0]?.revision, EVENTS)
  const readings = device.asked.filter((each) => each.includes('/v1/interdevice/resources')).length
  assert.ok(readings < EVENTS / 20, `${readings} readings`)
})
