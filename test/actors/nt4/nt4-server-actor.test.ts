// The embedded server as an actor: wanted, unwanted, and kept from its port.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { createActor } from 'xstate'
import { nt4ServerActor } from '../../../actors/nt4/nt4-server-actor.ts'
import { endEffects } from '../../../actors/run.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import { nt4ServerStatus } from '../../../machines/nt4/nt4-server-machine.ts'
import { simulatedClock, untilState } from '../../support/clock/clock.ts'
import { nt4Lab } from '../../support/nt4/nt4.ts'
import { wsNt4 } from '../../support/nt4/ws-nt4.ts'
import { arrival } from '../../support/until.ts'

const served = (t: TestContext, target: string) => {
  const recorded: Fault[] = []
  const clock = simulatedClock()
  const actor = createActor(
    nt4ServerActor({ nt4: wsNt4, persistentFile: null, record: (fault) => recorded.push(fault) }),
    {
      input: { target },
      clock,
    },
  )
  actor.start()
  t.after(() => Effect.runPromise(endEffects(actor)))
  const state = (name: string) =>
    untilState(actor, (snapshot) => nt4ServerStatus(snapshot).state === name, `a server that is ${name}`)
  return { actor, recorded, clock, state }
}

test('the server listens while it is wanted, and says where', async (t) => {
  const { actor, state } = served(t, 'off')
  const listening = new Promise<{ at: { port: number } }>((resolve) => actor.on('server.listening', resolve))

  actor.send({ type: 'target.set', target: 'serve:127.0.0.1:0' })
  const { port } = (await arrival('the address', listening)).at
  const answered = await fetch(`http://127.0.0.1:${port}/`)
  await answered.text()
  actor.send({ type: 'target.set', target: 'team:1234' })
  await state('off')
  await Effect.runPromise(endEffects(actor))

  assert.equal(answered.status, 200)
  await assert.rejects(fetch(`http://127.0.0.1:${port}/`))
})

test('a taken port is recorded once, and taken over when it is free', async (t) => {
  const lab = nt4Lab(t)
  const other = await lab.serve()
  const { recorded, clock, state } = served(t, `serve:127.0.0.1:${other.port}`)

  for (let round = 0; round < 3; round++) {
    await state('backing-off')
    clock.increment(10_000)
  }
  await state('backing-off')
  await lab.end(other)
  clock.increment(10_000)
  await state('listening')

  assert.deepEqual(
    recorded.map(({ code }) => code),
    ['nt4.port_taken'],
  )
})
