// The networks of a device at work: changed on trial, and gone on with after a run that was killed.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { createActor } from 'xstate'
import { askNow } from '../../../actors/ask.ts'
import { networkActor } from '../../../actors/network/network-actor.ts'
import { Latest } from '../../../machines/latest.ts'
import type { NetworkChange } from '../../../machines/network/change.ts'
import { givenAddresses } from '../../../machines/network/interface.ts'
import type { ChangeRecord, DatedNews } from '../../../machines/network/record.ts'
import { FakeNetwork, FakeNetworkRecords } from '../../../native/network/fake.ts'
import { simulatedClock, untilState } from '../../support/clock/clock.ts'
import { until } from '../../support/until.ts'

const FIRST = '10.2.54.37'
const NEW = '10.2.54.11'
const toStatic: NetworkChange = { interface: 'eth0', method: 'static', address: NEW, prefix: 24, confirm_within_s: 30 }

/** A run of the service on a device and what an earlier run left of it. */
const run = async (
  t: TestContext,
  port = new FakeNetwork(),
  records = new FakeNetworkRecords(),
  monotonicUs = () => 0,
) => {
  const clock = simulatedClock()
  const news = new Latest<DatedNews>()
  const steps: string[] = []
  news.subscribe(({ step }) => steps.push(step))
  const told: string[] = []
  const actor = createActor(
    networkActor({
      port,
      records,
      news,
      startJob: () => Effect.succeed('a-1'),
      tell: (names) => told.push(...names),
      monotonicUs,
    }),
    { clock },
  ).start()
  t.after(() => actor.stop())
  await untilState(actor, (snapshot) => !snapshot.matches('restoring'))
  const settled = () => untilState(actor, (snapshot) => snapshot.matches('idle'))
  return {
    port,
    records,
    clock,
    actor,
    steps,
    told,
    settled,
    order: (change = toStatic, over = FIRST) => askNow(actor, { type: 'network.change', change, over }, '5 seconds'),
    confirm: (over: string) => askNow(actor, { type: 'network.confirm', over }, '5 seconds'),
    /** As soon as the change is in force. */
    inForce: async () => {
      clock.increment(500)
      await untilState(actor, (snapshot) => snapshot.matches({ tried: 'in-force' }))
    },
    address: async () => {
      const { interfaces } = await Effect.runPromise(port.read)
      return interfaces[0] && givenAddresses(interfaces[0])[0]?.address
    },
    kill: () => actor.stop(),
  }
}

test('a change is confirmed over its new address, and kept', async (t) => {
  const { order, inForce, confirm, settled, address, records, steps } = await run(t)

  assert.equal((await order()).outcome, 'done')
  assert.equal(await address(), FIRST, 'it is answered before anything changes')
  await inForce()
  assert.equal((await confirm(NEW)).outcome, 'done')
  await settled()

  assert.equal(await address(), NEW)
  assert.deepEqual([records.record?.phase, records.record?.outcome?.kept], ['ended', true])
  assert.deepEqual(steps, ['ordered', 'applying', 'waiting', 'keeping', 'ended'])
})

test('a change that is kept stays when only that it is over cannot be written down', async (t) => {
  const records = new FakeNetworkRecords()
  const { save } = records
  const port = new FakeNetwork()
  const failing = Object.assign(records, {
    save: (record: ChangeRecord) => {
      if (record.phase === 'ended') records.fault = { code: 'storage.full', detail: 'the disk is full' }
      return save(record)
    },
  })
  const { order, inForce, confirm, settled, address } = await run(t, port, failing)
  await order()
  await inForce()

  assert.equal((await confirm(NEW)).outcome, 'done')
  await settled()
  assert.equal(await address(), NEW)

  const next = await run(t, port, Object.assign(records, { save, fault: null }))
  await next.settled()
  assert.deepEqual([await next.address(), records.record?.outcome?.kept], [NEW, true])
})

test('a change that nobody confirms is undone after its time, and says why', async (t) => {
  const { order, inForce, clock, settled, address, records } = await run(t)
  await order()
  await inForce()

  clock.increment(29_999)
  assert.equal(await address(), NEW)
  clock.increment(1)
  await settled()

  assert.equal(await address(), FIRST)
  assert.deepEqual(records.record?.outcome, { kept: false, reason: 'nobody confirmed the change in time' })
})

test('a confirmation over the address that is gone, or over another interface, does not count', async (t) => {
  const { order, inForce, confirm, address } = await run(t)
  await order()
  await inForce()

  for (const over of [FIRST, '::ffff:10.2.54.37', '192.168.7.7', '127.0.0.1']) {
    const reply = await confirm(over)
    assert.ok(reply.outcome === 'failed')
    assert.equal(reply.fault.code, 'network.wrong_way')
    assert.match(reply.fault.detail, /10\.2\.54\.11/)
  }
  assert.equal(await address(), NEW)
})

test('whoever ordered it over another interface confirms it there, and without addresses by its own', async (t) => {
  const ways = [
    ['192.168.7.7', '192.168.7.7'],
    ['127.0.0.1', '127.0.0.1'],
    [FIRST, 'fe80::da3a:ddff:fe12:3456%eth0'],
  ] as const
  for (const [over, back] of ways) {
    const { order, inForce, confirm } = await run(t)
    await order(toStatic, over)
    await inForce()

    assert.equal((await confirm(back)).outcome, 'done', back)
  }
})

test('there is one change at a time, and nothing to confirm without one', async (t) => {
  const { order, confirm, inForce } = await run(t)
  const early = await confirm(FIRST)
  await order()
  const second = await order({ ...toStatic, address: '10.2.54.12' })
  const tooEarly = await confirm(FIRST)
  await inForce()

  const codes = [early, second, tooEarly].map((reply) => reply.outcome !== 'done' && reply.fault.code)
  assert.deepEqual(codes, ['network.nothing_waits', 'actor.not_now', 'network.nothing_waits'])
})

test('NetworkManager is restarted in the middle: what was before is put back by hand', async (t) => {
  const { order, inForce, port, settled, address, records } = await run(t)
  await order()
  await inForce()

  port.loseCheckpoint()
  await settled()

  assert.equal(await address(), FIRST)
  assert.match(String(records.record?.outcome?.reason), /restarted/)
})

test('as long as it cannot be undone that is what is wrong, and it is tried again', async (t) => {
  const { order, inForce, port, clock, actor, settled, address } = await run(t)
  await order()
  await inForce()
  port.fault = { code: 'device.failed', detail: 'it is away' }

  clock.increment(30_000)
  await untilState(actor, (snapshot) => snapshot.matches('stuck'))
  assert.equal(actor.getSnapshot().context.fault?.detail, 'it is away')
  port.fault = null
  clock.increment(5_000)
  await settled()

  assert.deepEqual([await address(), actor.getSnapshot().context.fault], [FIRST, null])
})

test('an order is refused by field before anything is done, also for an address that somebody has', async (t) => {
  const { order, port, address } = await run(t)
  port.taken.set('10.2.54.20', 'aa:bb:cc:dd:ee:ff')
  const pointersOf = async (change: Partial<NetworkChange>) => {
    const reply = await order({ ...toStatic, ...change })
    assert.ok(reply.outcome === 'failed', JSON.stringify(change))
    return reply.fault.errors?.map(({ pointer }) => pointer)
  }

  assert.deepEqual(await pointersOf({ address: '10.2.54.20' }), ['/address'])
  assert.deepEqual(await pointersOf({ interface: 'wlan0' }), ['/interface'])
  assert.deepEqual(await pointersOf({ interface: 'eth9', gateway: '10.3.3.3' }), ['/interface', '/gateway'])
  assert.deepEqual([port.done, await address()], [[], FIRST])
})

test('where nobody can change the network an order is refused with the reason', async (t) => {
  const { order } = await run(t, new FakeNetwork(['no-network-manager']))

  const reply = await order()

  assert.ok(reply.outcome === 'failed')
  assert.deepEqual([reply.fault.code, /NetworkManager does not run/.test(reply.fault.detail)], ['device.failed', true])
})

test('a change that is refused when it begins is undone with that reason', async (t) => {
  const { order, clock, settled, address, records } = await run(t, new FakeNetwork(['network-refuses']))
  await order()

  clock.increment(500)
  await settled()

  assert.equal(await address(), FIRST)
  assert.match(String(records.record?.outcome?.reason), /refuses/)
})

/** The service is killed at each step, with what NetworkManager does while it is away. */
const AWAY = {
  nothing: () => {},
  'its time is over': (port: FakeNetwork) => port.rollBack(),
  'NetworkManager is restarted': (port: FakeNetwork) => port.loseCheckpoint(),
} as const

for (const [what, happens] of Object.entries(AWAY))
  test(`killed in the middle, and ${what}: the next run ends it as kept or undone, as it is`, async (t) => {
    for (const at of ['answered', 'in force', 'confirmed'] as const) {
      const first = await run(t)
      await first.order()
      if (at !== 'answered') await first.inForce()
      if (at === 'confirmed' && first.records.record)
        first.records.record = { ...first.records.record, phase: 'confirmed' } // killed before it was kept
      first.kill()
      happens(first.port)

      const next = await run(t, first.port, first.records)
      if (next.actor.getSnapshot().matches({ tried: 'in-force' })) {
        assert.deepEqual([what, at], ['nothing', 'in force'])
        next.clock.increment(30_000)
      }
      await next.settled()

      const { outcome, phase } = next.records.record ?? {}
      const isKept = at === 'confirmed' && what !== 'its time is over'
      assert.deepEqual([phase, outcome?.kept], ['ended', isKept], at)
      assert.equal(await next.address(), isKept ? NEW : FIRST, at)
    }
  })

test('an earlier run that was killed while it waited can still be confirmed', async (t) => {
  const first = await run(t)
  await first.order()
  await first.inForce()
  first.kill()

  const next = await run(t, first.port, first.records)
  await untilState(next.actor, (snapshot) => snapshot.matches({ tried: 'in-force' }))
  assert.equal((await next.confirm(NEW)).outcome, 'done')

  assert.equal(await next.address(), NEW)
})

test('a cable that is pulled out, and put back, is told', async (t) => {
  const { port, told, actor } = await run(t)
  await until('a look', () => actor.getSnapshot().context.missing === null)

  for (const hasCable of [false, true]) {
    told.length = 0
    port.hasCable = hasCable
    port.stir()
    await until('the news', () => told.includes('eth0'))
  }
})

test('who gives addresses has fifteen seconds for it, however often the kernel tells of something else', async (t) => {
  const port = new FakeNetwork()
  let reads = 0
  let nowUs = 0
  const withoutAddress = Effect.map(port.read, ({ interfaces, ...rest }) => {
    reads += 1
    return { ...rest, interfaces: interfaces.map((each) => ({ ...each, addresses: [] })) }
  })
  const { actor } = await run(t, Object.assign(port, { read: withoutAddress }), undefined, () => nowUs)
  const lookedAgain = async () => {
    const before = reads
    port.stir()
    await until('another look', () => reads > before)
    port.stir()
    await until('one after that, when the other is told', () => reads > before + 1)
  }

  await until('a look', () => reads > 0)
  nowUs = 14_000_000
  await lookedAgain()
  assert.equal(actor.getSnapshot().context.missing, null)
  nowUs = 15_000_000
  await lookedAgain()
  assert.match(String(actor.getSnapshot().context.missing), /eth0 got no address/)
})
