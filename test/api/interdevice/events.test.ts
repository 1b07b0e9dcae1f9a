// What other devices hear of what happens here, over real WebSockets.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { unpack } from 'msgpackr'
import WebSocket from 'ws'
import { cameraPresence } from '../../../machines/cameras/events.ts'
import type { EventDocument } from '../../../machines/events/event.ts'
import { type ClockReading, clockQuestion } from '../../../machines/interdevice/clock-reading.ts'
import { peerHealth } from '../../../machines/peers/events.ts'
import { controlChanged, streamChanged } from '../../../machines/stream/events.ts'
import { settingsBranch } from '../../../supervisors/settings/branch.ts'
import { listeningApi } from '../../support/api/api.ts'
import { arrival, until } from '../../support/until.ts'

const PATH = '/v1/interdevice/events'

type Heard = Pick<EventDocument, 'kind' | 'seq' | 'epoch'> & Partial<EventDocument> & { readonly resumed?: boolean }

const serving = async (t: TestContext, parts = {}) => {
  const api = await listeningApi(t, {}, parts)
  const dial = (query = '', protocols: string[] = []) => {
    const socket = new WebSocket(`${api.url.replace('http', 'ws')}${PATH}${query}`, protocols)
    t.after(() => socket.terminate())
    return socket
  }
  const listener = async (query = '', protocols: string[] = []) => {
    const socket = dial(query, protocols)
    const messages: Heard[] = []
    const forms = new Set<boolean>()
    socket.on('message', (data: Buffer, isBinary) => {
      forms.add(isBinary)
      messages.push(isBinary ? unpack(data) : JSON.parse(String(data)))
    })
    await arrival('an open feed', once(socket, 'open'))
    const heard = (count: number) =>
      until(
        `${count} messages`,
        () => messages.length,
        (length) => length >= count,
      )
    return { socket, messages, forms, heard }
  }
  const { events, identity } = api.fake.directory
  const happen = (revision: number, more = {}) =>
    events.publish(streamChanged, {
      resource_ref: { stream_id: 'front', ...more },
      revision,
      data: { deleted: false },
    })
  return { ...api, dial, listener, events, happen, epoch: identity.epoch }
}

/** Nothing happens but what the test tells. */
const quiet = { branches: [settingsBranch] }

test('a device is greeted, told to read everything, and then gets each event, as JSON or packed', async (t) => {
  const { listener, happen, epoch } = await serving(t, quiet)
  happen(1)
  const plain = await listener()
  const packed = await listener('', ['of-somebody-else', 'vedette.events.msgpack'])
  for (const { heard } of [plain, packed]) await heard(2)

  const event = happen(2)
  for (const { heard } of [plain, packed]) await heard(3)

  for (const { messages } of [plain, packed])
    assert.deepEqual(messages, [
      { kind: 'hello', epoch, seq: 1, resumed: false, tells_time: true },
      { kind: 'reset', epoch, seq: 1 },
      { ...event },
    ])
  assert.deepEqual([plain.socket.protocol, packed.socket.protocol], ['', 'vedette.events.msgpack'])
  assert.deepEqual([[...plain.forms], [...packed.forms]], [[false], [true]])
})

test('who asks where the clock stands is told at once, in his form, and not more often than makes sense', async (t) => {
  const { listener, happen, fake } = await serving(t, quiet)
  const plain = await listener()
  const packed = await listener('', ['vedette.events.msgpack'])
  for (const { heard } of [plain, packed]) await heard(2)
  const beforeUs = fake.directory.clock.monotonicUs()

  for (const { socket, heard } of [plain, packed]) {
    for (const text of [
      '{',
      '7',
      '{"kind":"clock_question"}',
      '{"kind":"clock_question","number":-1}',
      ' '.repeat(200),
    ])
      socket.send(text)
    socket.send(Buffer.from(clockQuestion(8)))
    socket.send(clockQuestion(7))
    await heard(3)
  }
  for (let number = 10; number < 1_010; number++) plain.socket.send(clockQuestion(number))
  happen(1)
  await until('the event', () => plain.messages.some(({ kind }) => kind === 'stream_changed'))
  const pong = once(plain.socket, 'pong')
  plain.socket.ping()
  await arrival('what is behind all questions', pong)

  for (const { messages } of [plain, packed]) {
    const { kind, number, monotonic_us } = messages[2] as unknown as ClockReading
    assert.deepEqual([kind, number], ['clock', 7])
    assert.ok(monotonic_us >= beforeUs && monotonic_us <= fake.directory.clock.monotonicUs())
  }
  const answers = plain.messages.filter(({ kind }) => kind === 'clock').length
  assert.ok(answers >= 32 && answers < 200, `${answers} answers`)
})

test('a form that is not known is not promised: whoever insists on it hangs up', async (t) => {
  const { dial } = await serving(t, quiet)

  const [error] = await arrival('a refusal', once(dial('', ['vedette.events.xml']), 'error'))

  assert.match(String(error), /no subprotocol/)
})

test('a device that comes back gets the events it missed, except those that came from other devices', async (t) => {
  const { listener, happen, epoch } = await serving(t, quiet)
  const { seq } = happen(1)
  happen(2, { peer_id: 'left' })
  happen(3)

  const { messages, heard } = await listener(`?since=${seq}&epoch=${epoch}`)
  await heard(2)
  happen(4, { peer_id: 'left' })
  happen(5)
  await heard(3)

  assert.deepEqual(messages[0], { kind: 'hello', epoch, seq: 3, resumed: true, tells_time: true })
  assert.deepEqual(
    messages.slice(1).map((each) => [each.seq, each.revision]),
    [
      [3, 3],
      [5, 5],
    ],
  )
})

test('a control that was set, a camera that was plugged in and how the links of the device are is told', async (t) => {
  const { listener, events } = await serving(t, quiet)
  const { messages, heard } = await listener()
  await heard(2)
  const health = { status: 'linked', round_trip_ms: 1, last_seen_ms: 1, fault: null } as const
  const [stream_id, camera_uid] = ['front', 'cam-k3f7q2ma']

  events.publish(controlChanged, { resource_ref: { stream_id, camera_uid, control_id: 7 }, data: { value: 4 } })
  events.publish(cameraPresence, { resource_ref: { camera_uid }, data: { present: true, device: '/dev/video0' } })
  events.publish(peerHealth, { resource_ref: { peer_id: 'left' }, data: health })
  events.publish(cameraPresence, {
    resource_ref: { camera_uid, peer_id: 'left' } as never,
    data: { present: false, device: null },
  })
  events.publish(streamChanged, { resource_ref: { stream_id }, revision: 1, data: { deleted: false } })
  await heard(6)

  assert.deepEqual(
    messages.slice(2).map(({ kind, resource_ref }) => [kind, resource_ref]),
    [
      ['control_changed', { stream_id, camera_uid, control_id: 7 }],
      ['camera_presence', { camera_uid }],
      ['peer_health', { peer_id: 'left' }],
      ['stream_changed', { stream_id }],
    ],
  )
})

test('one commit that changes several parts is told of in one go', async (t) => {
  const { listener, events, fake } = await serving(t)
  await fake.put({ id: 'front', source: { backend: 'synthetic' } })
  const { messages, heard } = await listener()
  await heard(2)
  const all: EventDocument[] = []
  events.subscribe((event) => all.push(event))

  const pose = { x_m: 1, y_m: 0, z_m: 0.5, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 }
  const pipeline = { nodes: [{ id: 'source', type: 'source' }], edges: [], outputs: [] }
  const revision = await fake.put({ id: 'front', pose, pipeline, source: { backend: 'synthetic' } })
  await until('the last of them', () => messages.some(({ resource_ref }) => resource_ref?.output_id === 'pose'))

  const stream_id = 'front'
  const wanted = [
    ['stream_changed', { stream_id }],
    ['pipeline_changed', { stream_id, pipeline_id: 'stream-front' }],
    ['pose_changed', { stream_id, camera_uid: 'stream-front' }],
    ['localization_source_changed', { stream_id, output_id: 'tag_poses' }],
    ['localization_source_changed', { stream_id, output_id: 'pose' }],
  ]
  const first = all.findIndex((event) => event.revision === revision)
  const together = (some: readonly Pick<Heard, 'kind' | 'resource_ref' | 'revision'>[]) =>
    some.filter((each) => each.revision === revision).map(({ kind, resource_ref }) => [kind, resource_ref])
  assert.deepEqual(together(all.slice(first, first + wanted.length)), wanted)
  assert.deepEqual(together(messages), wanted)
})

test('kinds that are no business of other devices are not told them', async (t) => {
  const { listener, happen, app } = await serving(t)
  const { messages, heard } = await listener()
  await heard(2)

  await app.inject({
    method: 'POST',
    url: '/v1/device/nt4',
    headers: { host: 'localhost' },
    payload: { json: 'never' },
  })
  const { seq } = happen(1)
  await until('the event after it', () => messages.some((each) => each.seq === seq))

  assert.ok(seq > 1)
  assert.ok(messages.every(({ kind }) => kind !== 'nt4_changed'))
})
