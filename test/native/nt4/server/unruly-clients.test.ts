// The embedded server with clients that bend the protocol: what they do concerns them alone, and nothing of it stays.
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { WIRE } from '../../../../native/nt4/codec.ts'
import { caughtUp, crudeClient, eventually, gather, message, nt4Lab } from '../../../support/nt4/nt4.ts'
import { arrival } from '../../../support/until.ts'

const publish = (name: string, pubuid: number, type = 'double'): [string, object] => [
  'publish',
  { name, pubuid, type, properties: {} },
]
const subscribe = (topics: string[], options = {}, subuid = 1): [string, object] => [
  'subscribe',
  { topics, subuid, options },
]

test('a storm of clients that come, publish and break off leaves nothing behind', async (t) => {
  const lab = nt4Lab(t)
  const server = await lab.serve()
  const watcher = await lab.connect(server.port, 'watcher')

  for (let round = 0; round < 5; round++) {
    const clients = await Promise.all(Array.from({ length: 10 }, () => crudeClient(t, server.port)))
    for (const [n, client] of clients.entries()) {
      client.say(publish('/storm', 1), publish(`/storm/${n}`, 2), subscribe(['/'], { prefix: true }))
      client.socket.send(message(1, 5, WIRE.double, n))
    }
    await eventually(() => server.clients() === 11)
    for (const { socket } of clients) socket.terminate()
    await eventually(() => server.clients() === 1)
  }

  const left = gather(watcher, ['/storm'], { prefix: true })
  await caughtUp(watcher)
  assert.deepEqual(left.updates, [])
  const late = await crudeClient(t, server.port)
  late.say(subscribe(['/storm', '$pub$/storm'], { prefix: true }), subscribe(['$serverpub'], {}, 2))
  await eventually(() => late.announced('$serverpub').length === 1)
  assert.deepEqual(late.announced('/storm'), [])
})

test('a number that a client uses again means its new topic, and one that it has given back means none', async (t) => {
  const lab = nt4Lab(t)
  const { port } = await lab.serve()
  const device = await lab.connect(port, 'device')
  const heard = gather(device, ['/'], { prefix: true, all: true })
  const client = await crudeClient(t, port)

  client.say(publish('/a', 1))
  client.socket.send(message(1, 5, WIRE.double, 1))
  await heard.atLeast(1)
  client.say(['unpublish', { pubuid: 1 }])
  client.socket.send(message(1, 6, WIRE.double, 2))
  client.say(publish('/b', 1))
  client.socket.send(message(1, 7, WIRE.double, 3))
  await heard.atLeast(2)

  assert.deepEqual(
    heard.updates.map(({ topic, value }) => [topic.name, value]),
    [
      ['/a', 1],
      ['/b', 3],
    ],
  )
  assert.deepEqual([...new Set(lab.faults.map(({ code }) => code))], ['nt4.bad_message'])
})

test('a topic that is gone and comes again is announced anew, under an id that meant nothing before', async (t) => {
  const { port } = await nt4Lab(t).serve()
  const [writer, reader] = [await crudeClient(t, port), await crudeClient(t, port)]
  reader.say(subscribe(['/'], { prefix: true }))

  for (const pubuid of [1, 2, 3]) {
    writer.say(publish('/x', pubuid))
    await eventually(() => reader.announced('/x').length === pubuid)
    writer.say(['unpublish', { pubuid }])
    await eventually(() => reader.heard.filter(({ method }) => method === 'unannounce').length === pubuid)
  }

  const ids = reader.announced('/x').map(({ id }) => id)
  assert.equal(new Set(ids).size, 3)
  assert.deepEqual(
    reader.heard.filter(({ method }) => method === 'unannounce').map(({ params }) => params.id),
    ids,
  )
})

test('a subscription under the same number takes the place of the one before', async (t) => {
  const { port } = await nt4Lab(t).serve()
  const [writer, reader] = [await crudeClient(t, port), await crudeClient(t, port)]
  reader.say(subscribe(['/a'], { periodic: 0.01 }), subscribe(['/b'], { periodic: 0.01 }))
  await eventually(() => reader.socket.readyState === reader.socket.OPEN)

  writer.say(publish('/a', 1), publish('/b', 2))
  await eventually(() => reader.announced('/b').length === 1)
  writer.socket.send(Buffer.concat([message(1, 5, WIRE.double, 1), message(2, 5, WIRE.double, 2)]))
  await eventually(() => reader.values.length > 0)

  assert.deepEqual(reader.announced('/a'), [])
  assert.deepEqual(
    reader.values.map(({ value }) => value),
    [2],
  )
})

test('a client that sends one frame byte by byte and comes to no end is cut off, and delays nobody', async (t) => {
  const lab = nt4Lab(t)
  const server = await lab.serve()
  const drip = await crudeClient(t, server.port)
  const closed = new Promise((resolve) => drip.socket.on('close', resolve))
  const raw = (drip.socket as unknown as { readonly _socket: Socket })._socket
  raw.pause() // it hears no pings either
  raw.write(Buffer.from([0x82, 0xfe, 0xff, 0xff, 0, 0, 0, 0])) // 65,535 bytes are to come
  const timer = setInterval(() => raw.write(Buffer.from([0])), 50)
  t.after(() => clearInterval(timer))

  const writer = await lab.connect(server.port, 'writer')
  const heard = gather(await lab.connect(server.port, 'reader'), ['/x'])
  writer.write([[writer.publish('/x', 'double'), 1]])
  await heard.atLeast(1)
  await eventually(() => server.clients() === 2)

  raw.resume()
  await arrival('the end of the connection', closed)
})
