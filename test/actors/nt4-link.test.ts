// The link over a fake network, and over a real server that restarts.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { createActor } from 'xstate'
import { ask } from '../../actors/ask.ts'
import { nt4LinkActor } from '../../actors/nt4-link.ts'
import { endEffects } from '../../actors/run.ts'
import type { Fault } from '../../machines/fault.ts'
import { Latest } from '../../machines/latest.ts'
import { nt4LinkStatus } from '../../machines/nt4-link.ts'
import { FakeNt4Port } from '../../native/nt4/fake.ts'
import type { Nt4Port, Nt4Session } from '../../native/nt4/port.ts'
import { wsNt4 } from '../../native/nt4/ws-port.ts'
import { simulatedClock, until } from '../support/clock.ts'
import { crudeClient, eventually, gather, nt4Lab } from '../support/nt4.ts'
import { arrival } from '../support/until.ts'

const linked = <Port extends Pick<Nt4Port, 'connect'> = FakeNt4Port>(
  t: TestContext,
  nt4: Port = new FakeNt4Port() as unknown as Port,
  target = 'robot.local',
) => {
  const slot = new Latest<Nt4Session | undefined>()
  const noted: Fault[] = []
  const clock = simulatedClock()
  const actor = createActor(nt4LinkActor({ nt4, slot, note: (fault) => noted.push(fault) }), {
    input: { target, clientName: 'vedette', server: null, seed: 0.5 },
    clock,
  })
  const said: string[] = []
  actor.on('*', ({ type }) => said.push(type))
  actor.start()
  t.after(() => Effect.runPromise(endEffects(actor)))
  const state = (name: string) =>
    until(actor, (snapshot) => nt4LinkStatus(snapshot).state === name, `a link that is ${name}`)
  return { actor, nt4, slot, noted, clock, said, state }
}

test('a session is offered while it lives, and another one after the back-off', async (t) => {
  const { nt4, slot, noted, clock, said, state } = linked(t)
  await state('connected')
  const first = nt4.session
  assert.equal(slot.value, first)
  assert.deepEqual(first?.to, { host: 'robot.local', port: 5810, name: 'vedette' })

  first?.drop()
  await state('backing-off')
  assert.equal(slot.value, undefined)
  clock.increment(2_000)
  await state('connected')

  assert.equal(nt4.sessions.length, 2)
  assert.equal(slot.value, nt4.session)
  assert.deepEqual(said, ['link.up', 'link.down', 'link.up'])
  assert.deepEqual(
    noted.map(({ code }) => code),
    ['nt4.silent'],
  )
})

test('a robot that is off is dialled again and again, and found when it is on', async (t) => {
  const nt4 = new FakeNt4Port()
  nt4.unreachable = { code: 'nt4.unreachable', detail: 'nothing answers' }
  const { actor, clock, noted, state } = linked(t, nt4)

  for (let round = 0; round < 5; round++) {
    await state('backing-off')
    clock.increment(6_000)
  }
  assert.equal(nt4LinkStatus(actor.getSnapshot()).fault?.code, 'nt4.unreachable')
  nt4.unreachable = undefined
  await state('backing-off')
  clock.increment(6_000)
  await state('connected')

  assert.equal(noted.length, 1)
  assert.equal(nt4.sessions.length, 1)
})

test('another target ends the session and dials there', async (t) => {
  const { actor, nt4, slot, state } = linked(t)
  await state('connected')
  const old = nt4.session as Nt4Session

  const reply = await Effect.runPromise(ask(actor, { type: 'target.set', target: '10.1.2.3:99', clientName: 'front' }))
  await until(actor, () => nt4.sessions.length === 2 && slot.value === nt4.session)

  assert.equal(reply.outcome, 'done')
  assert.deepEqual(nt4.session?.to, { host: '10.1.2.3', port: 99, name: 'front' })
  assert.equal(old.write([]), false, 'the old one is closed')
})

test('switched off, the link holds no session', async (t) => {
  const { actor, nt4, slot, state } = linked(t)
  await state('connected')
  const gone = new Promise((resolve) => nt4.session?.onClosed(resolve))

  await Effect.runPromise(ask(actor, { type: 'target.set', target: 'off', clientName: 'vedette' }))
  await arrival('the end of the session', gone)

  assert.equal(nt4LinkStatus(actor.getSnapshot()).state, 'off')
  assert.equal(slot.value, undefined)
})

test('over three restarts of a real server the link publishes each topic once per connection', async (t) => {
  const lab = nt4Lab(t)
  let server = await lab.serve()
  const { port } = server
  const { slot, clock, state } = linked(t, wsNt4, `127.0.0.1:${port}`)
  const publishAll = (session: Nt4Session | undefined) => {
    session?.write(Array.from({ length: 25 }, (_, n) => [session.publish(`/limelight/${n}`, 'double'), n] as const))
  }
  slot.subscribe(publishAll)
  await state('connected')

  for (let round = 1; round <= 3; round++) {
    await lab.end(server)
    await state('backing-off')
    server = await lab.serve({ port })
    const watcher = await crudeClient(t, port, { path: '/nt/watcher' })
    const heard = gather(await lab.connect(port, 'reader'), ['/limelight/'], { prefix: true, all: true })
    watcher.say(['subscribe', { topics: ['$pub$/limelight/'], subuid: 1, options: { prefix: true, topicsonly: true } }])
    clock.increment(2_000)
    await state('connected')
    await heard.atLeast(25)
    await eventually(() => watcher.heard.length >= 25)

    assert.deepEqual([heard.updates.length, watcher.heard.length, server.clients()], [25, 25, 3], `round ${round}`)
  }
})
