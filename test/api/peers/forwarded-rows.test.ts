// Orders to the streams and cameras of a peer: passed on as they are, and answered as the peer does.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Fault } from '../../../machines/errors/fault.ts'
import { HELLO_PATH } from '../../../machines/peers/greeting.ts'
import { FakePeerWire, jsonAnswer } from '../../../native/peers/fake.ts'
import type { PeerAnswer, PeerRequest } from '../../../native/peers/port.ts'
import { PEER_WIRE } from '../../../native/peers/port.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { fakeApi } from '../../support/api/api.ts'
import { nativeDevice, ORIGIN, OTHER_ID, obedient } from '../../support/peers/peers.ts'
import { until } from '../../support/until.ts'

const ELSEWHERE = 'https://10.12.34.12:5801'
const COMMANDS = '/v1/peers/back/streams/front/commands'
const POSE = '/v1/peers/back/rig/cameras/stream-front/pose'
const command = { request_id: 'one', command: 'set_pose', payload: { x_m: 1 } }
const pose = { x_m: 1, y_m: 0, z_m: 0.5, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 }

const withPeer = async (t: TestContext) => {
  const wire = new FakePeerWire()
  const { app } = await fakeApi(t, {}, { ports: [value(PEER_WIRE, wire)] })
  const native = nativeDevice(wire)
  obedient(native.device)
  const send = async (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    payload?: object,
    headers: object = {},
  ) => {
    const response = await app.inject({
      method,
      url,
      headers: { host: 'localhost', ...headers },
      ...(payload && { payload }),
    })
    return { status: response.statusCode, headers: response.headers, text: response.body }
  }
  await send('POST', '/v1/peers', { base_url: ORIGIN })
  await until(
    'the link',
    async () => JSON.parse((await send('GET', '/v1/peers/back')).text).status,
    (status) => status === 'linked',
  )
  const { requests } = native.device
  /** What the peer answers from now on, to anything. */
  const answering = (answer: PeerAnswer | Fault) => {
    native.device.answer = () => answer
  }
  const last = (): PeerRequest => requests.at(-1) as PeerRequest
  return { wire, native, send, requests, answering, last }
}

test('a command goes to the peer with its key unchanged, each time, and its answer comes back', async (t) => {
  const { send, requests, last } = await withPeer(t)
  const before = requests.length

  const first = await send('POST', COMMANDS, { ...command, expected_revision: 3 }, { 'if-match': '"3"' })
  const repeat = await send('POST', COMMANDS, { ...command, expected_revision: 3 }, { 'if-match': '"3"' })

  assert.equal(first.status, 200, first.text)
  assert.deepEqual(JSON.parse(first.text), { accepted: true, applied_at_ms: 1_767_225_600_000, new_revision: 4 })
  assert.equal(first.headers.etag, '"4"')
  assert.equal(repeat.text, first.text)
  assert.equal(requests.length, before + 2, 'nothing is answered from a memory here')
  const { method, path, body, headers } = last()
  assert.deepEqual([method, path], ['POST', '/v1/interdevice/streams/front/commands'])
  assert.deepEqual(body, { ...command, expected_revision: 3 })
  assert.deepEqual(headers, { 'if-match': '"3"' })
})

test('a stream of a peer is reached by the id under which it is listed as by its own', async (t) => {
  const { send, requests, last } = await withPeer(t)
  const list = JSON.parse((await send('GET', '/v1/streams?include=remote')).text)
  const [{ id, origin }] = list.items
  const listed = `/v1/peers/${origin.peer_id}/streams/${id}`

  const answers = await Promise.all([
    send('GET', `${listed}/controls`),
    send('GET', `${listed}/pipeline/graph`),
    send('POST', `${listed}/commands`, command),
  ])
  const before = requests.length
  const other = await send('GET', `/v1/peers/back/streams/${encodeURIComponent('front:front')}/controls`)

  assert.equal(id, 'back:front')
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200],
    answers.map(({ text }) => text).join(),
  )
  assert.deepEqual([requests.length, last().path], [before + 1, '/v1/interdevice/streams/front%3Afront/controls'])
  assert.equal(other.status, 404, 'the peer named before the colon is another one')
})

test('who waits for an answer when the peer is deleted or moves is told at once what is known', async (t) => {
  for (const end of [
    { method: 'DELETE', url: '/v1/peers/back' },
    { method: 'POST', url: '/v1/peers' },
  ] as const) {
    const { wire, native, send, requests } = await withPeer(t)
    nativeDevice(wire, ELSEWHERE)
    const { answer } = native.device
    native.device.answer = (request, target) => (request.path.includes('/streams/') ? null : answer(request, target))
    const before = requests.length
    const asked = [send('POST', COMMANDS, command), send('GET', '/v1/peers/back/streams/front/controls')]
    await until('both questions', () => requests.length === before + 2)

    await send(end.method, end.url, end.method === 'POST' ? { base_url: ELSEWHERE } : undefined)
    const [order, question] = await Promise.all(asked)

    assert.deepEqual([order?.status, JSON.parse(order?.text ?? '').code], [504, 'peer.too_slow'])
    assert.deepEqual([question?.status, JSON.parse(question?.text ?? '').code], [502, 'peer.unreachable'])
  }
})

test('pipelines are patched and poses set there, and the revision of the peer comes back', async (t) => {
  const { send, last } = await withPeer(t)
  const patch = [{ op: 'replace', path: '/nodes/1/params/decimate', value: 2 }]

  const patched = await send('POST', '/v1/peers/back/streams/front/pipeline/graph/patch', {
    expected_pipeline_revision: 3,
    patch,
  })
  assert.equal(last().path, '/v1/interdevice/streams/front/pipeline/graph/patch')
  const put = await send('PUT', POSE, { ...pose, expected_revision: 3, request_id: 'two' })
  assert.deepEqual(last().body, { ...pose, expected_revision: 3, request_id: 'two' })
  const cleared = await send('DELETE', POSE)
  assert.deepEqual([last().method, last().path], ['DELETE', '/v1/interdevice/rig/cameras/stream-front/pose'])

  assert.equal(JSON.parse(patched.text).pipeline_revision, 4)
  for (const answered of [put, cleared])
    assert.deepEqual([answered.status, answered.text, answered.headers.etag], [204, '', '"4"'])
})

test('what is to be changed is read from the peer first, each time, with the revision of the peer', async (t) => {
  const { send, requests, last } = await withPeer(t)
  const before = requests.length

  const controls = await send('GET', '/v1/peers/back/streams/front/controls')
  const graph = await send('GET', '/v1/peers/back/streams/front/pipeline/graph')
  await send('GET', '/v1/peers/back/streams/front/pipeline/graph')
  const seat = await send('GET', POSE)

  assert.deepEqual([last().method, last().path], ['GET', '/v1/interdevice/rig/cameras/stream-front/pose'])
  assert.equal(requests.length, before + 4, 'nothing is answered from a memory here')
  for (const { status, headers, text } of [controls, graph, seat])
    assert.deepEqual(
      [status, headers.etag, headers['cache-control'], JSON.parse(text).revision],
      [200, '"3"', 'no-store', 3],
    )
  assert.equal(JSON.parse(controls.text).controls[0].name, 'brightness')
  assert.ok(JSON.parse(graph.text).graph.nodes.length > 0)
})

test('a read that a peer does not answer says so and guesses nothing; a newer peer may answer more', async (t) => {
  const { send, answering } = await withPeer(t)
  const ask = async (answer: PeerAnswer | Fault) => {
    answering(answer)
    const { status, text } = await send('GET', '/v1/peers/back/streams/front/controls')
    return [status, JSON.parse(text).code]
  }
  const newer = { revision: 3, camera_uid: 'cam-1', controls: [], of_a_newer_version: { deep: true } }

  assert.deepEqual(await ask({ code: 'peer.unreachable', detail: 'nothing answers' }), [502, 'peer.unreachable'])
  assert.deepEqual(await ask(jsonAnswer(200, { controls: 'many' })), [502, 'peer.bad_answer'])
  assert.deepEqual(await ask(jsonAnswer(200, newer)), [200, undefined])
})

test('that a patch was carried out and its stream is gone since is passed on, with the revision', async (t) => {
  const { send, answering } = await withPeer(t)
  answering({ ...jsonAnswer(204, {}), headers: { etag: '"4"', 'idempotent-replayed': 'true' }, body: Buffer.alloc(0) })

  const { status, headers, text } = await send('POST', '/v1/peers/back/streams/front/pipeline/graph/patch', {
    request_id: 'one',
    expected_pipeline_revision: 3,
    patch: [{ op: 'remove', path: '/outputs/0' }],
  })

  assert.deepEqual([status, text, headers.etag, headers['idempotent-replayed']], [204, '', '"4"', 'true'])
})

test('an order gets through to a device that floods: it may be what ends the flood', async (t) => {
  const { native, send } = await withPeer(t)
  const peer = async () => JSON.parse((await send('GET', '/v1/peers/back')).text)
  for (let n = 0; n < 20_000; n++)
    native.tell('stream_changed', { stream_id: `s${n % 40}` }, { revision: 4, data: { deleted: false } })
  const { fault } = await until('the refusal', peer, ({ status }) => status === 'refused')

  const ordered = await send('POST', COMMANDS, command)
  const after = await peer()

  assert.equal(fault.code, 'peer.floods')
  assert.deepEqual([ordered.status, after.status], [200, 'refused'], ordered.text)
})

test('a refusal of the peer is passed on as it is, with its revision', async (t) => {
  const { send, answering } = await withPeer(t)
  const stale = await send('POST', COMMANDS, { ...command, expected_revision: 2 })
  const said = {
    type: 'urn:vedette:fault:control.unknown',
    title: 'No such control',
    status: 404,
    code: 'control.unknown',
    detail: 'the camera has no such control',
    instance: '/there',
    request_id: 'there',
    accepted: false,
    new_revision: 3,
    error: { code: 'control.unknown', detail: 'no such control' },
  }
  answering(jsonAnswer(404, said))
  const refused = await send('POST', COMMANDS, command)

  assert.equal(stale.status, 409)
  assert.deepEqual(JSON.parse(stale.text).context, { revision: 3 })
  assert.equal(refused.status, 404)
  assert.deepEqual(JSON.parse(refused.text), said)
  assert.match(String(refused.headers['content-type']), /^application\/problem\+json/)
})

test('who is not let in there is not asked to sign in here', async (t) => {
  const { send, answering } = await withPeer(t)
  for (const status of [401, 403]) {
    answering(jsonAnswer(status, { code: 'token.required', detail: 'a token is needed', status }))

    const { status: given, headers, text } = await send('POST', COMMANDS, command)

    assert.deepEqual([given, JSON.parse(text).code], [502, 'peer.refuses_us'])
    assert.match(JSON.parse(text).detail, /a token is needed/)
    assert.equal(headers['www-authenticate'], undefined)
  }
})

test('a peer that is unreachable, slow or makes no sense has a fault of its own, and no guess', async (t) => {
  const { send, answering } = await withPeer(t)
  const cases: readonly (readonly [PeerAnswer | Fault, status: number, code: string])[] = [
    [{ code: 'peer.unreachable', detail: 'nothing answers' }, 502, 'peer.unreachable'],
    [{ code: 'peer.too_slow', detail: 'no answer' }, 504, 'peer.too_slow'],
    [{ code: 'peer.wrong_certificate', detail: 'another one' }, 502, 'peer.wrong_certificate'],
    [jsonAnswer(200, { accepted: 'perhaps' }), 504, 'peer.too_slow'],
    [{ ...jsonAnswer(200, {}), body: Buffer.from('<html>') }, 504, 'peer.too_slow'],
    [{ ...jsonAnswer(404, {}), body: Buffer.from('<html>') }, 504, 'peer.too_slow'],
    [jsonAnswer(409, { code: 'revision.stale', detail: 'of another status', status: 404 }), 504, 'peer.too_slow'],
    [jsonAnswer(307, {}), 504, 'peer.too_slow'],
    [jsonAnswer(204, {}), 504, 'peer.too_slow'],
  ]
  for (const [answer, status, code] of cases) {
    answering(answer)
    const { status: given, text } = await send('POST', COMMANDS, command)
    assert.deepEqual([given, JSON.parse(text).code], [status, code], JSON.stringify(answer))
  }
})

test('an order that is none is refused here, and ids lead nowhere else', async (t) => {
  const { send, requests, last } = await withPeer(t)
  const before = requests.length

  const without = await send('POST', COMMANDS, { command: 'set_pose' })
  const unpatched = await send('POST', '/v1/peers/back/streams/front/pipeline/graph/patch', { patch: [] })
  assert.deepEqual([without.status, unpatched.status, requests.length], [400, 400, before])
  await send('POST', '/v1/peers/back/streams/..%2F..%2Fhello%3Fa/commands', command)

  assert.equal(last().path, '/v1/interdevice/streams/%2E%2E%2F%2E%2E%2Fhello%3Fa/commands')
})

test('peers that are not of this kind, unknown, or not met yet are refused with a sentence', async (t) => {
  const { send } = await withPeer(t)
  await send('POST', '/v1/peers', { base_url: 'http://10.0.0.7/x', integration: 'custom', name: 'Camera' })
  await send('POST', '/v1/peers', { base_url: 'http://10.0.0.8', name: 'Away' })
  const codes = []
  for (const id of ['camera', 'away', 'nobody']) {
    const { status, text } = await send('POST', `/v1/peers/${id}/streams/front/commands`, command)
    codes.push([status, JSON.parse(text).code])
  }

  assert.deepEqual(codes, [
    [400, 'peer.not_native'],
    [502, 'peer.not_linked'],
    [404, 'peer.not_found'],
  ])
})

test('nothing goes to another device at the address of a peer, and nothing is computed here', async (t) => {
  const { native, send, requests } = await withPeer(t)
  native.hello = { ...native.hello, device_id: OTHER_ID }
  native.device.sockets[0]?.drop()
  await until(
    'the refusal',
    async () => JSON.parse((await send('GET', '/v1/peers/back')).text).status,
    (status) => status === 'refused',
  )
  const sent = () => requests.filter(({ path }) => path !== HELLO_PATH).length
  const before = sent()
  const stream = '/v1/peers/back/streams/front'

  const answers = [
    await send('POST', COMMANDS, command),
    await send('POST', COMMANDS, { ...command, command: 'set_compute', payload: { compute: 'local_attach' } }),
    await send('PUT', POSE, pose),
    await send('GET', `${stream}/controls`),
    await send('GET', `${stream}/frame`),
    await send('GET', `${stream}/preview`),
  ]

  assert.deepEqual(
    answers.map(({ status, text }) => [status, JSON.parse(text).code]),
    answers.map(() => [409, 'peer.other_device']),
  )
  assert.equal(sent(), before)
})
