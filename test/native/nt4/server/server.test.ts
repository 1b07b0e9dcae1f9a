// The embedded server, seen by well-behaved and by crude clients.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { unpack } from 'msgpackr'
import { WIRE } from '../../../../native/nt4/codec.ts'
import type { Nt4Update } from '../../../../native/nt4/port.ts'
import { PROTOCOL_40, PROTOCOL_41, PROTOCOL_RTT } from '../../../../native/nt4/protocol.ts'
import { crudeClient, eventually, gather, listener, message, nt4Lab } from '../../../support/nt4/nt4.ts'
import { wsNt4 } from '../../../support/nt4/ws-nt4.ts'
import { arrival, until } from '../../../support/until.ts'

const temporaryFile = async (t: TestContext) => {
  const folder = await mkdtemp(join(tmpdir(), 'nt4-'))
  t.after(() => rm(folder, { recursive: true }))
  return join(folder, 'persistent.json')
}

const publish = (name: string, pubuid: number, type = 'double', properties = {}): [string, object] => [
  'publish',
  { name, pubuid, type, properties },
]

const subscribe = (topics: string[], options = {}, subuid = 1): [string, object] => [
  'subscribe',
  { topics, subuid, options },
]

/** The unpacked values of one of the server's own topics. */
const about = (updates: readonly Nt4Update[]): unknown => unpack(updates.at(-1)?.value as Uint8Array)

test('a port that is taken is a fault that names it', async (t) => {
  const { port } = await nt4Lab(t).serve()

  const second = wsNt4.serve({ host: '127.0.0.1', port, persistentFile: null }, () => {})
  const fault = await Effect.runPromise(Effect.flip(Effect.scoped(second)))

  assert.equal(fault.code, 'nt4.port_taken')
  assert.match(fault.detail, new RegExp(`127.0.0.1:${port}`))
})

test('a server that was closed lets go of its port and of its clients', async (t) => {
  const lab = nt4Lab(t)
  const first = await lab.serve()
  const client = await crudeClient(t, first.port)
  const closed = new Promise((resolve) => client.socket.on('close', resolve))

  await lab.end(first)
  const second = await lab.serve({ port: first.port })

  assert.equal(await arrival('the end of the connection', closed), 1001)
  assert.equal(second.port, first.port)
})

test('two clients of one name are both served, each under a name of its own', async (t) => {
  const lab = nt4Lab(t)
  const server = await lab.serve()
  const [one, two] = [await lab.connect(server.port, 'twin'), await lab.connect(server.port, 'twin')]
  const clients = gather(one, ['$clients'])
  const heard = gather(two, ['/x'])
  await clients.atLeast(1)

  one.write([[one.publish('/x', 'double'), 5]])
  await heard.atLeast(1)

  assert.equal(server.clients(), 2)
  assert.deepEqual(
    (about(clients.updates) as { id: string }[]).map(({ id }) => id),
    ['twin@1', 'twin@2'],
  )
})

test('a topic is announced once per connection, with the pubuid to its publisher', async (t) => {
  const { port } = await nt4Lab(t).serve()
  const publisher = await crudeClient(t, port)
  const watcher = await crudeClient(t, port)
  watcher.say(subscribe([''], { prefix: true, topicsonly: true }))

  publisher.say(publish('/x', 7, 'int', { unit: 'm' }), publish('/y', 8))
  publisher.say(subscribe(['/'], { prefix: true }))
  await eventually(() => watcher.announced('/y').length > 0)
  watcher.say(publish('/x', 3, 'double'), publish('/z', 4))
  await eventually(() => publisher.announced('/z').length > 0)
  await eventually(() => watcher.announced('/z').length > 0)

  assert.deepEqual(
    watcher.announced('/x').map(({ type, properties, pubuid }) => ({ type, properties, pubuid })),
    [{ type: 'int', properties: { unit: 'm' }, pubuid: undefined }],
  )
  assert.deepEqual(
    publisher.announced('/x').map(({ pubuid }) => pubuid),
    [7],
  )
  assert.ok(
    watcher.heard.every(({ params }) => !String(params.name).startsWith('$')),
    'own topics only for $ patterns',
  )
})

test('a topic goes with its last publisher, unless it is retained', async (t) => {
  const { port } = await nt4Lab(t).serve()
  const watcher = await crudeClient(t, port)
  const [one, two] = [await crudeClient(t, port), await crudeClient(t, port)]
  watcher.say(subscribe(['/'], { prefix: true }))
  one.say(publish('/x', 1), publish('/kept', 2, 'double', { retained: true }), publish('/gone', 3))
  await eventually(() => watcher.announced('/gone').length > 0)
  two.say(publish('/x', 1))
  await eventually(() => two.announced('/x').length > 0)

  one.say(['unpublish', { pubuid: 3 }])
  one.socket.terminate()
  const gone = () => watcher.heard.filter(({ method }) => method === 'unannounce').map(({ params }) => params.name)
  await eventually(() => gone().length === 1)
  two.say(['unpublish', { pubuid: 1 }])
  await eventually(() => gone().length === 2)
  two.say(['setproperties', { name: '/kept', update: { retained: false } }])
  await eventually(() => gone().length === 3)

  assert.deepEqual(gone(), ['/gone', '/x', '/kept'])
})

test('property changes are acknowledged to who asked and told to who knows the topic', async (t) => {
  const { port } = await nt4Lab(t).serve()
  const [owner, other, stranger] = [await crudeClient(t, port), await crudeClient(t, port), await crudeClient(t, port)]
  owner.say(publish('/x', 1, 'double', { a: 1, b: 2 }))
  await eventually(() => owner.announced('/x').length > 0)

  other.say(['setproperties', { name: '/x', update: { a: null, c: [3] } }])
  const told = (client: typeof owner) =>
    client.heard.filter(({ method }) => method === 'properties').map(({ params }) => params)
  await eventually(() => told(owner).length > 0 && told(other).length > 0)
  stranger.say(subscribe(['/x']))
  await eventually(() => stranger.announced('/x').length > 0)

  assert.deepEqual(told(owner), [{ name: '/x', update: { a: null, c: [3] } }])
  assert.deepEqual(told(other), [{ name: '/x', update: { a: null, c: [3] }, ack: true }])
  assert.deepEqual(told(stranger), [])
  assert.deepEqual(stranger.announced('/x')[0]?.properties, { b: 2, c: [3] })
})

test('defaults never replace real values, and older stamps only those of the same client', async (t) => {
  const { port } = await nt4Lab(t).serve()
  const [one, two] = [await crudeClient(t, port), await crudeClient(t, port)]
  one.say(publish('/x', 1))
  two.say(publish('/x', 1))
  const kept = async () => {
    const reader = await crudeClient(t, port)
    reader.say(subscribe(['/x']))
    await eventually(() => reader.values.length > 0)
    return reader.values[0]?.value
  }
  const steps: readonly (readonly [client: typeof one, stampUs: number, value: number, kept: number])[] = [
    [one, 0, 1, 1],
    [two, 0, 2, 2],
    [one, 100, 3, 3],
    [two, 0, 4, 3],
    [two, 90, 5, 3],
    [one, 80, 6, 6],
    [two, 80, 7, 7],
  ]

  const live = await crudeClient(t, port)
  live.say(subscribe(['/x'], { all: true, periodic: 0.01 }))
  await eventually(() => live.announced('/x').length > 0)
  for (const [client, stampUs, value, expected] of steps) {
    client.socket.send(message(1, stampUs, WIRE.double, value))
    client.socket.send(message(-1, 0, WIRE.int, value))
    await eventually(() => client.values.some((answer) => answer.id === -1 && answer.value === value))
    assert.equal(await kept(), expected, `after ${value}`)
  }
  await eventually(() => live.values.at(-1)?.value === 7)

  assert.deepEqual(
    live.values.map(({ value }) => value),
    [1, 2, 3, 5, 6, 7],
    'live, only the late default is missing',
  )
})

test('a topic that is not cached has no value for those who come later', async (t) => {
  const lab = nt4Lab(t)
  const { port } = await lab.serve()
  const device = await lab.connect(port, 'device')
  const live = await listener(lab, port, ['/x'])
  const x = device.publish('/x', 'double', { cached: false })

  device.write([[x, 1]])
  await live.atLeast(1)
  const late = await listener(lab, port, ['/x'])
  device.write([[x, 2]])
  await late.atLeast(1)

  assert.deepEqual(
    late.updates.map(({ value }) => value),
    [2],
  )
})

test('without `all` the latest value of a period is sent, with it every one', async (t) => {
  const lab = nt4Lab(t)
  const { port } = await lab.serve()
  const device = await lab.connect(port, 'device')
  const latest = await listener(lab, port, ['/x'], { periodic: 0.2 })
  const every = await listener(lab, port, ['/x'], { periodic: 0.2, all: true })
  const only = await listener(lab, port, ['/'], { prefix: true, topicsonly: true })
  const x = device.publish('/x', 'double')

  for (let n = 0; n < 5; n++) {
    device.write([[x, n]])
    await new Promise((resolve) => setImmediate(resolve))
  }
  await every.atLeast(5)
  await eventually(() => latest.updates.at(-1)?.value === 4)

  assert.deepEqual(
    every.updates.map(({ value }) => value),
    [0, 1, 2, 3, 4],
  )
  assert.ok(latest.updates.length < 5, `${latest.updates.length} updates`)
  assert.equal(only.updates.length, 0)
})

test('overlapping subscriptions get each change once, and nobody gets his own back', async (t) => {
  const { port } = await nt4Lab(t).serve()
  const client = await crudeClient(t, port)
  const other = await crudeClient(t, port)
  client.say(subscribe(['/x']), subscribe(['/'], { prefix: true, all: true, periodic: 0.01 }, 2), publish('/own', 1))
  client.socket.send(message(1, 5, WIRE.double, 99))
  other.say(publish('/x', 1))
  await eventually(() => client.announced('/x').length > 0)

  for (const n of [1, 2, 3]) other.socket.send(message(1, n, WIRE.double, n))
  await eventually(() => client.values.length >= 3)

  assert.deepEqual(
    client.values.map(({ value }) => value),
    [1, 2, 3],
  )
})

test('the clock is answered at once, in the form of the question, also on the connection for clocks', async (t) => {
  const { port } = await nt4Lab(t).serve()
  for (const protocol of [PROTOCOL_41, PROTOCOL_40, PROTOCOL_RTT]) {
    const client = await crudeClient(t, port, { protocols: [protocol] })
    client.socket.send(Buffer.concat([message(-1, 0, WIRE.int, 12), message(-1, 0, WIRE.double, 0.5)]))
    await eventually(() => client.values.length === 2)

    assert.equal(client.socket.protocol, protocol)
    assert.deepEqual(
      client.values.map(({ id, wireType, value }) => [id, wireType, value]),
      [
        [-1, WIRE.int, 12],
        [-1, WIRE.double, 0.5],
      ],
    )
    assert.ok(Math.abs((client.values[0]?.timestampUs ?? 0) / 1000 - Date.now()) < 60_000)
  }
})

test('who brings no name or only unknown subprotocols is sent away', async (t) => {
  const server = await nt4Lab(t).serve()
  for (const path of ['/nt/', '/nt/%', '/', '/other/x']) {
    const client = await crudeClient(t, server.port, { path })
    await eventually(() => client.socket.readyState === client.socket.CLOSED)
  }
  const foreign = await crudeClient(t, server.port, { protocols: ['chat'] })
  const plain = await crudeClient(t, server.port, { protocols: [], path: '/nt/my%20robot' })

  assert.equal(foreign.socket.readyState, foreign.socket.CLOSED)
  assert.equal(plain.socket.readyState, plain.socket.OPEN, 'no subprotocol at all is 4.0')
  assert.equal(server.clients(), 1)
})

test('garbage from a client is counted, and it and the others are served on', async (t) => {
  const lab = nt4Lab(t)
  const { port } = await lab.serve()
  const vandal = await crudeClient(t, port)
  const device = await lab.connect(port, 'device')
  const heard = gather(device, ['/'], { prefix: true, all: true })

  for (const text of ['', '{', '7', 'null', '[1,null,{}]', '[{"method":"x","params":{}}]', `${'['.repeat(100_000)}`])
    vandal.socket.send(text)
  vandal.say(['unpublish', { pubuid: 9 }], ['unsubscribe', { subuid: 9 }], publish('$clients', 1), [
    'setproperties',
    { name: '$clients', update: {} },
  ])
  for (const hex of ['', 'c1', '94', '9401', '07', '94ff00c0c0', '9409050101', 'dd7fffffff', 'c6ffffffff', '81a161'])
    vandal.socket.send(Buffer.from(hex, 'hex'))
  vandal.say(publish('/v', 2), publish('/v2', 2), [
    'subscribe',
    { topics: ['/'], subuid: 1, options: { periodic: 'often', prefix: 1 } },
  ])
  vandal.socket.send(
    Buffer.concat([
      message(2, 5, WIRE.string, 'misfit'),
      message(2, -5, WIRE.double, 1),
      message(2, 6, WIRE.double, 1),
    ]),
  )
  await heard.atLeast(1)

  assert.deepEqual(
    heard.updates.map(({ topic, value }) => [topic.name, value]),
    [['/v', 1]],
  )
  assert.deepEqual([...new Set(lab.faults.map(({ code }) => code))], ['nt4.bad_message'])
})

test('a broken WebSocket frame ends only its own connection', async (t) => {
  const lab = nt4Lab(t)
  const server = await lab.serve()
  const other = await crudeClient(t, server.port)
  const vandal = await crudeClient(t, server.port)
  const closed = new Promise((resolve) => vandal.socket.on('close', resolve))
  await eventually(() => server.clients() === 2)

  ;(vandal.socket as unknown as { _socket: { write: (bytes: Buffer) => void } })._socket.write(Buffer.alloc(64, 0xff))
  await arrival('the end of the connection', closed)
  await eventually(() => server.clients() === 1)

  assert.equal(other.socket.readyState, other.socket.OPEN)
})

test('a 4.1 client that answers no pings is cut off', async (t) => {
  const server = await nt4Lab(t).serve()
  const client = await crudeClient(t, server.port)
  await eventually(() => server.clients() === 1)

  client.socket.pause()

  await eventually(() => server.clients() === 0)
})

test('the server tells who is there and who publishes and subscribes what', async (t) => {
  const lab = nt4Lab(t)
  const { port } = await lab.serve()
  const watcher = await lab.connect(port, 'watcher')
  const lists = [
    '$clients',
    '$clientsub$crude@1',
    '$clientpub$crude@1',
    '$sub$/x',
    '$pub$/x',
    '$serversub',
    '$serverpub',
  ]
  const watched = new Map(lists.map((name) => [name, gather(watcher, [name], { all: true })]))
  const now = (name: string) => {
    const { updates = [] } = watched.get(name) ?? {}
    return updates.length > 0 ? (about(updates) as { id: string }[]) : undefined
  }
  const client = await crudeClient(t, port)

  client.say(publish('/x', 3), subscribe(['/x'], { periodic: 0.5, flavour: 'sweet' }, 4))
  await until(
    'every list, at its full length',
    () => lists.map((name) => now(name)?.length),
    (lengths) => `${lengths}` === '2,1,1,1,1,0,0',
  )

  assert.deepEqual(
    now('$clients')?.map(({ id }) => id),
    ['watcher@1', 'crude@1'],
  )
  assert.deepEqual(now('$clientsub$crude@1'), [
    { uid: 4, topics: ['/x'], options: { periodic: 0.5, flavour: 'sweet' } },
  ])
  assert.deepEqual(now('$clientpub$crude@1'), [{ uid: 3, topic: '/x' }])
  assert.deepEqual(now('$sub$/x'), [{ client: 'crude@1', subuid: 4, options: { periodic: 0.5, flavour: 'sweet' } }])
  assert.deepEqual(now('$pub$/x'), [{ client: 'crude@1', pubuid: 3 }])
  assert.deepEqual([now('$serversub'), now('$serverpub')], [[], []])
})

test('what the server tells of a client and a topic has a value from the moment it is announced', async (t) => {
  const { port } = await nt4Lab(t).serve()
  const watcher = await crudeClient(t, port)
  watcher.say(subscribe(['$'], { prefix: true, all: true, periodic: 0.01 }))
  await eventually(() => watcher.values.length > 0)
  const first = (name: string) => {
    const id = watcher.announced(name)[0]?.id
    const value = watcher.values.find((one) => one.id === id)?.value
    return value === undefined ? undefined : Buffer.from(value as Uint8Array).toString('hex')
  }

  const client = await crudeClient(t, port, { path: '/nt/late' })
  const ofClient = ['$clientpub$late@1', '$clientsub$late@1']
  await eventually(() => ofClient.every((name) => first(name) !== undefined))
  assert.deepEqual(ofClient.map(first), ['90', '90'], 'empty arrays')

  client.say(publish('/x', 3))
  const ofTopic = ['$pub$/x', '$sub$/x']
  await eventually(() => ofTopic.every((name) => first(name) !== undefined))
  assert.equal(first('$sub$/x'), '90')
})

test('the server tells which version of the protocol each client speaks', async (t) => {
  const lab = nt4Lab(t)
  const { port } = await lab.serve()
  await crudeClient(t, port, { path: '/nt/old', protocols: [PROTOCOL_40] })
  await crudeClient(t, port, { path: '/nt/older', protocols: [] })

  const clients = gather(await lab.connect(port, 'new'), ['$clients'])
  await clients.atLeast(1)

  assert.deepEqual(
    (about(clients.updates) as { id: string; ver: number }[]).map(({ id, ver }) => [id, ver]),
    [
      ['old@1', 0x0400],
      ['older@1', 0x0400],
      ['new@1', 0x0401],
    ],
  )
})

test('a restored value is stamped with the time it was loaded, and any later write but a default wins', async (t) => {
  const lab = nt4Lab(t)
  const persistentFile = await temporaryFile(t)
  const entry = (name: string) => ({ name, type: 'double', value: 4, properties: { persistent: true } })
  await writeFile(persistentFile, JSON.stringify(['/read', '/written', '/defaulted'].map(entry)))
  const loadedUs = Date.now() * 1000
  const { port } = await lab.serve({ persistentFile })

  const writer = await crudeClient(t, port)
  writer.say(publish('/written', 1), publish('/defaulted', 2))
  writer.socket.send(Buffer.concat([message(1, 5, WIRE.double, 6), message(2, 0, WIRE.double, 7)]))
  writer.socket.send(message(-1, 0, WIRE.int, 1))
  await eventually(() => writer.values.length > 0)
  const reader = gather(await lab.connect(port), ['/'], { prefix: true })
  await reader.atLeast(3)

  const of = (name: string) => reader.updates.find(({ topic }) => topic.name === name)
  assert.ok(Math.abs((of('/read')?.timestampUs ?? 0) - loadedUs) < 60_000_000, `stamped ${of('/read')?.timestampUs}`)
  assert.deepEqual([of('/read')?.value, of('/written')?.value, of('/defaulted')?.value], [4, 6, 4])
})

test('persistent topics of every type survive a restart, and defaults do not override them', async (t) => {
  const lab = nt4Lab(t)
  const persistentFile = await temporaryFile(t)
  const first = await lab.serve({ persistentFile })
  const device = await lab.connect(first.port, 'device')
  const values = {
    double: Number.NaN,
    int: 2n ** 60n,
    string: 'two',
    raw: new Uint8Array([1, 2]),
    'double[]': [1, Number.NEGATIVE_INFINITY],
    'int[]': [1, 2n ** 61n],
  }
  const mirror = gather(await lab.connect(first.port), ['/p/'], { prefix: true })
  device.write(
    Object.entries(values).map(([type, value]) => [device.publish(`/p/${type}`, type, { persistent: true }), value]),
  )
  device.write([[device.publish('/volatile', 'double'), 1]])
  await mirror.atLeast(6)
  await lab.end(first)

  const second = await lab.serve({ persistentFile })
  const client = await crudeClient(t, second.port)
  client.say(publish('/p/string', 1, 'string'))
  client.socket.send(message(1, 0, WIRE.string, 'a default'))
  const heard = gather(await lab.connect(second.port), [''], { prefix: true })
  await heard.atLeast(6)

  const restored = Object.fromEntries(
    heard.updates.map(({ topic, value }) => [topic.type, value instanceof Uint8Array ? new Uint8Array(value) : value]),
  )
  assert.deepEqual(restored, values)
})

test('a broken file of persistent topics is set aside and reported, and the server starts', async (t) => {
  const lab = nt4Lab(t)
  const persistentFile = await temporaryFile(t)
  await writeFile(persistentFile, '[{"name": "/x", ')

  await lab.serve({ persistentFile })

  assert.deepEqual(
    lab.faults.map(({ code }) => code),
    ['nt4.persistent_broken'],
  )
  assert.equal(await readFile(`${persistentFile}.broken`, 'utf8'), '[{"name": "/x", ')
})

test('a file of persistent topics that cannot be written is reported', async (t) => {
  const lab = nt4Lab(t)
  const server = await lab.serve({ persistentFile: '/nowhere/at/all.json' })
  const client = await crudeClient(t, server.port)
  const mirror = gather(await lab.connect(server.port), ['/x'])

  client.say(publish('/x', 1, 'double', { persistent: true }))
  client.socket.send(message(1, 5, WIRE.double, 1))
  await mirror.atLeast(1)
  await lab.end(server)

  assert.deepEqual(
    lab.faults.map(({ code }) => code),
    ['nt4.persistent_unsaved'],
  )
})

test('a browser gets a page with the topics, harmlessly written', async (t) => {
  const lab = nt4Lab(t)
  const { port } = await lab.serve()
  const client = await crudeClient(t, port)
  client.say(publish('/<script>', 1, 'double', { persistent: true }))
  client.socket.send(message(1, 5, WIRE.double, 4))
  await eventually(() => client.announced('/<script>').length > 0)
  const get = async (path: string, method = 'GET') => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method })
    return { status: response.status, text: await response.text() }
  }

  const { text } = await get('/')
  assert.ok(text.includes('/&#60;script&#62;') && !text.includes('/<script>'))
  assert.deepEqual(JSON.parse((await get('/nt/persistent.json')).text)[0]?.value, 4)
  assert.equal((await get('/other')).status, 404)
  assert.equal((await get('/', 'POST')).status, 405)
})

test('a subscriber that does not read delays nobody and is given up in the end', async (t) => {
  const lab = nt4Lab(t)
  const server = await lab.serve()
  const device = await lab.connect(server.port, 'device')
  const stalled = await crudeClient(t, server.port, { protocols: [PROTOCOL_40] })
  stalled.say(subscribe(['/'], { prefix: true, all: true, periodic: 0.01 }))
  const heard = await listener(lab, server.port, ['/n'], { all: true })
  const [n, bulk] = [device.publish('/n', 'double'), device.publish('/bulk', 'string')]
  await eventually(() => server.clients() === 3)

  stalled.socket.pause()
  const large = 'x'.repeat(200_000)
  let sent = 0
  const feed = setInterval(() => {
    if (
      device.write([
        [n, sent],
        [bulk, large],
      ])
    )
      sent += 1
  }, 10)
  t.after(() => clearInterval(feed))
  await eventually(() => heard.updates.length > 200)
  await eventually(() => server.clients() === 2)

  assert.deepEqual(
    heard.updates.map(({ value }) => value),
    heard.updates.map((_, index) => index),
    'none was missed',
  )
})
