// A session with our own server, and with crude ones that break the rules.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import type { Fault } from '../../../../machines/errors/fault.ts'
import { WIRE } from '../../../../native/nt4/codec.ts'
import type { Nt4Session, Nt4Value } from '../../../../native/nt4/port.ts'
import { PROTOCOL_40 } from '../../../../native/nt4/protocol.ts'
import { ClientSession } from '../../../../native/nt4/session/session.ts'
import { holdUp } from '../../../support/clock/clock.ts'
import { crudeServer, eventually, gather, listener, message, nt4Lab } from '../../../support/nt4/nt4.ts'
import { wsNt4 } from '../../../support/nt4/ws-nt4.ts'
import { freePort } from '../../../support/processes/free-port.ts'
import { arrival } from '../../../support/until.ts'

const closing = (session: Nt4Session) =>
  arrival('the end of the session', new Promise<Fault>((resolve) => session.onClosed(resolve)))

/** The fault with which connecting fails. */
const refusal = (port: number, host = '127.0.0.1'): Promise<Fault> =>
  Effect.runPromise(Effect.flip(Effect.scoped(wsNt4.connect({ host, port, name: 'x' }, () => {}))))

const announce = (name: string, id: number, type: string) =>
  JSON.stringify([{ method: 'announce', params: { name, id, type, properties: {} } }])

test('values of every type travel through a server from one session to another', async (t) => {
  const lab = nt4Lab(t)
  const { port } = await lab.serve()
  const device = await lab.connect(port, 'device')
  const heard = await listener(lab, port, ['/all/'], { prefix: true, all: true })
  const sent: readonly (readonly [type: string, value: Nt4Value])[] = [
    ['boolean', true],
    ['double', 3],
    ['int', 2n ** 62n],
    ['float', 0.25],
    ['string', 'grüße'],
    ['json', '{}'],
    ['raw', new Uint8Array([1, 2])],
    ['struct:Pose2d', new Uint8Array([3])],
    ['boolean[]', [true, false]],
    ['double[]', [1, 2.5]],
    ['int[]', [1, 2n ** 60n]],
    ['float[]', [0.5]],
    ['string[]', ['a', '']],
  ]

  const stampUs = device.serverTimeUs()
  assert.ok(device.write(sent.map(([type, value], n) => [device.publish(`/all/${n}`, type), value])))
  await heard.atLeast(sent.length)

  assert.deepEqual(
    heard.updates.map(({ topic, value }) => [
      topic.name,
      topic.type,
      value instanceof Uint8Array ? new Uint8Array(value) : value,
    ]),
    sent.map(([type, value], n) => [`/all/${n}`, type, value]),
  )
  assert.equal(new Set(heard.updates.map(({ timestampUs }) => timestampUs)).size, 1, 'one stamp for the whole batch')
  assert.ok((heard.updates[0]?.timestampUs ?? 0) >= stampUs)
  assert.deepEqual(lab.faults, [])
})

test('a session watches its own root, or a real server would tell it nothing', async (t) => {
  const lab = nt4Lab(t)
  const server = await crudeServer(t)

  const session = await lab.connect(server.port, 'front')
  session.publish('/x', 'double')
  session.publish('/y', 'double')
  await eventually(() => server.texts.length === 2)

  const said = server.texts.map((text) => JSON.parse(text) as { method: string; params: object }[])
  assert.deepEqual(
    said[0]?.map(({ params }) => params),
    [{ topics: ['/front'], subuid: 1, options: { prefix: true, topicsonly: true } }],
  )
  assert.deepEqual(
    said[1]?.map(({ method }) => method),
    ['publish', 'publish'],
    'one frame for all of a turn',
  )
})

test('writes of one turn are one message, each batch with its stamp, after earlier publications', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] }) // nor is the time asked for again
  const lab = nt4Lab(t)
  let messages = 0
  const server = await crudeServer(t, { onMessage: () => messages++ })
  const session = await lab.connect(server.port, 'device')
  await eventually(() => server.texts.length > 0)
  const before = messages

  const [a, b] = [session.publish('/a', 'double'), session.publish('/b', 'int')]
  session.write([[a, 1.5]], 1_000)
  session.write([[b, 2]], 2_000)
  const c = session.publish('/c', 'double')
  session.write([[c, 3.5]], 3_000)
  await eventually(() => server.values.length === 3)

  assert.deepEqual(
    server.values.map(({ id, timestampUs, value }) => [id, timestampUs, value]),
    [
      [a, 1_000, 1.5],
      [b, 2_000, 2],
      [c, 3_000, 3.5],
    ],
  )
  assert.equal(messages - before, 4, 'publications, two batches, a publication, a batch')
})

test('somebody who comes later sees our newest value, not an older one', async (t) => {
  const lab = nt4Lab(t)
  const { port } = await lab.serve()
  const device = await lab.connect(port, 'device')
  const other = await lab.connect(port, 'other')

  other.write([[other.publish('/x', 'double'), 1]])
  const mirror = gather(device, ['/x'])
  await mirror.atLeast(1)
  device.write([[device.publish('/x', 'double'), 2]])
  const late = await lab.connect(port, 'late')
  const heard = gather(late, ['/x'])
  await heard.atLeast(1)

  assert.deepEqual(
    heard.updates.map(({ value }) => value),
    [2],
  )
})

test('server time of two sessions agrees and never runs backwards', async (t) => {
  const lab = nt4Lab(t)
  const { port } = await lab.serve()
  const [one, two] = [await lab.connect(port), await lab.connect(port)]

  const times = Array.from({ length: 1_000 }, () => one.serverTimeUs())

  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  )
  const errorUs = (one.roundTripUs() + two.roundTripUs()) / 2 // each reading is off by half its way at most
  assert.ok(Math.abs(one.serverOffsetUs() - two.serverOffsetUs()) <= errorUs + 5) // and by what rounding adds
  assert.ok(one.roundTripUs() > 0)
  assert.equal(one.protocol, '4.1')
})

test('a topic of another type is reported once, its writes are dropped, the others are not', async (t) => {
  const lab = nt4Lab(t)
  const server = await crudeServer(t)
  const session = await lab.connect(server.port)
  const [taken, free] = [session.publish('/taken', 'double'), session.publish('/free', 'double')]

  server.send(announce('/taken', 1, 'string'))
  await eventually(() => lab.faults.length > 0)
  const again = session.publish('/taken', 'double')
  session.write([
    [taken, 1],
    [free, 2],
    [again, 3],
  ])
  await eventually(() => server.values.length > 0)

  assert.deepEqual(
    server.values.map(({ id, value }) => [id, value]),
    [[free, 2]],
  )
  assert.deepEqual(
    lab.faults.map(({ code }) => code),
    ['nt4.type_conflict'],
  )
})

test('a topic takes its place, with its newest value, when the one of another type is gone', async (t) => {
  const lab = nt4Lab(t)
  const { port } = await lab.serve()
  const other = await lab.connect(port, 'other')
  const device = await lab.connect(port, 'device')
  const theirs = other.publish('/size', 'string')
  other.write([[theirs, 'wide']])
  const heard = await listener(lab, port, ['/size'], { all: true })
  await heard.atLeast(1)
  const corners = [1, 2]
  const ours = device.publish('/size', 'double[]')
  await eventually(() => lab.faults.some(({ code }) => code === 'nt4.type_conflict'))
  device.write([[ours, corners]])
  corners[0] = 9 // the buffer is filled again for another frame, which does not bring this topic

  other.unpublish(theirs)
  await heard.atLeast(2)

  assert.deepEqual(
    heard.updates.map(({ topic, value }) => [topic.type, value]),
    [
      ['string', 'wide'],
      ['double[]', [1, 2]],
    ],
  )
})

test('a value that waits for another type keeps its bytes and its time, whatever its buffers become', async (t) => {
  const lab = nt4Lab(t)
  const server = await crudeServer(t)
  const session = await lab.connect(server.port)
  const [pose, bytes] = [new Float64Array([1, 2]), Buffer.from([3, 4])]
  const [ours, raw] = [session.publish('/pose', 'double[]'), session.publish('/raw', 'raw')]
  server.send(announce('/pose', 1, 'string'), announce('/raw', 2, 'string'))
  await eventually(() => lab.faults.length === 2)
  const stampUs = session.serverTimeUs() - 1_000_000
  session.write(
    [
      [ours, pose],
      [raw, bytes],
    ],
    stampUs,
  )
  for (const buffer of [pose, bytes]) buffer.fill(9)

  for (const [name, id] of [['/pose', 1] as const, ['/raw', 2] as const])
    server.send(JSON.stringify([{ method: 'unannounce', params: { name, id } }]))
  await eventually(() => server.values.length === 2)

  assert.deepEqual(
    server.values.map(({ id, timestampUs, value }) => [id, timestampUs, [...(value as Iterable<unknown>)]]),
    [
      [ours, stampUs, [1, 2]],
      [raw, stampUs, [3, 4]],
    ],
  )
})

test('what was closed here says so, though its server never answers the closing', async (t) => {
  const lab = nt4Lab(t)
  const server = await crudeServer(t)
  const session = await lab.connect(server.port)
  const end = closing(session)
  for (const socket of server.sockets) socket.pause()

  ;(session as ClientSession).close('politely')

  assert.equal((await end).code, 'nt4.closed')
})

test('a value that does not fit is reported once and left out', async (t) => {
  const lab = nt4Lab(t)
  const { port } = await lab.serve()
  const device = await lab.connect(port, 'device')
  const heard = await listener(lab, port, ['/'], { prefix: true, all: true })
  const [x, y] = [device.publish('/x', 'double'), device.publish('/y', 'double')]

  for (let n = 0; n < 3; n++)
    device.write([
      [x, 'text'],
      [y, n],
    ])
  await heard.atLeast(3)

  assert.deepEqual(
    heard.updates.map(({ value }) => value),
    [0, 1, 2],
  )
  assert.deepEqual(
    lab.faults.map(({ code }) => code),
    ['nt4.bad_value'],
  )
})

test('properties that another client changes arrive with the values', async (t) => {
  const lab = nt4Lab(t)
  const server = await crudeServer(t)
  const session = await lab.connect(server.port)
  const heard = gather(session, ['/x'])
  await eventually(() => server.sockets.length > 0)

  server.send(announce('/x', 4, 'double'))
  server.send(JSON.stringify([{ method: 'properties', params: { name: '/x', update: { unit: 'm', retained: null } } }]))
  server.send(message(4, 5, WIRE.double, 1))
  await heard.atLeast(1)

  assert.deepEqual(heard.updates[0]?.topic, { name: '/x', type: 'double', properties: { unit: 'm' } })
})

test('an id that the server uses again means the new topic', async (t) => {
  const lab = nt4Lab(t)
  const server = await crudeServer(t)
  const session = await lab.connect(server.port)
  const heard = gather(session, ['/a', '/b'])

  server.send(announce('/a', 1, 'double'), message(1, 5, WIRE.double, 1))
  server.send(JSON.stringify([{ method: 'unannounce', params: { name: '/a', id: 1 } }]))
  server.send(message(1, 5, WIRE.double, 2))
  server.send(announce('/b', 1, 'string'), message(1, 5, WIRE.string, 'three'))
  await heard.atLeast(2)

  assert.deepEqual(
    heard.updates.map(({ topic, value }) => [topic.name, value]),
    [
      ['/a', 1],
      ['/b', 'three'],
    ],
  )
})

test('garbage of all kinds is counted and reported once, and the session lives on', async (t) => {
  const lab = nt4Lab(t)
  const server = await crudeServer(t)
  const session = await lab.connect(server.port)
  const heard = gather(session, ['/x'], { all: true })
  const good = message(1, 5, WIRE.double, 7)

  server.send('', 'null', '{', '[[[', '[1,{"method":"dance","params":{}}]', '[{"method":"announce","params":{}}]')
  server.send(announce('/x', 1, 'double'))
  server.send(Buffer.alloc(0), Buffer.from([0xc1]), Buffer.from([0x94]), Buffer.from([0x94, 1, 5, 1]))
  server.send(Buffer.concat([Buffer.from([0x07]), good]), message(1, 5, WIRE.string, 'of the wrong type'))
  server.send(message(99, 5, WIRE.double, 1), message(-1, 5, WIRE.string, 'no clock'), message(-1, 5, WIRE.int, 5))
  server.send(Buffer.concat([good, Buffer.from([0xd6, 0x7f, 1, 2, 3, 4])]), good)
  await heard.atLeast(3)

  assert.deepEqual(
    heard.updates.map(({ value }) => value),
    [7, 7, 7],
  )
  assert.deepEqual(
    lab.faults.map(({ code }) => code),
    ['nt4.bad_message'],
  )
  assert.ok(session.write([[session.publish('/y', 'double'), 1]]))
})

test('a listener that throws harms neither the other messages nor the process', async (t) => {
  const lab = nt4Lab(t)
  const server = await crudeServer(t)
  const session = await lab.connect(server.port)
  session.subscribe(['/x'], {}, () => {
    throw new Error('a bug of the listener')
  })
  const heard = gather(session, ['/y'])

  server.send(announce('/x', 1, 'double'), announce('/y', 2, 'double'))
  server.send(Buffer.concat([message(1, 5, WIRE.double, 1), message(2, 5, WIRE.double, 2)]))
  await heard.atLeast(1)

  assert.deepEqual(
    lab.faults.map(({ code }) => code),
    ['nt4.bad_message'],
  )
})

test('a subscription that was ended is not called any more', async (t) => {
  const lab = nt4Lab(t)
  const server = await crudeServer(t)
  const session = await lab.connect(server.port)
  const [ended, going] = [gather(session, ['/x']), gather(session, ['/x'])]

  server.send(announce('/x', 1, 'double'), message(1, 5, WIRE.double, 1))
  await going.atLeast(1)
  ended.stop()
  server.send(message(1, 6, WIRE.double, 2))
  await going.atLeast(2)

  assert.equal(ended.updates.length, 1)
})

test('a server that goes silent without closing is given up', async (t) => {
  const lab = nt4Lab(t)
  const server = await crudeServer(t)
  const session = await lab.connect(server.port)

  server.goSilent()

  assert.equal((await closing(session)).code, 'nt4.silent')
  assert.equal(session.write([[session.publish('/x', 'double'), 1]]), false)
})

test('a 4.0 server is spoken to without pings, and is given up as well when it goes silent', async (t) => {
  const lab = nt4Lab(t)
  const server = await crudeServer(t, { protocol: PROTOCOL_40 })
  const session = await lab.connect(server.port)
  let pings = 0
  server.sockets[0]?.on('ping', () => {
    pings += 1
  })
  assert.equal(session.protocol, '4.0')
  const heard = gather(session, ['/x'])
  server.send(announce('/x', 1, 'double'), message(1, 5, WIRE.double, 1))
  await heard.atLeast(1)

  server.goSilent()

  assert.equal((await closing(session)).code, 'nt4.silent')
  assert.equal(pings, 0)
})

test('the reason of a server that closes is passed on, also to those who ask too late', async (t) => {
  const lab = nt4Lab(t)
  const server = await crudeServer(t)
  const session = await lab.connect(server.port)

  server.sockets[0]?.close(1000, 'the match is over')
  const fault = await closing(session)

  assert.equal(fault.code, 'nt4.closed')
  assert.match(fault.detail, /the match is over/)
  assert.deepEqual(await closing(session), fault)
})

test('a connection that we close because of bad data is not said to be closed by the server', async (t) => {
  const lab = nt4Lab(t)
  const server = await crudeServer(t)
  const session = await lab.connect(server.port)

  server.send(Buffer.alloc(4 * 1024 * 1024 + 1))

  const { code, detail } = await closing(session)
  assert.equal(code, 'nt4.closed')
  assert.match(detail, /was given up here.*Max payload size exceeded/)
})

test('a server that does not read costs no memory: writes are refused', async (t) => {
  const lab = nt4Lab(t)
  const server = await crudeServer(t)
  const session = await lab.connect(server.port)
  const topic = session.publish('/x', 'string')
  server.sockets[0]?.pause()

  const large = 'x'.repeat(100_000)
  let taken = 0
  while (taken < 1_000 && session.write([[topic, large]])) taken += 1

  assert.ok(taken > 0 && taken < 1_000, `${taken} writes were taken`)
})

test('what cannot be reached, is no NT4 server or tells no time is said so', async (t) => {
  const page = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1')
  t.after(() => page.close())
  const closed = await freePort()
  const timeless = await crudeServer(t, { keepsTime: false })
  const foreign = await crudeServer(t, { protocol: 'chat' })
  await eventually(() => page.listening)

  assert.equal((await refusal(closed)).code, 'nt4.unreachable')
  assert.equal((await refusal(closed, 'no such host')).code, 'nt4.unreachable')
  assert.equal((await refusal((page.address() as AddressInfo).port)).code, 'nt4.refused')
  assert.equal((await refusal(foreign.port)).code, 'nt4.refused')
  assert.equal((await refusal(timeless.port)).code, 'nt4.no_clock')
})

test('who is held up himself while the server tells the time hears it all the same', async (t) => {
  const lab = nt4Lab(t)
  let isFirst = true
  const server = await crudeServer(t, {
    onMessage: () => {
      if (isFirst) holdUp(2_000) // both ends, as of a service that is its own server
      isFirst = false
    },
  })

  const session = await lab.connect(server.port)

  assert.ok(session.serverTimeUs() >= 5_000_000_000)
})

test('a host that answers drop by drop and comes to no end is given up', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const dripping = createTcpServer().listen(0, '127.0.0.1')
  t.after(() => dripping.close())
  await arrival('a port', once(dripping, 'listening'))
  const { port } = dripping.address() as AddressInfo
  const connected = once(dripping, 'connection')
  const session = new ClientSession({ host: '127.0.0.1', port, name: 'tester' }, () => {})
  t.after(() => session.close('at-once'))
  const [peer] = (await arrival('a connection', connected)) as [Socket]
  peer.on('error', () => {}) // that it is given up
  await arrival('a request', once(peer, 'data'))

  const closed = closing(session)
  peer.write('HTTP/1.1 101 Switching Protocols')
  t.mock.timers.tick(3_000)

  const { code, detail } = await closed
  assert.equal(code, 'nt4.refused')
  assert.match(detail, /answers, but not as an NT4 server/)
})

test('a host that takes the connection has answered, whatever comes of it; one that does not has not', async () => {
  const mute = createTcpServer()
  await once(mute.listen(0, '127.0.0.1'), 'listening')
  const { port } = mute.address() as AddressInfo
  mute.on('connection', (socket) => setImmediate(() => socket.destroy()))
  const answers: string[] = []
  const connect = (at: number, name: string) =>
    wsNt4.connect(
      { host: '127.0.0.1', port: at, name },
      () => {},
      () => answers.push(name),
    )

  await Effect.runPromise(Effect.flip(Effect.scoped(connect(port, 'mute'))))
  mute.close()
  await Effect.runPromise(Effect.flip(Effect.scoped(connect(port, 'nobody'))))

  assert.deepEqual(answers, ['mute'])
})

test('connecting three times to a server that restarts leaves nothing behind', async (t) => {
  const lab = nt4Lab(t)
  let { port } = { port: 0 }
  for (let round = 1; round <= 3; round++) {
    const server = await lab.serve({ port })
    port = server.port
    const device = await lab.connect(port, 'device')
    const robot = await lab.connect(port, 'robot')
    const published = gather(robot, ['$clientpub$device@1'], {})
    const subscribed = gather(robot, ['$clientsub$device@1'], {})
    const heard = gather(robot, ['/t/'], { prefix: true, all: true })

    device.write(Array.from({ length: 30 }, (_, n) => [device.publish(`/t/${n}`, 'double'), n] as const))
    await heard.atLeast(30)
    await eventually(() => entries(published.updates.at(-1)?.value) === 30)

    await eventually(() => entries(subscribed.updates.at(-1)?.value) === 1)
    assert.equal(heard.updates.length, 30, `round ${round}`)
    assert.equal(server.clients(), 2)
    const gone = closing(device)
    await lab.end(server)
    assert.equal((await gone).code, 'nt4.closed')
  }
})

/** The number of elements of a small MessagePack array. */
const entries = (value: Nt4Value | undefined): number => {
  const bytes = value as Uint8Array | undefined
  const first = bytes?.[0] ?? 0x90
  return first === 0xdc ? ((bytes?.[1] ?? 0) << 8) | (bytes?.[2] ?? 0) : first & 0x0f
}
