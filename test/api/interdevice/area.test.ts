// What other devices see here.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Inventory } from '../../../machines/interdevice/inventory.ts'
import { busyApi } from '../../support/busy-api.ts'

const asked = async (t: TestContext) => {
  const api = await busyApi(t)
  const inventory = async (): Promise<Inventory> =>
    (await api.app.inject({ url: '/v1/interdevice/resources', headers: { host: 'localhost' } })).json()
  return { ...api, inventory }
}

test('the inventory is of one moment: who follows the events from there misses nothing and hears nothing twice', async (t) => {
  const { fake, inventory } = await asked(t)
  const { events, identity } = fake.directory
  const before = await inventory()

  const revision = await fake.put({ id: 'front', alias: 'Bow', source: { backend: 'synthetic' } })
  const missed = events.since(before.seq, before.epoch)
  const after = await inventory()

  assert.deepEqual([before.epoch, after.seq], [identity.epoch, events.last()])
  assert.ok(missed.type === 'events' && missed.events.some((event) => event.revision === revision))
  const front = after.streams.find(({ id }) => id === 'front')
  assert.deepEqual([front?.alias, front?.revision], ['Bow', revision])
})

test('an internal stream is none of the business of other devices', async (t) => {
  const { fake, inventory } = await asked(t)

  await fake.put({ id: 'front', internal: true, source: { backend: 'synthetic' } })
  const { streams, pipelines, rig } = await inventory()

  assert.deepEqual(
    [streams, pipelines].map((each) => each.length),
    [1, 1],
  )
  assert.ok(!JSON.stringify({ streams, pipelines, rig }).includes('front'))
})

test('the formats are those that this device can give', async (t) => {
  const { inventory } = await asked(t)

  assert.deepEqual((await inventory()).streams[0]?.formats, ['mjpeg', 'jpeg', 'h264'])
})
