// Where the pictures of a stream of a peer are worked on: said here, carried out here, and never sent on.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { PEER_REGISTRY } from '../../../actors/peers/tokens.ts'
import type { StreamCapture } from '../../../machines/interdevice/capture.ts'
import { defaultGraph, type GraphDocument } from '../../../machines/pipeline/graph.ts'
import { planGraph } from '../../../machines/pipeline/plan.ts'
import { FakePeerWire, jsonAnswer } from '../../../native/peers/fake.ts'
import { PEER_WIRE, type PeerAnswer, type PeerWire } from '../../../native/peers/port.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { type ApiChanges, assertProblem, fakeApi } from '../../support/api/api.ts'
import { nativeDevice, ORIGIN, obedient } from '../../support/peers/peers.ts'
import type { FakeService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const FRONT = '/v1/peers/back/streams/front'
const HERE = 'back-front'
const MOUNT = { x_m: 0.3, y_m: 0, z_m: 0.5, roll_deg: 0, pitch_deg: -10, yaw_deg: 0 }

/** As a device has it stored. */
const wholeGraph = (graph: GraphDocument) => {
  const planned = planGraph(graph)
  if (!planned.ok) throw new Error(planned.why)
  return planned.graph
}

const capture: StreamCapture = {
  revision: 3,
  is_live: true,
  alias: 'Front',
  fps: 15,
  intrinsics: null,
  pose: MOUNT,
  map_id: 'demo',
  pipeline: wholeGraph(defaultGraph),
}
const script = { id: 'own', type: 'script', params: {} }
const withScript = wholeGraph({ ...defaultGraph, nodes: [...defaultGraph.nodes, script] } as GraphDocument)

/** A device with a stream `front`, and an API that knows it. it: what the device says of how its pictures are taken. */
const withPeer = async (t: TestContext, changes: ApiChanges = {}) => {
  const wire = new FakePeerWire()
  const { app, fake } = await fakeApi(
    t,
    { verifyToken: (token) => token === 'good', ...changes },
    { ports: [value(PEER_WIRE, wire)] },
  )
  const native = nativeDevice(wire)
  obedient(native.device)
  const others = native.device.answer
  const it: { says: PeerAnswer } = { says: jsonAnswer(200, capture) }
  native.device.answer = (request, target) =>
    request.path === '/v1/interdevice/streams/front/capture' ? it.says : others(request, target)
  const send = async (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object, token?: string) => {
    const headers = { host: 'localhost', ...(token !== undefined && { authorization: `Bearer ${token}` }) }
    const response = await app.inject({ method, url, headers, ...(payload && { payload }) })
    const contentType = response.headers['content-type'] as string
    return { status: response.statusCode, body: response.body, contentType, json: () => response.json() }
  }
  await send('POST', '/v1/peers', { base_url: ORIGIN }, 'good')
  const peer = async () => (await send('GET', '/v1/peers/back')).json()
  await until('the link', peer, ({ status }) => status === 'linked')
  const set = (payload: object, more: object = {}) =>
    send('POST', `${FRONT}/commands`, {
      request_id: 'some',
      command: 'set_compute',
      payload,
      ...more,
    })
  const streams = async () => (await send('GET', '/v1/streams')).json().items
  const remote = async () => (await peer()).streams[0]
  return { fake, native, it, wire, send, set, streams, remote }
}

const asked = ({ device }: { readonly device: { readonly requests: readonly { readonly method: string }[] } }) =>
  device.requests.filter(({ method }) => method !== 'GET')

test('the new stream has the pipeline, lens and pose of its source, and is marked as attached', async (t) => {
  const { native, set, streams, remote } = await withPeer(t)

  const { status, body } = await set({ compute: 'local_attach' })
  const [stream] = await streams()

  assert.equal(status, 200, body)
  const { accepted, new_revision, result } = JSON.parse(body)
  assert.deepEqual([accepted, new_revision, result], [true, 3, { compute: 'local_attach', local_stream_id: HERE }])
  const { id, alias, source, pose, map_id, pipeline, extcam } = stream.spec
  assert.equal(extcam.table, 'limelight-back-front', 'not the one that the peer may publish on the same robot')
  assert.deepEqual([id, alias, map_id], [HERE, 'Front (Back)', 'demo'])
  assert.deepEqual(source, { backend: 'peer', peer_id: 'back', stream_id: 'front', fps: 15 })
  assert.deepEqual([pose, pipeline.outputs], [MOUNT, defaultGraph.outputs])
  const { compute, authority, local_stream_id } = await remote()
  assert.deepEqual([compute, authority, local_stream_id], ['local_attach', 'local', HERE])
  assert.deepEqual(asked(native), [], 'nothing was asked of the device but to say something')
})

test('what a newer device says beyond what is known here is left out', async (t) => {
  const { it, set, streams } = await withPeer(t)
  const lens = { width_px: 640, height_px: 480, fx_px: 600, fy_px: 600, cx_px: 320, cy_px: 240, distortion: [] }
  const more = { more: 'of a newer version' }
  it.says = jsonAnswer(200, { ...capture, ...more, intrinsics: { ...lens, ...more }, pose: { ...MOUNT, ...more } })

  const { status, body } = await set({ compute: 'local_attach' })
  const [stream] = await streams()

  assert.equal(status, 200, body)
  assert.deepEqual([stream.spec.intrinsics, stream.spec.pose], [lens, MOUNT])
})

test('a repeat is answered as the first, and carried out once; the key belongs to one order', async (t) => {
  const { set, streams } = await withPeer(t)

  const first = await set({ compute: 'local_attach' }, { request_id: 'one' })
  const repeat = await set({ compute: 'local_attach' }, { request_id: 'one' })
  const reused = await set({ compute: 'proxy' }, { request_id: 'one' })
  const again = await set({ compute: 'local_attach' }, { request_id: 'two' })

  assert.equal(repeat.body, first.body)
  assertProblem(reused, 'request_id.reused')
  assert.deepEqual([again.status, again.json().result], [200, first.json().result])
  assert.equal((await streams()).length, 1)
})

test('of two who want it here at once, both are told of the one stream that is made', async (t) => {
  const { set, streams, wire } = await withPeer(t)
  const { ask } = wire
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
  const waiting = gates.map(({ promise }) => promise)
  Object.assign(wire, {
    ask: ((target, request, connected) =>
      request.path.endsWith('/capture')
        ? Effect.andThen(
            Effect.promise(() => waiting.shift() ?? Promise.resolve()),
            ask(target, request, connected),
          )
        : ask(target, request, connected)) satisfies PeerWire['ask'],
  })

  const both = [
    set({ compute: 'local_attach' }, { request_id: 'one' }),
    set({ compute: 'local_attach' }, { request_id: 'two' }),
  ]
  await until(
    'both questions',
    async () => waiting.length,
    (left) => left === 0,
  )
  gates[0].resolve()
  const first = await Promise.race(both)
  gates[1].resolve()
  const answers = await Promise.all(both)

  assert.deepEqual(first.json().result, { compute: 'local_attach', local_stream_id: HERE })
  assert.deepEqual(
    answers.map((each) => each.json().result),
    [first.json().result, first.json().result],
  )
  assert.equal((await streams()).length, 1)
})

/** Lets the disk wait until so many orders have been given to the settings. */
const withOrdersAtOnce = async <Answers>(fake: FakeService, count: number, ask: () => Promise<Answers>) => {
  const gate = Promise.withResolvers<void>()
  const settings = fake.directory.actor('settings') ?? assert.fail('there are no settings')
  const { send } = settings
  let orders = 0
  settings.send = (event) => {
    send(event)
    if ('ask' in event) orders += 1
    if (orders === count) gate.resolve()
  }
  fake.documents.disk = Effect.promise(() => gate.promise)
  const answers = await ask()
  settings.send = send
  return answers
}

test('of many who want the same at the same moment, all are told that it is so', async (t) => {
  const { fake, set, streams } = await withPeer(t)
  const all = (compute: string) => {
    const ids = [1, 2, 3, 4].map((n) => `${compute}-${n}`)
    const ask = () => Promise.all(ids.map((request_id) => set({ compute }, { request_id })))
    return withOrdersAtOnce(fake, ids.length, ask)
  }

  const attached = await all('local_attach')
  const there = await streams()
  const detached = await all('proxy')

  for (const { status, body } of attached)
    assert.deepEqual([status, JSON.parse(body).result], [200, { compute: 'local_attach', local_stream_id: HERE }])
  assert.equal(there.length, 1)
  for (const { status, body } of detached)
    assert.deepEqual([status, JSON.parse(body).result], [200, { compute: 'proxy' }])
  assert.deepEqual(await streams(), [])
})

test('everybody hears when the pictures of a stream are worked on elsewhere, and finds it so', async (t) => {
  const { fake, set } = await withPeer(t)
  const peer = fake.resolve(PEER_REGISTRY).get('back')
  const heard: unknown[] = []
  fake.directory.events.subscribe(({ kind, resource_ref }) => {
    if (kind === 'peer_inventory' && 'peer_id' in resource_ref && resource_ref.peer_id === 'back')
      heard.push(peer?.streams().map(({ compute, local_stream_id }) => [compute, local_stream_id])[0])
  })

  await set({ compute: 'local_attach' }, { request_id: 'one' })
  await set({ compute: 'proxy' }, { request_id: 'two' })
  await until('the end of it', () => peer?.streams()[0]?.compute === 'proxy')

  assert.deepEqual(heard, [
    ['local_attach', HERE],
    ['local_attach', undefined],
    ['proxy', undefined],
  ])
})

test('it is undone by the same command or by deleting the stream; other streams stay as they are', async (t) => {
  const { send, set, streams, remote } = await withPeer(t)

  const none = await set({ compute: 'proxy' }, { request_id: 'none' })
  await set({ compute: 'local_attach' }, { request_id: 'one' })
  const back = await set({ compute: 'proxy' }, { request_id: 'two' })
  await until('the source as owner', remote, ({ authority }) => authority === 'source')
  const empty = await streams()
  await set({ compute: 'local_attach' }, { request_id: 'three' })
  const deleted = await send('DELETE', `/v1/streams/${HERE}`)
  const released = await until('the source as owner again', remote, ({ authority }) => authority === 'source')

  for (const answer of [none, back])
    assert.deepEqual([answer.status, answer.json().result], [200, { compute: 'proxy' }])
  assert.equal(deleted.status, 204)
  assert.deepEqual([empty, await streams()], [[], []])
  assert.deepEqual([released.compute, released.local_stream_id], ['proxy', undefined])
})

test('what makes no sense, is stale, or cannot be known is refused, and nothing is made', async (t) => {
  const { it, native, send, set, streams } = await withPeer(t)
  const local = { compute: 'local_attach' }

  const senseless = await set({ compute: 'elsewhere' })
  const stale = await set(local, { request_id: 'a', expected_revision: 2 })
  const elsewhere = await send('POST', '/v1/peers/back/streams/side/commands', {
    request_id: 'b',
    command: 'set_compute',
    payload: local,
  })
  const stranger = await send('POST', '/v1/peers/other/streams/side/commands', {
    request_id: 'c',
    command: 'set_compute',
    payload: { compute: 'proxy' },
  })
  it.says = jsonAnswer(200, { ...capture, map_id: 'mars' })
  const otherField = await set(local, { request_id: 'd' })
  it.says = jsonAnswer(200, { ...capture, pipeline: 'none' })
  const garbage = await set(local, { request_id: 'e' })
  it.says = jsonAnswer(404, {})
  const older = await set(local, { request_id: 'f' })
  native.device.answer = () => ({ code: 'peer.unreachable', detail: 'nothing answers' })
  const away = await set(local, { request_id: 'g' })

  assert.equal(assertProblem(senseless, 'body.invalid').errors?.[0]?.pointer, '/payload/compute')
  assertProblem(stale, 'revision.stale')
  assertProblem(elsewhere, 'stream.not_found')
  assertProblem(stranger, 'peer.not_found')
  assert.equal(assertProblem(otherField, 'manifest.invalid').errors?.[0]?.pointer, '/map_id')
  for (const answer of [garbage, older]) assertProblem(answer, 'peer.bad_answer')
  assertProblem(away, 'peer.unreachable')
  assert.equal(JSON.parse(away.body).accepted, false)
  assert.deepEqual(await streams(), [])
})

test('however a stream is called there, it has a name here that people can read', async (t) => {
  const { it, set, streams } = await withPeer(t)
  const aliases: string[] = []

  for (const [n, alias] of [`${'x'.repeat(59)}\u{1f916}`, 'x'.repeat(120), '\u202e\u0007'].entries()) {
    it.says = jsonAnswer(200, { ...capture, alias })
    const { status, body } = await set({ compute: 'local_attach' }, { request_id: `to-${n}` })
    assert.equal(status, 200, body)
    aliases.push((await streams())[0].spec.alias)
    await set({ compute: 'proxy' }, { request_id: `back-${n}` })
  }

  assert.deepEqual(aliases, [`${'x'.repeat(59)}\u{1f916}`, 'x'.repeat(60), HERE])
})

test('a pipeline with a script takes an administrator, as everywhere', async (t) => {
  const { it, set, send, streams } = await withPeer(t, { profile: 'field' })
  it.says = jsonAnswer(200, { ...capture, pipeline: withScript })
  const payload = { compute: 'local_attach' }

  const refused = await set(payload, { request_id: 'one' })
  const before = await streams()
  const body = { request_id: 'two', command: 'set_compute', payload }
  const allowed = await send('POST', `${FRONT}/commands`, body, 'good')

  assertProblem(refused, 'token.required')
  assert.deepEqual(before, [])
  assert.equal(allowed.status, 200, allowed.body)
})

test('a full disk refuses both ways, and what was in force stays', async (t) => {
  const { fake, set, streams, remote } = await withPeer(t)
  const full = { code: 'storage.full', detail: 'there is no room left' } as const

  fake.documents.fault = full
  const attaching = await set({ compute: 'local_attach' }, { request_id: 'one' })
  const before = await streams()
  fake.documents.fault = null
  await set({ compute: 'local_attach' }, { request_id: 'two' })
  fake.documents.fault = full
  const detaching = await set({ compute: 'proxy' }, { request_id: 'three' })

  for (const answer of [attaching, detaching]) assertProblem(answer, 'storage.full')
  assert.deepEqual([before.length, (await streams()).length, (await remote()).authority], [0, 1, 'local'])
})

test('of an order that nobody was heard of again it is not said that it was refused', async (t) => {
  const { fake, set } = await withPeer(t)
  fake.documents.disk = Effect.never

  const answer = await set({ compute: 'local_attach' })

  const { accepted, error } = answer.json()
  assertProblem(answer, 'actor.timeout')
  assert.deepEqual([accepted, error], [undefined, undefined])
})

test('nobody makes such a stream by sending its source, and no other device is shown it', async (t) => {
  const { send, set } = await withPeer(t)
  const source = { backend: 'peer', peer_id: 'back', stream_id: 'front', fps: 15 }

  const sent = await send('POST', '/v1/streams', { id: 'own', source })
  await set({ compute: 'local_attach' })
  const { streams, rig } = (await send('GET', '/v1/interdevice/resources')).json()
  const passedOn = await send('GET', `/v1/interdevice/streams/${HERE}/capture`)

  assertProblem(sent, 'manifest.invalid')
  assert.deepEqual([streams, rig], [[], []])
  assertProblem(passedOn, 'stream.not_found')
})
