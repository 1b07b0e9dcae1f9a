// What a session hears of those who read what it publishes.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { pack } from 'msgpackr'
import { WIRE } from '../../../../native/nt4/codec.ts'
import { PROTOCOL_40 } from '../../../../native/nt4/protocol.ts'
import { hasReaders } from '../../../../native/nt4/subscribers.ts'
import { caughtUp, crudeClient, crudeServer, message, nt4Lab } from '../../../support/nt4/nt4.ts'
import { until } from '../../../support/until.ts'

/** A session that publishes a topic, and what it has heard of its readers so far. */
const publisher = async (t: TestContext, port: number) => {
  const session = await nt4Lab(t).connect(port, 'device')
  const handle = session.publish('/camera/json', 'string')
  const heard: boolean[] = []
  const stop = session.onReaders(handle, (now) => heard.push(now))
  const toHave = (...wanted: boolean[]) =>
    until(
      `news of readers: ${wanted}`,
      () => heard,
      (now) => `${now}` === `${wanted}`,
    )
  return { session, heard, stop, toHave }
}

test('readers that come and go are told of, those who only want to know the topic are none', async (t) => {
  const { port } = await nt4Lab(t).serve()
  const { toHave, session, stop, heard } = await publisher(t, port)
  await toHave(false)

  const client = await crudeClient(t, port)
  client.say(['subscribe', { topics: ['/camera'], subuid: 1, options: { prefix: true, topicsonly: true } }])
  client.say(['subscribe', { topics: [''], subuid: 2, options: { prefix: true } }])
  await toHave(false, true)
  client.socket.terminate()
  await toHave(false, true, false)

  stop()
  const another = await crudeClient(t, port)
  another.say(['subscribe', { topics: ['/camera/json'], subuid: 1, options: {} }])
  await caughtUp(session)
  assert.equal(heard.length, 3)
})

test('of a server that does not tell, or speaks an older version, nothing is heard', async (t) => {
  const [mute, old] = [await crudeServer(t), await crudeServer(t, { protocol: PROTOCOL_40 })]
  const publishers = [await publisher(t, mute.port), await publisher(t, old.port)]
  for (const { session } of publishers) session.write([])
  await until('what both say', () => mute.texts.join().includes('$sub$') && old.texts.join().includes('/camera/json'))

  assert.ok(!old.texts.join().includes('$sub$'))
  assert.deepEqual(
    publishers.map(({ heard }) => heard),
    [[], []],
  )
})

test('what a server says that cannot be read counts as a reader', async (t) => {
  const server = await crudeServer(t)
  const { toHave } = await publisher(t, server.port)
  const about = JSON.stringify([
    { method: 'announce', params: { name: '$sub$/camera/json', id: 9, type: 'msgpack', properties: {} } },
  ])
  const said = [pack([]), Buffer.from([0xc1])].map((value, n) => message(9, 1 + n, WIRE.bytes, value))

  server.send(about, ...said)

  await toHave(false, true)
  const unreadable = [pack('all'), pack({}), pack(null), Buffer.alloc(0), 'text']
  assert.deepEqual(
    unreadable.map(hasReaders),
    unreadable.map(() => true),
  )
  assert.equal(hasReaders(pack([null, { options: { topicsonly: true } }])), true)
})
