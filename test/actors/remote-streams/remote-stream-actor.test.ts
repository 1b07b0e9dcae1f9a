// A stream of a peer that is worked on here, on fake parts: what is opened, read, written and waited for, and when.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { createActor } from 'xstate'
import { createEventBus } from '../../../actors/events/event-bus.ts'
import type { PeerRuntime } from '../../../actors/peers/peer-runtime.ts'
import { type RemoteStreamParts, remoteStreamActor } from '../../../actors/remote-streams/remote-stream-actor.ts'
import { RemoteStream } from '../../../actors/remote-streams/remote-streams.ts'
import { endEffects } from '../../../actors/run.ts'
import type { StreamRuntime } from '../../../actors/stream/stream-runtime.ts'
import type { ClockEstimate } from '../../../machines/clock/clock-sync.ts'
import type { SourceClock } from '../../../machines/clock/source-clock.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import type { StreamCapture } from '../../../machines/interdevice/capture.ts'
import { Latest } from '../../../machines/latest.ts'
import { peerInventory } from '../../../machines/peers/events.ts'
import { defaultGraph } from '../../../machines/pipeline/graph.ts'
import type { PeerSource } from '../../../machines/stream/sources/peer.ts'
import type { Command } from '../../../machines/supervision/actors.ts'
import type { TakePictures } from '../../../native/inlets/port.ts'
import { simulatedClock, untilState } from '../../support/clock/clock.ts'
import { storedStream } from '../../support/engine/stream-runtime.ts'
import { inventoryOf, remoteStream } from '../../support/peers/peers.ts'
import { until } from '../../support/until.ts'

const source: PeerSource = { backend: 'peer', peer_id: 'back', stream_id: 'front', fps: 30 }
const MOUNT = { x_m: 0.3, y_m: 0, z_m: 0.5, roll_deg: 0, pitch_deg: -10, yaw_deg: 0 }
const capture = {
  revision: 3,
  is_live: true,
  alias: 'Front',
  fps: 15,
  intrinsics: null,
  pose: MOUNT,
  map_id: 'demo',
  pipeline: defaultGraph,
} as unknown as StreamCapture
const away: Fault = { code: 'peer.unreachable', detail: 'nothing answers' }
const { value: manifest } = storedStream(1, { id: 'back-front', source: { backend: 'synthetic' } })

/** A peer that a test links, changes and forgets. `log` says what was done, in order. */
const attached = (t: TestContext) => {
  const log: string[] = []
  const world = { isRegistered: true, status: 'offline', revision: 3, captures: capture as StreamCapture | Fault }
  const clockOfPeer = {
    estimate: null as ClockEstimate | null,
    followers: new Set<(known: ClockEstimate | null) => void>(),
  }
  const runtime = {
    health: () => ({ status: world.status }),
    get known() {
      return { inventory: inventoryOf({ streams: [remoteStream({ revision: world.revision })] }) }
    },
    clock: {
      get estimate() {
        return clockOfPeer.estimate
      },
      follow: (follower: (known: ClockEstimate | null) => void) => {
        clockOfPeer.followers.add(follower)
        return () => void clockOfPeer.followers.delete(follower)
      },
    },
  }
  const peer = () => runtime
  const events = createEventBus({ epoch: 'here', nowMs: () => 5_000 })
  const stream = {
    id: 'back-front',
    manifest: { ...manifest, source },
    isDeleted: false,
    sourceClock: new Latest<SourceClock | null>(),
  }
  const remote = new RemoteStream(source, stream as unknown as StreamRuntime)
  const orders: Command<'settings'>[] = []
  const taken: TakePictures[] = []
  const recorded: Fault[] = []
  const ended = Promise.withResolvers<void>()
  const peersFollowers = new Set<() => void>()
  const parts = {
    remote,
    all: { released: () => void log.push('released') },
    peers: {
      get: () => (world.isRegistered ? (peer() as unknown as PeerRuntime) : undefined),
      subscribe: (changed: () => void) => {
        peersFollowers.add(changed)
        return () => void peersFollowers.delete(changed)
      },
    },
    events,
    tunnels: { preview: async () => away },
    inlets: {
      open: (take: TakePictures) =>
        Effect.acquireRelease(
          Effect.sync(() => {
            taken.push(take)
            log.push('opened')
            return 'http://inlet'
          }),
          () => Effect.sync(() => void log.push('closed')),
        ),
    },
    readCapture: async () => {
      log.push('read')
      return world.captures
    },
    write: (order: Command<'settings'>) => Effect.sync(() => void orders.push(order)),
    record: (fault: Fault) => recorded.push(fault),
    callStream: () => void log.push('called'),
    streamEnded: () =>
      Effect.flatMap(
        Effect.sync(() => void log.push('ending')),
        () => Effect.promise(() => ended.promise),
      ),
  } as unknown as RemoteStreamParts
  const clock = simulatedClock()
  const actor = createActor(remoteStreamActor(parts), { clock })
  t.after(async () => {
    actor.stop()
    await Effect.runPromise(endEffects(actor))
  })
  const tell = () => events.publish(peerInventory, { resource_ref: { peer_id: 'back' }, data: { epoch: 'x', seq: 1 } })
  return {
    actor,
    world,
    remote,
    stream,
    orders,
    log,
    taken,
    recorded,
    clock,
    ended,
    followers: () => clockOfPeer.followers.size,
    clockIs: (known: ClockEstimate | null) => {
      clockOfPeer.estimate = known
      for (const follower of clockOfPeer.followers) follower(known)
    },
    state: (value: object | string) =>
      untilState(actor, (snapshot) => snapshot.matches(value as never), JSON.stringify(value)),
    link: (status = 'linked') => {
      world.status = status
      tell()
    },
    change: () => {
      world.revision += 1
      tell()
    },
    forget: () => {
      world.isRegistered = false
      for (const changed of peersFollowers) changed()
    },
    detach: () => {
      stream.isDeleted = true
      remote.isAttached = false
      remote.changed.notify()
    },
  }
}

const FOLLOWING = { local: { local_attach: 'following' } }
const STALE = { local: { local_attach: 'stale' } }

test('the inlet is open before there is a link; with one the capture is read, and the stream is called', async (t) => {
  const { actor, state, link, log, remote, taken } = attached(t)

  actor.start()
  await state(STALE)
  await until('the inlet', () => remote.inlet !== undefined)
  const before = [...log]
  link()
  await state(FOLLOWING)
  const found = await taken[0]?.()

  assert.deepEqual(before, ['opened', 'called'])
  assert.deepEqual(log.slice(2), ['read', 'called'])
  assert.deepEqual([found, remote.refusal], [away, away], 'why there are no pictures is kept for who asks')
})

test('what the source says of the capture is written, and nothing of the pipeline', async (t) => {
  const { actor, state, link, orders } = attached(t)

  actor.start()
  link()
  await state(FOLLOWING)

  const [order] = orders as unknown as readonly { type: string; id: string; change: (before: object) => object }[]
  assert.deepEqual([order?.type, order?.id], ['document.change', 'back-front'])
  const before = { ...manifest, source, intrinsics: 'old' }
  const { intrinsics: _, ...rest } = before
  assert.deepEqual(order?.change(before), { ...rest, source: { ...source, fps: 15 }, pose: MOUNT })
  assert.equal(order?.change(manifest), manifest, 'one that has another camera by now is left alone')
})

test('it is read again with another stream or a new link; a source without an answer is asked again', async (t) => {
  const { actor, state, link, change, log, world, clock } = attached(t)
  const reads = () => log.filter((what) => what === 'read').length

  actor.start()
  link()
  await state(FOLLOWING)
  change()
  await until('another reading', () => reads() === 2)
  await state(FOLLOWING)
  link('stale')
  await state(STALE)
  world.captures = away
  link()
  await state({ local: { local_attach: 'behind' } })
  world.captures = capture
  clock.increment(2_000)
  await state(FOLLOWING)

  assert.equal(reads(), 4)
  assert.equal(log.filter((what) => what === 'opened').length, 1, 'the inlet stays')
})

test('that a source does not say how it captures is recorded once; of one that is away its link tells', async (t) => {
  const { actor, state, link, change, world, clock, recorded } = attached(t)
  const BEHIND = { local: { local_attach: 'behind' } }
  const bad: Fault = { code: 'peer.bad_answer', detail: 'makes no sense' }
  const readAgain = async () => {
    clock.increment(2_000)
    await state({ local: { local_attach: 'mirroring' } })
    await state(BEHIND)
  }

  actor.start()
  world.captures = bad
  link()
  await state(BEHIND)
  await readAgain()
  assert.deepEqual(recorded, [{ ...bad, resource: 'streams/back-front' }])
  world.captures = capture
  clock.increment(2_000)
  await state(FOLLOWING)
  world.captures = away
  change()
  await state(BEHIND)
  assert.equal(recorded.length, 1)
  world.captures = bad
  await readAgain()

  assert.equal(recorded.length, 2)
})

test('taken back, the way is closed at once, and the source has it again when nothing runs here', async (t) => {
  const { actor, state, link, detach, log, remote, ended } = attached(t)
  actor.start()
  link()
  await state(FOLLOWING)

  detach()
  await state({ local: 'releasing' })
  await until('the end of the way', () => log.includes('closed') && log.includes('ending'))
  const meanwhile = [actor.getSnapshot().matches('source'), log.includes('released'), remote.inlet]
  ended.resolve()
  await state({ source: 'proxy' })

  assert.deepEqual(meanwhile, [false, false, undefined])
  assert.equal(log.at(-1), 'released')
})

test('a peer that is forgotten takes the stream with it; one that never was there does not', async (t) => {
  const forgotten = attached(t)
  const unread = attached(t)
  unread.world.isRegistered = false

  for (const { actor, state } of [forgotten, unread]) {
    actor.start()
    await state(STALE)
  }
  forgotten.forget()
  await forgotten.state({ local: { local_attach: { detaching: 'waiting' } } })
  unread.forget()

  assert.deepEqual(
    forgotten.orders.map((order) => [order.type, 'id' in order && order.id]),
    [['document.delete', 'back-front']],
  )
  assert.deepEqual([unread.orders, unread.actor.getSnapshot().value], [[], STALE])
})

test('after a crash in the middle of that, somebody looks that nothing is left before the source has it', async (t) => {
  const { actor, state, remote, stream, ended, log } = attached(t)
  remote.isAttached = false
  stream.isDeleted = true

  actor.start()
  await state({ local: 'releasing' })
  ended.resolve()
  await state({ source: 'proxy' })

  assert.deepEqual(log, ['ending', 'released'])
})

test('the clock of the source is given to the stream that computes, and to the stream that replaces it', async (t) => {
  const { actor, state, link, clockIs, followers, remote, stream, detach } = attached(t)
  actor.start()
  await state(STALE)
  await until('the inlet', () => remote.inlet !== undefined)
  const before = stream.sourceClock.value
  link()
  await state(FOLLOWING)

  clockIs({ offsetUs: -4_000, roundTripUs: 3_001 })
  const known = stream.sourceClock.value
  const next = { ...stream, sourceClock: new Latest<SourceClock | null>() }
  remote.stream = next as unknown as StreamRuntime
  remote.changed.notify()
  const ofNext = next.sourceClock.value
  clockIs(null)
  const lost = next.sourceClock.value
  clockIs({ offsetUs: 7, roundTripUs: 0 })
  detach()
  await until('the end', () => followers() === 0)

  assert.equal(before, null)
  assert.deepEqual([known, ofNext, lost], [{ offset_us: -4_000, within_us: 6_501 }, known, null])
  assert.equal(next.sourceClock.value, null)
})
