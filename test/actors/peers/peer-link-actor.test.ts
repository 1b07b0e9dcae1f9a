// The link to a peer, over a fake wire.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { createActor } from 'xstate'
import { createEventBus } from '../../../actors/events/event-bus.ts'
import { Heartbeat } from '../../../actors/peers/heartbeat.ts'
import { peerLinkActor } from '../../../actors/peers/peer-link-actor.ts'
import { PeerRuntime } from '../../../actors/peers/peer-runtime.ts'
import { relayEvents } from '../../../actors/peers/relay-events.ts'
import { endEffects } from '../../../actors/run.ts'
import { cameraPresence } from '../../../machines/cameras/events.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import type { EventDocument } from '../../../machines/events/event.ts'
import { peerLinkState } from '../../../machines/peers/peer-link-machine.ts'
import { controlChanged, streamChanged, streamState } from '../../../machines/stream/events.ts'
import { FakePeerWire, jsonAnswer } from '../../../native/peers/fake.ts'
import { settle, simulatedClock, untilState } from '../../support/clock/clock.ts'
import { DEVICE_ID, inventoryOf, nativeDevice, ORIGIN, OTHER_ID, remoteStream } from '../../support/peers/peers.ts'
import { until } from '../../support/until.ts'

const CHANGED = { revision: 4, data: { deleted: false } }

/** pingEveryMs: short where silence is to be noticed; else so long that nobody is asked. */
const linked = (t: TestContext, { pingEveryMs = 1_000_000, own = null as string | null } = {}) => {
  const wire = new FakePeerWire()
  const native = nativeDevice(wire)
  const events = createEventBus({ epoch: 'here', nowMs: () => 5_000 })
  const heard: EventDocument[] = []
  events.subscribe((event) => heard.push(event))
  const time = { nowMs: 5_000 }
  const stored = { revision: 1, value: { base_url: ORIGIN, token_version: 0 } }
  const peer = new PeerRuntime('back', stored, {
    events,
    nowMs: () => time.nowMs,
    monotonicUs: () => 1_000 * time.nowMs,
    tokenOf: () => null,
    here: () => undefined,
  })
  const recorded: Fault[] = []
  const introduced: string[] = []
  const clock = simulatedClock()
  const actor = createActor(
    peerLinkActor({
      wire,
      peer,
      own: () => own,
      heartbeat: new Heartbeat(pingEveryMs),
      record: (fault) => recorded.push(fault),
      introduce: (_, hello) => Effect.sync(() => void introduced.push(hello.device_id)),
      relay: relayEvents(events, [streamChanged, streamState, controlChanged, cameraPresence]),
    }),
    { input: { address: peer.address, seed: 0.5, greeted: null }, clock },
  )
  const child = { id: 'peers/back', state: 'running', since_ms: 0, restarts: 0, fault: null } as const
  peer.child = { status: () => child, snapshot: () => actor.getSnapshot() }
  actor.subscribe(() => peer.observe())
  t.after(async () => {
    await Effect.runPromise(endEffects(actor))
    actor.stop()
  })
  const state = (name: string) =>
    untilState(actor, ({ value }) => peerLinkState(value) === name, `a link that is ${name}`)
  const start = () => void actor.start()
  return { actor, wire, native, peer, events, heard, recorded, introduced, clock, time, state, start }
}

const kinds = (heard: readonly EventDocument[]) => heard.map(({ kind }) => kind)

test('a device is greeted, introduced and read, and everybody hears that there is a link', async (t) => {
  const { native, peer, heard, introduced, state, start } = linked(t)

  start()
  await state('linked')

  assert.deepEqual(introduced, [DEVICE_ID])
  assert.deepEqual(kinds(heard), ['peer_inventory', 'peer_health'])
  const record = peer.record()
  assert.deepEqual(
    [record.status, record.stale, record.synced_at_ms, record.protocol_version, record.api_base, record.ws_base],
    ['linked', false, 5_000, '1.0', ORIGIN, 'wss://10.12.34.11:5801'],
  )
  assert.ok(!(record.capabilities as string[]).includes('of_a_newer_version'))
  const [stream] = record.streams
  assert.deepEqual([stream?.origin, stream?.compute], [{ peer_id: 'back', revision: 3, stale: false }, 'proxy'])
  assert.equal(native.device.sockets.length, 1)
})

test('of the forms in which a device has its pictures those are shown that pass through this one', async (t) => {
  const { native, peer, state, start } = linked(t)
  native.inventory = inventoryOf({ streams: [remoteStream({ formats: ['h264', 'jpeg', 'mjpeg'] })] })

  start()
  await state('linked')

  assert.deepEqual(peer.record().streams[0]?.formats, ['mjpeg', 'jpeg'])
})

test('events of a peer are published at once with its id; what changed is read once for all of them', async (t) => {
  const { native, peer, heard, clock, actor, state, start } = linked(t)
  start()
  await state('linked')
  heard.length = 0
  native.inventory = inventoryOf({ seq: 2, streams: [remoteStream({ revision: 4, alias: 'Renamed' })] })

  native.tell('stream_changed', { stream_id: 'front' }, CHANGED)
  native.tell('stream_state', { stream_id: 'front' }, { data: { state: 'live', fault: null, pipeline_fault: null } })

  assert.deepEqual(
    heard.map(({ kind, resource_ref, revision }) => [kind, resource_ref, revision]),
    [
      ['stream_changed', { stream_id: 'front', peer_id: 'back' }, 4],
      ['stream_state', { stream_id: 'front', peer_id: 'back' }, null],
    ],
  )
  clock.increment(50)
  await untilState(actor, () => peer.record().streams[0]?.alias === 'Renamed', 'the new name')
  assert.deepEqual([native.reads(), native.partReads()], [1, ['stream_id=front']])
  assert.deepEqual(kinds(heard).slice(2), ['peer_inventory'])
  assert.equal(peer.record().stale, false)
})

test('what a newer device says in an event is told as far as it is known here', async (t) => {
  const { native, heard, state, start } = linked(t)
  start()
  await state('linked')
  heard.length = 0

  native.tell('stream_changed', { stream_id: 'front' }, { ...CHANGED, data: { deleted: false, more: 'news' } })

  assert.deepEqual(
    heard.map(({ kind, data }) => [kind, data]),
    [['stream_changed', { deleted: false }]],
  )
})

test('only the streams that events name are read, and only those cameras that belong to no stream', async (t) => {
  const { native, peer, clock, actor, state, start } = linked(t)
  const many = Array.from({ length: 20 }, (_, n) =>
    remoteStream({ id: `stream-${n}`, camera_uid: `stream-stream-${n}` }),
  )
  native.inventory = inventoryOf({ streams: many, pipelines: [], rig: [] })
  start()
  await state('linked')
  const camera = { camera_uid: 'cam-k3f7q2ma', stream_id: null, pose_revision: 0, has_pose: false, pose: null }
  const [, second, ...others] = many
  native.inventory = inventoryOf({
    seq: 3,
    pipelines: [],
    rig: [camera],
    streams: [{ ...(second as object), alias: 'Second' } as typeof camera & never, ...others],
  })

  native.tell('stream_changed', { stream_id: 'stream-1' }, CHANGED)
  native.tell('stream_changed', { stream_id: 'stream-0' }, { revision: 4, data: { deleted: true } })
  native.tell('camera_presence', { camera_uid: 'cam-k3f7q2ma' }, { data: { present: true, device: '/dev/video0' } })
  clock.increment(50)
  await untilState(actor, () => !peer.record().stale, 'what is known to be so again')

  assert.deepEqual(
    [native.reads(), native.partReads()],
    [1, ['stream_id=stream-1', 'stream_id=stream-0', 'camera_uid=cam-k3f7q2ma']],
  )
  const { streams, rig } = peer.record()
  assert.deepEqual([streams.length, streams[0]?.alias, rig], [19, 'Second', [camera]])
})

test('a control that was set is told here, and nothing is read for it, since it stands in no inventory', async (t) => {
  const { native, peer, heard, actor, state, start } = linked(t)
  start()
  await state('linked')
  heard.length = 0

  native.tell(
    'control_changed',
    { stream_id: 'front', camera_uid: 'stream-front', control_id: 7 },
    { data: { value: 4 } },
  )
  native.tell('peer_health', { peer_id: 'left' }, { data: { status: 'linked' } })

  assert.deepEqual(
    heard.map(({ kind, resource_ref, data }) => [kind, resource_ref, data]),
    [
      [
        'control_changed',
        { stream_id: 'front', camera_uid: 'stream-front', control_id: 7, peer_id: 'back' },
        { value: 4 },
      ],
    ],
  )
  assert.deepEqual(actor.getSnapshot().value, { session: { linked: 'settled' } })
  assert.equal(peer.record().stale, false)
})

test('one thing is never read twice at once, however much is told of it', async (t) => {
  const { native, peer, clock, actor, state, start } = linked(t)
  start()
  await state('linked')
  const changed = () => native.tell('stream_changed', { stream_id: 'front' }, CHANGED)
  native.device.answer = () => null // it takes its time
  changed()
  clock.increment(50)
  await untilState(actor, ({ value }) => JSON.stringify(value).includes('reading'), 'a reading')

  for (let n = 0; n < 50; n++) changed()

  assert.deepEqual([native.partReads().length, peer.record().stale], [1, true])
})

test('a device that is reset in the middle is read as a whole', async (t) => {
  const { native, peer, clock, actor, state, start } = linked(t)
  start()
  await state('linked')
  native.tell('control_changed', {})
  native.inventory = inventoryOf({ seq: 9, streams: [remoteStream({ alias: 'Renamed' })] })

  native.device.sockets[0]?.say({ kind: 'reset', epoch: 'first', seq: 9 })
  assert.equal(peer.record().stale, true)
  clock.increment(50)
  await untilState(actor, () => peer.record().streams[0]?.alias === 'Renamed', 'the new name')

  assert.deepEqual([native.reads(), native.partReads(), peer.record().stale], [2, [], false])
})

test('a peer that floods is refused at a bounded cost; listeners hear once, and other links go on', async (t) => {
  const { native, peer, heard, recorded, clock, time, state, start } = linked(t)
  const other = linked(t)
  for (const each of [{ start, state }, other]) {
    each.start()
    await each.state('linked')
  }
  heard.length = 0

  for (let n = 0; n < 100_000; n++) native.tell('stream_changed', { stream_id: `s${n % 40}` }, CHANGED)
  await state('refused')
  other.native.tell('stream_changed', { stream_id: 'front' }, CHANGED)

  assert.equal(peer.record().fault?.code, 'peer.floods')
  assert.deepEqual(
    recorded.map(({ code }) => code),
    ['peer.floods'],
  )
  assert.ok(heard.length < 400, `${heard.length} events told here`)
  assert.ok(native.partReads().length < 110)
  assert.ok(kinds(other.heard).includes('stream_changed'))
  assert.equal(other.peer.record().status, 'linked')
  time.nowMs += 7_000
  clock.increment(7_000)
  await state('linked')
  assert.equal(native.device.sockets[0]?.path, '/v1/interdevice/events', 'what it told meanwhile is not told again')
})

test('events of peers of the peer, of unknown kinds, or without sense are not told again', async (t) => {
  const { native, heard, state, start } = linked(t)
  start()
  await state('linked')
  heard.length = 0

  native.tell('stream_changed', { stream_id: 'front', peer_id: 'third' }, CHANGED)
  native.tell('errors_changed', {})
  native.tell('stream_changed', { stream_id: 7 }, CHANGED)
  native.tell('stream_changed', { stream_id: 'front' })
  native.tell('stream_changed', { stream_id: 'front' }, CHANGED)

  assert.deepEqual(kinds(heard), ['stream_changed'])
})

test('what was read already has the news of events that come late', async (t) => {
  const { native, actor, state, start } = linked(t)
  native.inventory = inventoryOf({ seq: 1 })
  start()
  await state('linked')

  native.tell('stream_changed', { stream_id: 'front' }, CHANGED)

  assert.deepEqual(actor.getSnapshot().value, { session: { linked: 'settled' } })
  native.tell('stream_changed', { stream_id: 'front' }, CHANGED)
  assert.deepEqual(actor.getSnapshot().value, { session: { linked: 'gathering' } })
})

test('a link that was lost is back after a pause, and hears what it missed', async (t) => {
  const { native, peer, heard, clock, recorded, state, start } = linked(t)
  start()
  await state('linked')
  native.tell('stream_changed', { stream_id: 'front' }, CHANGED)

  native.device.sockets[0]?.drop()
  await state('backing-off')
  assert.deepEqual([peer.record().stale, peer.record().streams.length], [true, 1], 'what is known stays known')
  assert.equal(peer.record().streams[0]?.origin.stale, true)
  clock.increment(2_000)
  await state('linked')

  assert.equal(native.device.sockets[0]?.path, '/v1/interdevice/events?since=1&epoch=first')
  assert.deepEqual(
    recorded.map(({ code }) => code),
    ['peer.unreachable'],
  )
  const health = heard
    .filter(({ kind }) => kind === 'peer_health')
    .map(({ data }) => (data as { status: string }).status)
  assert.deepEqual(health, ['linked', 'backing-off', 'linked'])
})

test('a device that was started anew and says that nothing was missed is read and heard like any other', async (t) => {
  const { native, heard, clock, state, start } = linked(t)
  start()
  await state('linked')
  for (let n = 0; n < 3; n += 1) native.tell('stream_changed', { stream_id: 'front' }, CHANGED)
  await state('linked')
  Object.assign(native, { epoch: 'second', seq: 0 })
  native.inventory = inventoryOf({ epoch: 'second' })
  native.device.welcome = () => [{ kind: 'hello', epoch: 'second', seq: 0, resumed: true }]
  native.device.sockets[0]?.drop()
  await state('backing-off')
  clock.increment(2_000)
  await state('linked')

  native.tell('stream_changed', { stream_id: 'front' }, { ...CHANGED, revision: 9 })

  assert.equal(heard.findLast(({ kind }) => kind === 'stream_changed')?.revision, 9)
})

test('a device that opens its events and says no hello is left after 5 s, and asked for what was missed', async (t) => {
  const { native, peer, clock, state, start } = linked(t)
  start()
  await state('linked')
  native.tell('stream_changed', { stream_id: 'front' }, CHANGED)
  native.device.sockets[0]?.drop()
  await state('backing-off')
  const { welcome } = native.device
  native.device.welcome = () => []
  clock.increment(2_000)
  await until('a connection', () => native.device.sockets.length === 1)

  clock.increment(4_999)
  const before = peer.record().status
  clock.increment(1)
  await state('backing-off')
  const { fault } = peer.record()
  native.device.welcome = welcome
  clock.increment(2_000)
  await state('linked')

  assert.equal(before, 'synchronising')
  assert.match(fault?.detail ?? '', /does not begin with its hello/)
  assert.equal(native.device.sockets[0]?.path, '/v1/interdevice/events?since=1&epoch=first')
})

test('nothing is heard of a device that has told nonsense, however much it had sent by then', async (t) => {
  const { native, peer, time, state, start } = linked(t)
  start()
  await state('linked')
  const [socket] = native.device.sockets

  socket?.say({ kind: 'stream_changed', seq: 2, resource_ref: null })
  time.nowMs += 1_000
  for (let n = 0; n < 3; n += 1) socket?.say({})
  const { lastSeenMs } = peer.known
  await state('backing-off')

  assert.equal(lastSeenMs, 5_000)
})

test('a device that has told nonsense is not asked for the same again', async (t) => {
  const { native, clock, state, start } = linked(t)
  start()
  await state('linked')
  native.tell('stream_changed', { stream_id: 'front' }, CHANGED)

  native.device.sockets[0]?.say({ kind: 'stream_changed', seq: 2, resource_ref: null })
  await state('backing-off')
  clock.increment(2_000)
  await state('linked')

  assert.equal(native.device.sockets[0]?.path, '/v1/interdevice/events')
})

const BROKEN = '\ud800' // half of a character, which no address can have

/** What a device can say once so that it could not be called again, or not be read, if that was believed. */
const TRAPS: Readonly<Record<string, object>> = {
  'calls its events by half a character': { kind: 'reset', epoch: BROKEN, seq: 3 },
  'calls its events by nothing': { kind: 'reset', epoch: '', seq: 3 },
  'tells of a stream whose name is half a character': {
    kind: 'stream_changed',
    seq: 1,
    resource_ref: { stream_id: BROKEN },
    ...CHANGED,
  },
}

for (const [what, trap] of Object.entries(TRAPS))
  test(`a device that ${what} is called again and read as any other`, async (t) => {
    const { native, peer, actor, clock, state, start } = linked(t)
    start()
    await state('linked')

    native.device.sockets[0]?.say(trap)
    clock.increment(50)
    native.device.sockets[0]?.drop()
    await state('backing-off')
    clock.increment(2_000)
    await state('linked')

    assert.deepEqual([actor.getSnapshot().status, peer.record().stale], ['active', false])
    const { searchParams } = new URL(native.device.sockets[0]?.path ?? '', ORIGIN)
    assert.ok([null, 'first'].includes(searchParams.get('epoch')))
  })

test('where a camera has half a character for a name, and is gone from its stream, all else is read', async (t) => {
  const { native, peer, actor, clock, state, start } = linked(t)
  const [camera] = inventoryOf().rig
  native.inventory = inventoryOf({ rig: [{ ...(camera as NonNullable<typeof camera>), camera_uid: BROKEN }] })
  start()
  await state('linked')
  native.inventory = inventoryOf({ seq: 1, streams: [remoteStream({ alias: 'Renamed' })] })

  native.tell('stream_changed', { stream_id: 'front' }, CHANGED)
  clock.increment(50)
  await untilState(actor, () => peer.record().streams[0]?.alias === 'Renamed', 'the new name')

  assert.equal(peer.record().status, 'linked')
})

test('where a part that was told of cannot be asked for, the whole is read', async (t) => {
  const { native, peer, actor, clock, state, start } = linked(t)
  start()
  await state('linked')
  const { answer } = native.device
  native.device.answer = (request, target) =>
    request.path.includes('?') ? jsonAnswer(400, {}) : answer(request, target)
  native.inventory = inventoryOf({ seq: 1, streams: [remoteStream({ alias: 'Renamed' })] })

  native.tell('stream_changed', { stream_id: 'no such name' }, CHANGED)
  clock.increment(50)
  await untilState(actor, () => peer.record().fault !== null, 'the complaint')
  clock.increment(1_000)
  await untilState(actor, () => !peer.record().stale, 'what is known to be so again')

  assert.deepEqual([peer.record().streams[0]?.alias, peer.record().fault], ['Renamed', null])
})

test('a device that tells events before it says where it stands has told nothing', async (t) => {
  const { native, heard, clock, state, start } = linked(t)
  const { welcome } = native.device
  native.device.welcome = () => [{ kind: 'stream_changed', seq: 3, resource_ref: { stream_id: 'front' }, ...CHANGED }]
  start()
  await state('backing-off')

  native.device.welcome = welcome
  clock.increment(2_000)
  await state('linked')

  assert.equal(native.device.sockets[0]?.path, '/v1/interdevice/events')
  assert.ok(!kinds(heard).includes('stream_changed'))
})

const MAX = Number.MAX_SAFE_INTEGER

/** How the numbers of a device can lie, and what shows that. */
const LIES: Readonly<Record<string, (native: ReturnType<typeof nativeDevice>) => void>> = {
  'leap further than they can': (native) => {
    native.seq = MAX - 1
    native.tell('control_changed', {})
  },
  'leap, and go on from before': (native) => {
    native.seq = 1_000_000
    native.tell('control_changed', {})
    native.seq = 1
    native.tell('control_changed', {})
  },
  'stand still': (native) => {
    native.tell('control_changed', {})
    native.seq -= 1
    native.tell('control_changed', {})
  },
  'leap in a reset, and go on from before': (native) => {
    native.device.sockets[0]?.say({ kind: 'reset', epoch: 'first', seq: MAX })
    native.tell('control_changed', {})
  },
}

for (const [what, lie] of Object.entries(LIES))
  test(`a device whose numbers ${what} has lied; it is called anew, read, and heard like any other`, async (t) => {
    const { native, peer, heard, recorded, clock, state, start } = linked(t)
    start()
    await state('linked')
    native.tell('stream_changed', { stream_id: 'front' }, CHANGED)
    const reads = native.reads()

    lie(native)
    await state('backing-off')
    const { fault } = peer.record()
    native.seq = 2
    clock.increment(2_000)
    await state('linked')
    native.tell('stream_changed', { stream_id: 'front' }, { ...CHANGED, revision: 9 })

    assert.equal(fault?.code, 'peer.bad_answer')
    assert.deepEqual(
      recorded.map(({ code }) => code),
      ['peer.bad_answer'],
    )
    assert.equal(native.device.sockets[0]?.path, '/v1/interdevice/events', 'it is not asked for what came after a lie')
    assert.ok(native.reads() > reads)
    assert.equal(heard.findLast(({ kind }) => kind === 'stream_changed')?.revision, 9)
  })

test('a device whose link was lost after a leap is heard from where it says that it stands', async (t) => {
  const { native, heard, clock, state, start } = linked(t)
  start()
  await state('linked')
  native.seq = 1_000_000
  native.tell('stream_changed', { stream_id: 'front' }, CHANGED)
  native.seq = 3

  native.device.sockets[0]?.drop()
  await state('backing-off')
  clock.increment(2_000)
  await state('linked')
  native.tell('stream_changed', { stream_id: 'front' }, { ...CHANGED, revision: 9 })

  assert.equal(native.device.sockets[0]?.path, '/v1/interdevice/events?since=1000001&epoch=first')
  assert.equal(heard.findLast(({ kind }) => kind === 'stream_changed')?.revision, 9)
})

test('an impossible number in an inventory is refused, and a wrong one makes nothing later outdated', async (t) => {
  const { native, peer, clock, actor, state, start } = linked(t, { pingEveryMs: 5 })
  start()
  await state('linked')
  const changed = () => native.tell('stream_changed', { stream_id: 'front' }, CHANGED)
  const renamed = (alias: string, seq: number) => inventoryOf({ seq, streams: [remoteStream({ alias })] })

  native.inventory = renamed('Lie', MAX)
  changed()
  clock.increment(50)
  await untilState(actor, () => peer.record().fault !== null, 'the complaint')
  const { streams, stale, fault } = peer.record()
  native.inventory = renamed('Truth', 1_000_000)
  clock.increment(1_000)
  await untilState(actor, () => !peer.record().stale, 'the truth')
  native.inventory = renamed('News', 1_000_000)
  await until('a reading of what is told then', () => {
    changed()
    clock.increment(50)
    return peer.record().streams[0]?.alias === 'News'
  })

  assert.deepEqual([streams[0]?.alias, stale, fault?.code], ['Front', true, 'peer.bad_answer'])
})

test('a peer that is silent and answers no pings is stale until it is heard; no event was missed', async (t) => {
  const { native, peer, state, start } = linked(t, { pingEveryMs: 5 })
  start()
  await state('linked')
  await until('a round trip', () => peer.record().health.round_trip_ms)

  native.device.isSilent = true
  await state('stale')
  const reads = native.reads()
  native.device.isSilent = false
  await state('linked')

  assert.deepEqual([native.reads(), peer.record().stale], [reads, false])
})

test('a device is stale 15 s after its last word, wherever that fell between two questions', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const { native, actor, state, start } = linked(t, { pingEveryMs: 5_000 })
  const shown = async () => {
    await new Promise((resolve) => setImmediate(resolve))
    return peerLinkState(actor.getSnapshot().value)
  }
  start()
  await state('linked')
  t.mock.timers.tick(5_000) // asked, and answered

  native.device.isSilent = true
  t.mock.timers.tick(2_000)
  native.tell('stream_changed', { stream_id: 'front' }, CHANGED)
  t.mock.timers.tick(14_999)
  const before = await shown()
  t.mock.timers.tick(1)
  const after = await shown()

  assert.deepEqual([before, after], ['linked', 'stale'])
})

test('a device that is back is linked within 2 s, also where there was no link before in this run', async (t) => {
  const { native, clock, state, start } = linked(t)
  const { answer } = native.device
  let calls = 0
  native.device.answer = () => {
    calls += 1
    return { code: 'peer.unreachable', detail: 'off' }
  }
  start()
  for (let n = 1; n <= 6; n += 1) {
    await until('the next call', () => {
      if (calls < n) clock.increment(100)
      return calls === n
    })
    await state('offline')
  }

  native.device.answer = answer
  clock.increment(2_000)

  await state('linked')
})

test('a stale device that stays silent is called anew', async (t) => {
  const { native, clock, state, start } = linked(t, { pingEveryMs: 5 })
  start()
  await state('linked')
  native.device.isSilent = true
  await state('stale')

  native.device.answer = () => null
  clock.increment(5_000)
  await state('greeting')

  assert.equal(native.device.sockets.length, 0)
})

for (const code of ['identity.not_kept', 'identity.unreadable'] as const)
  test(`a missing identity here (${code}) is the fault of a peer, and is recorded by the device alone`, async (t) => {
    const { native, peer, clock, recorded, state, start } = linked(t)
    const { answer } = native.device
    native.device.answer = () => ({ code, detail: 'there is no identity' })
    start()
    await state('refused')
    const { fault } = peer.record()

    native.device.answer = answer
    clock.increment(7_000)
    await state('linked')

    assert.deepEqual([fault?.code, recorded], [code, []])
  })

/** When it shows that a device has two epochs: with the whole of what it has, or with a part. */
const TWO_EPOCHS: Readonly<Record<string, (parts: ReturnType<typeof linked>) => Promise<void>>> = {
  'from the first reading on': async ({ native, start }) => {
    native.inventory = inventoryOf({ epoch: 'second' })
    start()
  },
  'once it is linked': async ({ native, clock, state, start }) => {
    start()
    await state('linked')
    native.inventory = inventoryOf({ epoch: 'second', seq: 1 })
    native.tell('stream_changed', { stream_id: 'front' }, CHANGED)
    clock.increment(50)
  },
}

for (const [when, speakOfTwo] of Object.entries(TWO_EPOCHS))
  test(`a peer whose events and inventory are of different epochs loses its link with a fault (${when})`, async (t) => {
    const parts = linked(t, { pingEveryMs: 5 })
    const { native, peer, clock, recorded, state } = parts

    await speakOfTwo(parts)
    await state('backing-off')
    const { fault, stale } = peer.record()
    native.inventory = inventoryOf({ seq: 1, streams: [remoteStream({ alias: 'Renamed' })] })
    clock.increment(2_000)
    await state('linked')

    assert.deepEqual(
      [fault?.code, stale, recorded.map(({ code }) => code)],
      ['peer.bad_answer', true, ['peer.bad_answer']],
    )
    assert.match(fault?.detail ?? '', /events are of the epoch "first" and its inventory is of "second"/)
    assert.equal(native.device.sockets[0]?.path, '/v1/interdevice/events', 'nobody knows which of the two it is')
    assert.deepEqual([peer.record().streams[0]?.alias, peer.record().stale], ['Renamed', false])
  })

test('a peer that restarts between its events and its inventory is linked again without that fault', async (t) => {
  const { native, peer, clock, recorded, state, start } = linked(t, { pingEveryMs: 1_000 })
  start()
  await state('linked')

  native.inventory = inventoryOf({ epoch: 'second', streams: [remoteStream({ alias: 'Renamed' })] })
  native.tell('stream_changed', { stream_id: 'front' }, CHANGED)
  clock.increment(50)
  await until('the reading', () => native.partReads().length === 1)
  await settle()
  const { stale } = peer.record()
  Object.assign(native, { epoch: 'second', seq: 0 })
  native.device.sockets[0]?.drop()
  await state('backing-off')
  clock.increment(2_000)
  await state('linked')

  assert.deepEqual([stale, recorded.map(({ code }) => code)], [true, ['peer.unreachable']])
  assert.deepEqual([peer.record().streams[0]?.alias, peer.record().stale], ['Renamed', false])
})

test('a peer that says within its events that it restarted is read until both are of one epoch', async (t) => {
  const { native, peer, actor, clock, recorded, state, start } = linked(t, { pingEveryMs: 500 })
  start()
  await state('linked')

  native.device.sockets[0]?.say({ kind: 'reset', epoch: 'second', seq: 0 })
  clock.increment(50)
  await until('a reading that is of before', () => native.reads() > 1)
  native.inventory = inventoryOf({ epoch: 'second', streams: [remoteStream({ alias: 'Renamed' })] })
  await untilState(actor, () => !peer.record().stale, 'what is known to be so again')

  assert.deepEqual([peer.record().streams[0]?.alias, recorded], ['Renamed', []])
})

test('a device that lies about what it has, or talks nonsense, is left, and that is recorded once', async (t) => {
  const { native, clock, recorded, state, start } = linked(t)
  native.inventory = inventoryOf({ device_id: OTHER_ID })
  start()
  await state('backing-off')
  clock.increment(6_000)
  await until('a second attempt', () => native.reads() === 2)
  await state('backing-off')

  assert.deepEqual(
    recorded.map(({ code }) => code),
    ['peer.bad_answer'],
  )
  native.inventory = inventoryOf()
  clock.increment(6_000)
  await state('linked')
  native.device.sockets[0]?.say({ kind: 'stream_changed', seq: 'one' })
  await state('backing-off')
})

test('a device that does not let this one in is asked again every few seconds, and an older one rarely', async (t) => {
  const { native, peer, clock, state, start } = linked(t)
  const { welcome, answer } = native.device
  native.device.welcome = () => ({ code: 'peer.refuses_us', detail: 'not you' })
  start()
  await state('refused')
  assert.equal(peer.record().fault?.code, 'peer.refuses_us')

  native.device.welcome = welcome
  clock.increment(7_000)
  await state('linked')
  native.device.answer = () => jsonAnswer(404, {})
  native.device.sockets[0]?.drop()
  await state('backing-off')
  clock.increment(2_000)
  await state('legacy')
  assert.equal(peer.record().integration, 'legacy')

  native.device.answer = answer
  clock.increment(80_000)
  await state('linked')
})

test('another address is another device: what was known is forgotten', async (t) => {
  const { actor, peer, wire, state, start } = linked(t)
  nativeDevice(wire, 'https://10.0.0.9:5801', OTHER_ID)
  start()
  await state('linked')

  actor.send({ type: 'address.set', address: { ...peer.address, origin: 'https://10.0.0.9:5801' }, greeted: null })
  assert.equal(peer.record().synced_at_ms, null)
  await state('linked')

  assert.equal(peer.known.inventory?.device_id, OTHER_ID)
})

test('an address that leads here is refused', async (t) => {
  const { peer, state, start } = linked(t, { own: DEVICE_ID })

  start()
  await state('refused')

  assert.equal(peer.record().fault?.code, 'peer.self')
})

/** A device that answers what is asked of its clock, which stands so far ahead. */
const tellingTime = (native: ReturnType<typeof nativeDevice>, aheadUs: number, nowUs: () => number) => {
  const { welcome } = native.device
  const asked: string[] = []
  native.device.welcome = (path) => {
    const said = welcome(path)
    return Array.isArray(said) ? said.map((each) => ('resumed' in each ? { ...each, tells_time: true } : each)) : said
  }
  native.device.heard = (text, say) => {
    asked.push(text)
    const { number } = JSON.parse(text) as { number: number }
    say({ kind: 'clock', number, monotonic_us: nowUs() + aheadUs })
  }
  return asked
}

test('the clock of a peer is known as soon as there is a link, as long as somebody needs it', async (t) => {
  const { native, peer, time, state, start } = linked(t)
  const asked = tellingTime(native, 9_000_000, () => 1_000 * time.nowMs)
  start()
  await state('linked')
  const unasked = asked.length

  const stop = peer.clock.follow(() => {})
  const known = peer.clock.estimate
  native.device.sockets[0]?.drop()
  await until('the end of it', () => peer.clock.estimate === null)
  stop()

  assert.equal(unasked, 0)
  assert.deepEqual(known, { roundTripUs: 0, offsetUs: 9_000_000 })
  assert.deepEqual(asked[0], '{"kind":"clock_question","number":1}')
})

test('a device that does not say that it tells the time is not asked', async (t) => {
  const { native, peer, state, start } = linked(t)
  const asked: string[] = []
  native.device.heard = (text) => void asked.push(text)
  peer.clock.follow(() => {})

  start()
  await state('linked')

  assert.deepEqual([asked, peer.clock.estimate], [[], null])
})
