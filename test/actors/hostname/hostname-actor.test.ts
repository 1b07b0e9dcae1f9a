// The name of the device at work: read, changed, and found again when others change it.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createActor } from 'xstate'
import { askNow } from '../../../actors/ask.ts'
import { hostnameActor } from '../../../actors/hostname/hostname-actor.ts'
import { Latest } from '../../../machines/latest.ts'
import { FakeHostname } from '../../../native/hostname/fake.ts'
import { simulatedClock, untilState } from '../../support/clock/clock.ts'

const refused = { code: 'device.failed', detail: 'it may not' } as const

const named = async (t: TestContext, port = new FakeHostname()) => {
  const slot = new Latest<string>()
  const clock = simulatedClock()
  const actor = createActor(hostnameActor({ port, slot }), { clock }).start()
  t.after(() => actor.stop())
  await untilState(actor, (snapshot) => snapshot.matches('idle'))
  return { port, slot, clock, actor, change: (name: string) => askNow(actor, { type: 'hostname.set', name }) }
}

test('all know the name from the start, and a new one as soon as the change is answered', async (t) => {
  const { slot, port, change } = await named(t)
  assert.equal(slot.value, 'vedette-7')

  const { outcome } = await change('front')

  assert.deepEqual([outcome, slot.value, port.name], ['done', 'front', 'front'])
})

test('a change that the device refuses is answered with the reason, and the name stays', async (t) => {
  const { slot, port, actor, change } = await named(t)
  port.fault = refused

  const answer = await change('front')

  assert.ok(answer.outcome === 'failed')
  assert.deepEqual(answer.fault, refused)
  assert.equal(slot.value, 'vedette-7')
  port.fault = null
  await untilState(actor, (snapshot) => snapshot.matches('idle'))
})

test('a name that somebody else gave, and one that cannot be read, are noticed within ten seconds', async (t) => {
  const { slot, port, clock, actor } = await named(t)
  const read = async () => {
    clock.increment(10_000)
    await untilState(actor, (snapshot) => snapshot.matches('idle'))
    const { name, fault } = actor.getSnapshot().context
    return { name, fault, told: slot.value }
  }

  port.name = 'by-hand'
  assert.deepEqual(await read(), { name: 'by-hand', fault: null, told: 'by-hand' })

  port.fault = refused
  assert.deepEqual(await read(), { name: null, fault: refused, told: 'by-hand' })

  port.fault = null
  assert.deepEqual(await read(), { name: 'by-hand', fault: null, told: 'by-hand' })
})
