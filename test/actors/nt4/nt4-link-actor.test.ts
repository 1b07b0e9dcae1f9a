// The link over a fake network, and over a real server that restarts.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { createActor } from 'xstate'
import { nt4LinkActor } from '../../../actors/nt4/nt4-link-actor.ts'
import { endEffects } from '../../../actors/run.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import { Latest } from '../../../machines/latest.ts'
import { nt4LinkStatus } from '../../../machines/nt4/nt4-link-machine.ts'
import { FakeNt4Port } from '../../../native/nt4/fake.ts'
import type { Nt4Port, Nt4Session } from '../../../native/nt4/port.ts'
import { settle, simulatedClock, untilState } from '../../support/clock/clock.ts'
import { crudeClient, eventually, gather, nt4Lab } from '../../support/nt4/nt4.ts'
import { wsNt4 } from '../../support/nt4/ws-nt4.ts'
import { arrival } from '../../support/until.ts'

const MAX_CYCLE_MS = 1_250

const linked = <Port extends Pick<Nt4Port, 'connect'> = FakeNt4Port>(
  t: TestContext,
  nt4: Port = new FakeNt4Port() as unknown as Port,
  target = 'robot.local',
  realTime = false,
) => {
  const slot = new Latest<Nt4Session | undefined>()
  const recorded: Fault[] = []
  const clock = simulatedClock()
  const actor = createActor(nt4LinkActor({ nt4, slot, record: (fault) => recorded.push(fault) }), {
    input: { target, clientName: 'vedette', server: null, seed: 0.5 },
    ...(realTime ? {} : { clock }),
  })
  const offered: boolean[] = []
  slot.subscribe((session) => offered.push(session !== undefined))
  actor.start()
  t.after(async () => {
    await Effect.runPromise(endEffects(actor))
    actor.stop()
  })
  const state = (name: string) =>
    untilState(actor, (snapshot) => nt4LinkStatus(snapshot).state === name, `a link that is ${name}`)
  return { actor, nt4, slot, recorded, clock, offered, state }
}

test('a session is offered while it lives, and another one a cycle after', async (t) => {
  const { nt4, slot, recorded, clock, offered, state } = linked(t)
  await state('connected')
  const first = nt4.session
  assert.equal(slot.value, first)
  assert.deepEqual(first?.to, { host: 'robot.local', port: 5810, name: 'vedette' })

  first?.drop()
  await state('dialling')
  assert.equal(slot.value, undefined)
  clock.increment(MAX_CYCLE_MS)
  await state('connected')

  assert.equal(nt4.sessions.length, 2)
  assert.equal(slot.value, nt4.session)
  assert.deepEqual(offered, [true, false, true])
  assert.deepEqual(
    recorded.map(({ code }) => code),
    ['nt4.silent'],
  )
})

test('of several hosts the first that answers is used at once, whatever the others do', async (t) => {
  const nt4 = new FakeNt4Port()
  nt4.swallowing.add('10.0.0.1')
  nt4.mute.add('10.0.0.2')
  const { actor, state } = linked(t, nt4, '10.0.0.1,10.0.0.2,10.0.0.3:5811')

  await state('connected')

  assert.equal(nt4LinkStatus(actor.getSnapshot()).address, '10.0.0.3:5811')
  assert.deepEqual(
    nt4.dialled.map(({ host }) => host),
    ['10.0.0.1', '10.0.0.2', '10.0.0.3'],
  )
})

test('a robot that is off is dialled again and again, and found when it is on', async (t) => {
  const nt4 = new FakeNt4Port()
  nt4.unreachable = { code: 'nt4.unreachable', detail: 'nothing answers' }
  const { actor, clock, recorded, state } = linked(t, nt4)

  const attempts = (count: number) => untilState(actor, () => nt4.dialled.length === count)
  for (let round = 1; round <= 100; round++) {
    await attempts(round)
    await settle()
    clock.increment(MAX_CYCLE_MS)
  }
  assert.equal(nt4LinkStatus(actor.getSnapshot()).fault?.code, 'nt4.unreachable')
  nt4.unreachable = undefined
  await settle()
  clock.increment(MAX_CYCLE_MS)
  await state('connected')

  assert.equal(recorded.length, 1)
  assert.equal(nt4.sessions.length, 1)
})

const RADIO = '10.12.34.2'
const NAME = 'roboRIO-1234-FRC.local'
const USB = '172.22.11.2'

test('addresses that do not answer, or answer and say nothing, delay no other one', async (t) => {
  const nt4 = new FakeNt4Port()
  nt4.unreachable = { code: 'nt4.unreachable', detail: 'nothing answers' }
  nt4.swallowing.add(RADIO)
  nt4.mute.add(NAME)
  const { clock, slot, recorded, state } = linked(t, nt4, 'team:1234')
  const attempts = (host: string) => nt4.dialled.filter((to) => to.host === host).length
  await settle()
  assert.deepEqual(
    nt4.dialled.map(({ host }) => host),
    [RADIO, NAME, USB],
  )

  for (let ms = 0; ms < 20_000; ms += 50) {
    clock.increment(50)
    await settle()
  }
  assert.ok(attempts(USB) >= 16 && attempts(USB) <= 27, `${attempts(USB)} attempts at an address that refuses`)
  assert.ok(attempts(RADIO) >= 16 && attempts(RADIO) <= 27, `${attempts(RADIO)} attempts at one that swallows`)
  assert.ok(attempts(NAME) <= 5, `${attempts(NAME)} attempts at one that is given time for its handshake`)

  nt4.unreachable = undefined
  clock.increment(MAX_CYCLE_MS)
  await state('connected')
  assert.equal(slot.value, nt4.session)
  assert.equal(nt4.session?.to.host, USB)
  assert.ok(recorded.length <= 1)
})

test('of addresses that answer at the same moment one session is kept, and the others are closed', async (t) => {
  const { nt4, slot, offered, state } = linked(t, new FakeNt4Port(), 'team:1234')
  await state('connected')
  await settle()

  const alive = nt4.sessions.filter((session) => session.write([]))
  assert.equal(nt4.dialled.length, 3)
  assert.equal(alive.length, 1)
  assert.equal(slot.value, alive[0])
  assert.deepEqual(offered, [true])
})

test('when the session is lost all addresses are dialled again, and the robot is found where it is now', async (t) => {
  const nt4 = new FakeNt4Port()
  for (const host of [RADIO, NAME]) nt4.swallowing.add(host)
  const { clock, slot, state } = linked(t, nt4, 'team:1234')
  await state('connected')

  nt4.swallowing.clear()
  nt4.swallowing.add(USB)
  nt4.session?.drop()
  await state('connected')
  await settle()
  clock.increment(10_000)
  await settle()

  const alive = nt4.sessions.filter((session) => session.write([]))
  assert.equal(alive.length, 1)
  assert.equal(slot.value, alive[0])
  assert.notEqual(alive[0]?.to.host, USB)
})

test('an attempt that breaks is a bug of the link, which its supervisor hears of', async (t) => {
  const bug = new Error('the port is broken')
  const unreachable: Fault = { code: 'nt4.unreachable', detail: 'nothing answers' }
  let dialled = 0
  const nt4: Pick<Nt4Port, 'connect'> = {
    connect: ({ host }) => {
      dialled += 1
      return host === NAME ? Effect.andThen(Effect.promise(settle), Effect.die(bug)) : Effect.fail(unreachable)
    },
  }
  const { actor, clock } = linked(t, nt4, 'team:1234')
  const broken = new Promise((resolve) => actor.subscribe({ error: resolve }))

  assert.equal(await broken, bug)
  const before = dialled
  clock.increment(10_000)
  await settle()
  assert.equal(dialled, before, 'nobody dials on')
})

test('another target ends the session and dials there', async (t) => {
  const { actor, nt4, slot, state } = linked(t)
  await state('connected')
  const old = nt4.session as Nt4Session

  actor.send({ type: 'target.set', target: '10.1.2.3:99', clientName: 'front' })
  await untilState(actor, () => nt4.sessions.length === 2 && slot.value === nt4.session)

  assert.deepEqual(nt4.session?.to, { host: '10.1.2.3', port: 99, name: 'front' })
  assert.equal(old.write([]), false, 'the old one is closed')
})

test('switched off, the link holds no session', async (t) => {
  const { actor, nt4, slot, state } = linked(t)
  await state('connected')
  const gone = new Promise((resolve) => nt4.session?.onClosed(resolve))

  actor.send({ type: 'target.set', target: 'off', clientName: 'vedette' })
  await arrival('the end of the session', gone)

  assert.equal(nt4LinkStatus(actor.getSnapshot()).state, 'off')
  assert.equal(slot.value, undefined)
})

test('a server that takes the link and hangs up at once, over and over, is called once a cycle', async (t) => {
  const { actor, nt4, slot, clock, offered, state } = linked(t)

  for (let round = 1; round <= 50; round++) {
    await state('connected')
    nt4.session?.drop({ code: 'nt4.closed', detail: 'the program is restarted' })
    await state('dialling')
    await settle()
    assert.equal(nt4.dialled.length, round, 'not before its time')
    assert.equal(slot.value, undefined)
    clock.increment(MAX_CYCLE_MS)
  }

  await state('connected')
  assert.equal(nt4.dialled.length, 51)
  assert.equal(offered.length, 101)
  assert.equal(Object.keys(actor.getSnapshot().children).length, 1)
})

test('a real server that goes and comes is found each time, beside a silent host and one that refuses', async (t) => {
  const lab = nt4Lab(t)
  const held = new Set<Socket>()
  const silent = createServer((socket) => held.add(socket))
  t.after(() => {
    silent.close()
    for (const socket of held) socket.destroy()
  })
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  const nobody = await lab.serve()
  await lab.end(nobody)
  let server = await lab.serve()
  const ports: Record<string, number> = {
    [RADIO]: (silent.address() as AddressInfo).port,
    [NAME]: nobody.port,
    [USB]: server.port,
  }
  const mapped: Pick<Nt4Port, 'connect'> = {
    connect: (to, ...rest) => wsNt4.connect({ ...to, host: '127.0.0.1', port: ports[to.host] as number }, ...rest),
  }
  const { actor, slot, state } = linked(t, mapped, 'team:1234', true)

  for (let round = 1; round <= 4; round++) {
    await state('connected')
    assert.equal(nt4LinkStatus(actor.getSnapshot()).address, `${USB}:5810`)
    const heard = gather(await lab.connect(server.port, 'reader'), ['/x'])
    const session = slot.value as Nt4Session
    session.write([[session.publish('/x', 'double'), round]])
    await heard.atLeast(1)
    assert.equal(server.clients(), 2)
    await lab.end(server)
    await state('dialling')
    server = await lab.serve({ port: server.port })
  }
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
    await state('dialling')
    server = await lab.serve({ port })
    const watcher = await crudeClient(t, port, { path: '/nt/watcher' })
    const heard = gather(await lab.connect(port, 'reader'), ['/limelight/'], { prefix: true, all: true })
    watcher.say(['subscribe', { topics: ['$pub$/limelight/'], subuid: 1, options: { prefix: true, topicsonly: true } }])
    clock.increment(MAX_CYCLE_MS)
    await state('connected')
    await heard.atLeast(25)
    await eventually(() => watcher.heard.length >= 25)

    assert.deepEqual([heard.updates.length, watcher.heard.length, server.clients()], [25, 25, 3], `round ${round}`)
  }
})
