// A session with servers that bend the protocol in ways that are not garbage: each message can be read, and what
// follows from it is not what is usual.
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import type { Fault } from '../../../../machines/errors/fault.ts'
import { WIRE } from '../../../../native/nt4/codec.ts'
import { crudeServer, eventually, gather, message, nt4Lab } from '../../../support/nt4/nt4.ts'
import { arrival } from '../../../support/until.ts'

const announce = (name: string, id: number, type: string) =>
  JSON.stringify([{ method: 'announce', params: { name, id, type, properties: {} } }])
const unannounce = (name: string, id: number) => JSON.stringify([{ method: 'unannounce', params: { name, id } }])

test('a server that never announces anything gets all values all the same', async (t) => {
  const server = await crudeServer(t)
  const session = await nt4Lab(t).connect(server.port)
  const [x, y] = [session.publish('/x', 'double'), session.publish('/y', 'string')]

  for (let n = 0; n < 3; n++)
    session.write([
      [x, n],
      [y, `${n}`],
    ])
  await eventually(() => server.values.length === 6)

  assert.deepEqual(
    server.values.map(({ id, value }) => [id, value]),
    [0, 1, 2].flatMap((n) => [
      [x, n],
      [y, `${n}`],
    ]),
  )
})

test('an id that is given to another topic without taking it from the first means the new one', async (t) => {
  const server = await crudeServer(t)
  const session = await nt4Lab(t).connect(server.port)
  const heard = gather(session, ['/a', '/b'])

  server.send(announce('/a', 1, 'double'), message(1, 5, WIRE.double, 1))
  server.send(announce('/b', 1, 'double'), message(1, 6, WIRE.double, 2))
  server.send(unannounce('/b', 1), message(1, 7, WIRE.double, 3))
  server.send(announce('/a', 2, 'double'), message(2, 8, WIRE.double, 4))
  await heard.atLeast(3)

  assert.deepEqual(
    heard.updates.map(({ topic, value }) => [topic.name, value]),
    [
      ['/a', 1],
      ['/b', 2],
      ['/a', 4],
    ],
  )
})

test('a topic that is announced under two ids is heard under both, until each is taken back', async (t) => {
  const server = await crudeServer(t)
  const session = await nt4Lab(t).connect(server.port)
  const heard = gather(session, ['/x'], { all: true })

  server.send(announce('/x', 1, 'double'), announce('/x', 2, 'double'))
  server.send(message(1, 5, WIRE.double, 1), message(2, 5, WIRE.double, 2))
  server.send(unannounce('/x', 1), unannounce('/nobody', 77))
  server.send(message(1, 6, WIRE.double, 3), message(2, 6, WIRE.double, 4))
  await heard.atLeast(3)

  assert.deepEqual(
    heard.updates.map(({ value }) => value),
    [1, 2, 4],
  )
})

test('types that nobody has heard of travel as bytes; a form that nobody has heard of is left out', async (t) => {
  const lab = nt4Lab(t)
  const server = await crudeServer(t)
  const session = await lab.connect(server.port)
  const heard = gather(session, ['/new', '/x'], { all: true })

  server.send(announce('/new', 1, 'hologram<3>'), announce('/x', 2, 'double'))
  server.send(message(1, 5, WIRE.bytes, Uint8Array.from([1, 2])))
  server.send(Buffer.from([0x94, 2, 5, 99, 0xc0]), Buffer.from([0x94, 2, 5, 6, 0xc3])) // forms 99 and 6
  server.send(message(2, 5, WIRE.double, 3))
  await heard.atLeast(2)

  assert.deepEqual(
    heard.updates.map(({ topic, value }) => [topic.type, value instanceof Uint8Array ? [...value] : value]),
    [
      ['hologram<3>', [1, 2]],
      ['double', 3],
    ],
  )
  assert.deepEqual([...new Set(lab.faults.map(({ code }) => code))], ['nt4.bad_message'])
})

test('a server that sends one frame byte by byte and comes to no end is as good as silent', async (t) => {
  const server = await crudeServer(t)
  const session = await nt4Lab(t).connect(server.port)
  const end = new Promise<Fault>((resolve) => session.onClosed(resolve))
  const raw = (server.sockets[0] as unknown as { readonly _socket: Socket })._socket

  server.goSilent()
  raw.write(Buffer.from([0x82, 0x7e, 0xff, 0xff])) // 65,535 bytes are to come
  const timer = setInterval(() => raw.write(Buffer.from([0])), 50)
  t.after(() => clearInterval(timer))

  assert.equal((await arrival('the end', end)).code, 'nt4.silent')
})

test('when a server changes a type back and forth, each change counts, reported one at a time', async (t) => {
  const lab = nt4Lab(t)
  const server = await crudeServer(t)
  const session = await lab.connect(server.port)
  const mine = session.publish('/x', 'double')

  for (let n = 0; n < 3; n++) {
    server.send(announce('/x', 10 + n, 'string'))
    await eventually(() => lab.faults.length === n + 1)
    session.write([[mine, n]])
    server.send(unannounce('/x', 10 + n))
    await eventually(() => server.values.length === n + 1)
  }

  assert.deepEqual(
    server.values.map(({ value }) => value),
    [0, 1, 2],
    'what was withheld is sent when the way is free',
  )
  assert.ok(lab.faults.every(({ code }) => code === 'nt4.type_conflict'))
})

test('a text that says a great deal is obeyed in turns with others', async (t) => {
  const server = await crudeServer(t)
  const session = await nt4Lab(t).connect(server.port)
  const heard = gather(session, ['/last'])
  const names = Array.from({ length: 2_000 }, (_, n) => `/topic/${n}`)
  const update = JSON.stringify({ method: 'properties', params: { name: '/topic/1', update: { n: 1 } } })
  server.send(`[${names.map((name, id) => announce(name, id, 'double').slice(1, -1)).join(',')}]`)
  server.send(announce('/last', 2_000, 'double'), message(2_000, 5, WIRE.double, 1))
  await heard.atLeast(1)
  // what was computed: other processes may have the processor for a while
  const computedMs = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  const sinceMs = computedMs()
  let [lastMs, longestMs] = [sinceMs, 0]
  const look = () => {
    const nowMs = computedMs()
    longestMs = Math.max(longestMs, nowMs - lastMs)
    lastMs = nowMs
    turn = setImmediate(look)
  }
  let turn = setImmediate(look)
  t.after(() => clearImmediate(turn))

  server.send(`[${Array.from({ length: 8_000 }, () => update).join(',')}]`, message(2_000, 6, WIRE.double, 2))
  await heard.atLeast(2)

  const allMs = computedMs() - sinceMs
  assert.ok(longestMs < allMs / 4, `others waited for ${longestMs} of ${allMs} ms`)
})
