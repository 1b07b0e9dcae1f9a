// Announcing and listening at work, in a network that is a fake.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { createActor } from 'xstate'
import { dnsSdActor } from '../../../actors/discovery/dns-sd-actor.ts'
import { PeerCandidates } from '../../../actors/discovery/peer-candidates.ts'
import { endEffects } from '../../../actors/run.ts'
import type { Announced, Received } from '../../../machines/discovery/announcement.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import { FakeDnsSd } from '../../../native/discovery/fake-dns-sd.ts'
import { simulatedClock, untilState } from '../../support/clock/clock.ts'

const idOf = (n: number): string => `0d0c2a5e-9c1b-4a52-8c0f-${String(n).padStart(12, '0')}`
const device = (n: number): Received => ({
  name: `device-${n}`,
  address: `10.12.34.${n}`,
  port: 5800,
  txt: { id: idOf(n), v: '1.0' },
})

const listening = async (t: TestContext, reason: string | null = null) => {
  const port = new FakeDnsSd()
  const told: number[] = []
  const faults: string[] = []
  const events = { publish: (_kind: unknown, fact: { revision: number }) => told.push(fact.revision) }
  const own = () => ({ device_id: idOf(11), fingerprint: null })
  const candidates = new PeerCandidates({ events: events as never, nowMs: () => 1_000, wait: async () => {}, own })
  const announced: { now: Announced | null } = { now: { name: 'front-0d0c2a5e', port: 5800, txt: {} } }
  const clock = simulatedClock()
  const served = new Set(['10.12.34.11', '10.12.34.99'])
  const parts = {
    port,
    candidates,
    isServedAt: (at: string) => served.has(at),
    announced: () => announced.now,
    record: (fault: Fault) => void faults.push(fault.detail),
  }
  const actor = createActor(dnsSdActor(parts), { clock, input: { reason } }).start()
  t.after(async () => {
    actor.stop()
    await Effect.runPromise(endEffects(actor))
  })
  const state = (value: string) => untilState(actor, (snapshot) => snapshot.matches(value as never))
  const round = async () => {
    await untilState(actor, (snapshot) => snapshot.matches({ browsing: 'listening' }))
    clock.increment(5_000)
    await untilState(actor, (snapshot) => !snapshot.matches({ browsing: 'asking' }))
  }
  const names = () => candidates.all.map(({ name }) => name)
  return { port, candidates, announced, clock, actor, told, faults, state, round, names }
}

test('this device is announced, and those who are there are listed, but for itself', async (t) => {
  const { port, state, round, names, told } = await listening(t)
  port.others
    .add(device(11))
    .add(device(12))
    .add({ ...device(13), address: '8.8.8.8' })
  await state('browsing')
  await round()

  assert.deepEqual(
    [...port.announced].map((each) => each?.name),
    ['front-0d0c2a5e'],
  )
  assert.deepEqual(names(), ['device-12'])
  await round()
  assert.deepEqual(told, [1], 'to be heard again is no news')
})

test('who was switched off is gone after three rounds, and who says goodbye at once', async (t) => {
  const { port, state, round, names, told } = await listening(t)
  port.others.add(device(12)).add(device(13))
  await state('browsing')
  await round()
  assert.deepEqual(names(), ['device-12', 'device-13'])

  port.leave(device(13))
  assert.deepEqual(names(), ['device-12'])
  port.others.clear()
  for (let n = 0; n < 3; n++) await round()
  assert.deepEqual(names(), ['device-12'])
  await round()

  assert.deepEqual([names(), told.length], [[], 4])
})

test('other networks, and another name, are begun with anew', async (t) => {
  const { port, state, round, announced, actor } = await listening(t)
  await state('browsing')

  port.networks = ['10.12.34.99', '192.168.1.5']
  await round()
  await state('browsing')
  assert.deepEqual(actor.getSnapshot().context.survey.addresses, ['10.12.34.99'], 'it is not served on the other')
  announced.now = { name: 'rear-0d0c2a5e', port: 5800, txt: {} }
  await round()
  await untilState(actor, (snapshot) => snapshot.context.survey.announced?.name === 'rear-0d0c2a5e')
  await state('browsing')
  await round()

  assert.deepEqual(
    [...port.announced].map((each) => each?.name),
    ['rear-0d0c2a5e'],
  )
})

test('without a network, and when it fails, it is off for a while and lists nobody who was only heard', async (t) => {
  const { port, state, round, clock, actor, names, faults } = await listening(t)
  port.others.add(device(12))
  await state('browsing')
  await round()
  assert.deepEqual(names(), ['device-12'])

  port.fail({ code: 'discovery.failed', detail: 'the port is taken' })
  await state('failed')
  assert.deepEqual([names(), actor.getSnapshot().context.reason], [[], 'the port is taken'])
  port.networks = []
  clock.increment(15_000)
  await state('alone')
  assert.match(actor.getSnapshot().context.reason ?? '', /no address/)
  port.networks = ['10.12.34.11']
  port.fault = { code: 'discovery.failed', detail: 'still taken' }
  clock.increment(5_000)
  await state('failed')
  port.fault = null
  assert.deepEqual(faults, ['the port is taken', 'still taken'])
  clock.increment(15_000)
  await state('browsing')
  await round()
  assert.deepEqual(names(), ['device-12'])
})

test('somebody may ask at once, and off it stays off', async (t) => {
  const { port, state, round, actor } = await listening(t)
  await state('browsing')
  await round()
  const { asks } = port
  actor.send({ type: 'peers.ask' })
  assert.equal(port.asks, asks + 1)

  const off = await listening(t, 'nobody could reach it')
  off.actor.send({ type: 'peers.ask' })
  assert.deepEqual([off.actor.getSnapshot().value, off.port.asks, off.port.announced.size], ['off', 0, 0])
})
