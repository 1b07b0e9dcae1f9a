// When clients are asked whether they are still there.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PROTOCOL_40, PROTOCOL_RTT } from '../../../../native/nt4/protocol.ts'
import { Probes } from '../../../../native/nt4/server/probes.ts'
import { countKeptAlive } from '../../../support/api/kept-alive.ts'
import { crudeClient, eventually, nt4Lab } from '../../../support/nt4/nt4.ts'
import { until } from '../../../support/until.ts'

test('all clients are asked five times a second, and nobody is when none is there', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const [one, two] = [{ probe: t.mock.fn() }, { probe: t.mock.fn() }]
  const clients = new Set([one])
  const probes = new Probes(clients)

  probes.changed()
  t.mock.timers.tick(1_000)
  clients.add(two)
  probes.changed()
  t.mock.timers.tick(1_000)
  clients.clear()
  probes.changed()
  t.mock.timers.tick(1_000)
  clients.add(two)
  probes.changed()
  t.mock.timers.tick(200)

  assert.deepEqual([one.probe.mock.callCount(), two.probe.mock.callCount()], [10, 6])
})

test('who speaks 4.1 is pinged, who speaks 4.0 is not and stays', async (t) => {
  const server = await nt4Lab(t).serve()
  const [old, recent] = [
    await crudeClient(t, server.port, { protocols: [PROTOCOL_40] }),
    await crudeClient(t, server.port),
  ]
  const [oldPinged, pinged] = [t.mock.fn(), t.mock.fn()]
  old.socket.on('ping', oldPinged)
  recent.socket.on('ping', pinged)

  await eventually(() => pinged.mock.callCount() >= 7)

  assert.equal(oldPinged.mock.callCount(), 0)
  assert.equal(server.clients(), 2)
})

test('who is not pinged and goes without a word does not keep a place for ever', async (t) => {
  const { port } = await nt4Lab(t).serve()

  for (const protocol of [PROTOCOL_40, PROTOCOL_RTT]) await crudeClient(t, port, { protocols: [protocol] })

  await until(
    'the probes of the kernel',
    () => countKeptAlive(port),
    (count) => count === 2,
  )
})
