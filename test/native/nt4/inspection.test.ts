// Looks at our own server, and at crude ones that break the rules.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { WebSocket } from 'ws'
import { isFault } from '../../../machines/errors/fault.ts'
import type { Lookup } from '../../../native/names/lookup.ts'
import { WIRE } from '../../../native/nt4/codec.ts'
import { webSocketInspection } from '../../../native/nt4/inspection/ws-inspection.ts'
import type { Nt4Look, Nt4TopicSeen, Nt4TopicsSeen, Nt4Type, Nt4Value } from '../../../native/nt4/port.ts'
import { PROTOCOL_40 } from '../../../native/nt4/protocol.ts'
import { caughtUp, crudeServer, message, nt4Lab } from '../../support/nt4/nt4.ts'
import { freePort } from '../../support/processes/free-port.ts'
import { arrival, until } from '../../support/until.ts'

const MAX_MS = 2_000
const EVERY_MS = 50
const MAX_BYTES = 4 * 1024 * 1024

const at = (port: number, host = '127.0.0.1'): Nt4Look => ({ host, port, name: 'tester', refusal: () => undefined })
const { topics, topic } = webSocketInspection()

const topicsAt = async (port: number, prefix = ''): Promise<Nt4TopicsSeen> => {
  const found = await topics(at(port), prefix)
  assert.ok(!isFault(found), isFault(found) ? found.detail : '')
  return found
}
const topicAt = async (port: number, name: string): Promise<Nt4TopicSeen> => {
  const found = await topic(at(port), name)
  assert.ok(!isFault(found), isFault(found) ? found.detail : '')
  return found
}
const codeOf = async (found: Promise<object>): Promise<string> => {
  const fault = await found
  assert.ok(isFault(fault), JSON.stringify(fault))
  return fault.code
}

/** Announces what is subscribed to, as a server would that has just these topics, each with its value. */
const announce = (name: string, id: number, type: string): string =>
  JSON.stringify([{ method: 'announce', params: { name, id, type, properties: {} } }])

/** A server that says something as soon as it is asked for anything. */
const answering = async (t: TestContext, say: (subscribed: string) => readonly (string | Buffer)[]) => {
  const server = await crudeServer(t)
  let said = 0
  const answer = () => {
    for (; said < server.texts.length; said++) server.send(...say(server.texts[said] as string))
  }
  const { push } = server.texts
  server.texts.push = (...texts) => {
    const length = push.apply(server.texts, texts)
    answer()
    return length
  }
  return server
}

/** A host that takes connections and does with them what it likes. */
const rawHost = async (t: TestContext, serve: (socket: Socket) => void): Promise<number> => {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    serve(socket)
  }).listen(0, '127.0.0.1')
  t.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  await arrival('a port', once(server, 'listening'))
  return (server.address() as AddressInfo).port
}

const ALL: readonly (readonly [Nt4Type, Nt4Value])[] = [
  ['boolean', true],
  ['double', Number.NaN],
  ['int', 2n ** 60n + 1n],
  ['float', 0.5],
  ['string', 'text'],
  ['json', '{"a":1}'],
  ['raw', Uint8Array.from([1, 2, 3])],
  ['protobuf', Uint8Array.from([8, 1])],
  ['something new', Uint8Array.from([9])],
  ['boolean[]', [true, false]],
  ['double[]', [1, 2.5]],
  ['int[]', [1, -(2n ** 60n)]],
  ['float[]', [0.25]],
  ['string[]', ['a', 'b']],
]

test('the topics of a server are shown by name, with their types and properties', async (t) => {
  const lab = nt4Lab(t)
  const { port } = await lab.serve()
  const robot = await lab.connect(port, 'robot')
  for (const [type] of ALL) robot.publish(`/all/${type}`, type, { unit: 'm' })
  robot.publish('/other', 'double')
  await caughtUp(robot)

  const { protocol, topics: seen, limit } = await topicsAt(port, '/all/')

  assert.deepEqual([protocol, limit], ['4.1', null])
  const wanted = ALL.map(([type]) => ({ name: `/all/${type}`, type, properties: { unit: 'm' } }))
  assert.deepEqual(
    seen,
    wanted.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  )
})

test('a value of every type comes as it was written, with its time', async (t) => {
  const lab = nt4Lab(t)
  const { port } = await lab.serve()
  const robot = await lab.connect(port, 'robot')
  const stampUs = Math.round(robot.serverTimeUs())
  robot.write(
    ALL.map(([type, value], n) => [robot.publish(`/all/${n}`, type), value] as const),
    stampUs,
  )
  await caughtUp(robot)

  for (const [n, [type, value]] of ALL.entries()) {
    const { topic: seen, newest } = await topicAt(port, `/all/${n}`)
    assert.deepEqual(seen, { name: `/all/${n}`, type, properties: {} })
    assert.deepEqual(newest?.value instanceof Uint8Array ? new Uint8Array(newest.value) : newest?.value, value)
    assert.equal(newest?.timestampUs, stampUs)
  }
})

test('a struct comes with the layouts that reading it takes, those within it included', async (t) => {
  const lab = nt4Lab(t)
  const { port } = await lab.serve()
  const robot = await lab.connect(port, 'robot')
  const layouts = { Line: 'Point from;Point to', Point: 'double x;double y', Unneeded: 'double z' }
  const bytes = new Uint8Array(Float64Array.from([1, 2, 3, 4]).buffer)
  robot.write([
    ...Object.entries(layouts).map(
      ([name, text]) =>
        [robot.publish(`/.schema/struct:${name}`, 'structschema'), new TextEncoder().encode(text)] as const,
    ),
    [robot.publish('/line', 'struct:Line'), bytes] as const,
    [robot.publish('/unknown', 'struct:Nobody'), bytes] as const,
  ])
  await caughtUp(robot)

  const seen = await topicAt(port, '/line')
  assert.deepEqual(Object.fromEntries(seen.layouts), { Line: layouts.Line, Point: layouts.Point })
  assert.deepEqual(new Uint8Array(seen.newest?.value as Uint8Array), bytes)
  const without = await topicAt(port, '/unknown')
  assert.equal(without.layouts.size, 0)
  assert.ok(without.newest)
})

test('a topic without a value has none, and one that is not there is not found', async (t) => {
  const lab = nt4Lab(t)
  const { port } = await lab.serve()
  const robot = await lab.connect(port, 'robot')
  robot.publish('/empty', 'double')
  await caughtUp(robot)

  assert.equal((await topicAt(port, '/empty')).newest, undefined)
  assert.equal(await codeOf(topic(at(port), '/nothing')), 'nt4.topic_not_found')
})

test('looking leaves nothing behind at the server', async (t) => {
  const lab = nt4Lab(t)
  const server = await lab.serve()
  const robot = await lab.connect(server.port, 'robot')
  robot.write([[robot.publish('/x', 'double'), 1]])
  await caughtUp(robot)

  for (let n = 0; n < 3; n++) await topicAt(server.port, '/x')

  await caughtUp(robot)
  assert.equal(server.clients(), 1)
})

test('a server of 4.0 is looked at too', async (t) => {
  const server = await crudeServer(t, { protocol: PROTOCOL_40 })

  assert.deepEqual(await topicsAt(server.port), { protocol: '4.0', limit: null, topics: [] })
})

test('a name is looked up once, and only the addresses that may be looked at are asked', async (t) => {
  const lab = nt4Lab(t)
  const { port } = await lab.serve()
  const judged: string[] = []
  const onlyFour = (address: string) => {
    judged.push(address)
    return address.includes(':') ? ({ code: 'token.required', detail: 'not that one' } as const) : undefined
  }
  const none = () => ({ code: 'token.required', detail: 'none' }) as const

  const found = await topics({ ...at(port, 'localhost'), refusal: onlyFour }, '')
  assert.ok(!isFault(found))
  assert.ok(judged.includes('127.0.0.1'))
  assert.equal(await codeOf(topics({ ...at(port, 'localhost'), refusal: none }, '')), 'token.required')
  assert.equal(await codeOf(topics({ ...at(port), refusal: none }, '')), 'token.required')
  assert.equal(await codeOf(topics(at(port, 'no-such-host.invalid'), '')), 'nt4.unreachable')
})

test('whatever a server does, a look takes at most 2 s', async (t) => {
  const drip = (socket: Socket) => {
    const timer = setInterval(() => socket.write('H'), 50)
    socket.on('close', () => clearInterval(timer))
  }
  let asked = 0
  const hearing = (serve: (socket: Socket) => void) =>
    rawHost(t, (socket) => {
      socket.once('data', () => {
        asked += 1
      })
      serve(socket)
    })
  const timeless = await crudeServer(t, { keepsTime: false })
  const refused = ['nt4.refused', 'nt4.unreachable']
  const cases: readonly (readonly [what: string, port: number, codes: readonly string[]])[] = [
    ['nobody listens', await freePort(), ['nt4.unreachable']],
    ['it takes the connection and is mute', await hearing(() => {}), ['nt4.refused']],
    ['it drips', await hearing(drip), refused],
    ['it hangs up', await hearing((socket) => socket.end()), refused],
    ['it tells no time', timeless.port, ['nt4.no_clock']],
    ['it speaks otherwise', (await crudeServer(t, { protocol: 'chat' })).port, ['nt4.refused']],
  ]
  t.mock.timers.enable({ apis: ['setTimeout'] })
  for (const [what, port, codes] of cases) {
    const before = asked + timeless.texts.length
    let isOver = false
    const looking = codeOf(topic(at(port), '/x')).finally(() => {
      isOver = true
    })
    await until('the question, or the end', () => isOver || asked + timeless.texts.length > before)
    t.mock.timers.tick(MAX_MS - 1)
    const code = await arrival(`the end, where ${what}`, looking)
    assert.ok(codes.includes(code), `${what}: ${code}`)
  }
})

test('that a topic is gone is told of one that was not wanted, too: it is counted', async (t) => {
  const server = await crudeServer(t)
  const told: string[] = []
  const stop = webSocketInspection().watch(at(server.port), {
    began: () => told.push('began'),
    announced: ({ name }) => told.push(`announced ${name}`) < 0,
    gone: (name) => told.push(`gone ${name}`),
    arrived: () => {},
    ended: () => {},
  })
  t.after(stop)
  await until('the session', () => told.includes('began'))

  server.send(announce('/unwanted', 5, 'double'))
  server.send(JSON.stringify([{ method: 'unannounce', params: { name: '/unwanted', id: 5 } }]))
  server.send(announce('/last', 6, 'double'))
  await until('the last one', () => told.includes('announced /last'))

  assert.deepEqual(told, ['began', 'announced /unwanted', 'gone /unwanted', 'announced /last'])
})

test('a host that floods the handshake is not listened to for long', async (t) => {
  const bytes = Buffer.alloc(65_536, 'x')
  let sent = 0
  const port = await rawHost(t, (socket) => {
    const more = () => {
      while (!socket.destroyed && socket.write(bytes));
      sent = Math.max(sent, socket.bytesWritten)
    }
    socket.once('data', more).on('drain', more)
  })

  const code = await codeOf(topic(at(port), '/x'))

  assert.ok(['nt4.refused', 'nt4.unreachable'].includes(code), code)
  assert.ok(sent < 5 * MAX_BYTES, `${sent} bytes left the host`) // the kernel's buffers hold some MB on either side
})

test('of a server that floods, what came until 4 MiB is shown, and is said to be cut short', async (t) => {
  const one = (n: number) => JSON.parse(announce(`/n/${n}/${'x'.repeat(500)}`, n, 'double'))[0]
  // always others: a server that says the same again has said all
  const text = (from: number) => JSON.stringify(Array.from({ length: 400 }, (_, n) => one(from + n)))
  const server = await answering(t, () => Array.from({ length: 30 }, (_, n) => text(400 * n)))

  const found = await topicsAt(server.port)

  assert.equal(found.limit, 'bytes')
  assert.ok(found.topics.length >= 400 && found.topics.length < 12_000, `${found.topics.length} topics`)
})

test('frames that are no messages count as well', async (t) => {
  const pong = Buffer.concat([Buffer.from([0x8a, 125]), Buffer.alloc(125)])
  const server = await answering(t, () => [])
  server.texts.push = (...texts) => {
    for (const socket of server.sockets) {
      const raw = (socket as unknown as { _socket: Socket })._socket
      raw.write(Buffer.alloc(MAX_BYTES + 127, pong))
    }
    return texts.length
  }

  assert.equal((await topicsAt(server.port)).limit, 'bytes')
})

test('a server that has always something new is cut short after 2 s', async (t) => {
  const server = await answering(t, () => [announce('/first', 0, 'double')])
  t.mock.timers.enable({ apis: ['setTimeout'] })

  let isOver = false
  const looking = topicsAt(server.port).finally(() => {
    isOver = true
  })
  await until('the question', () => server.texts.length > 0)
  const [socket] = server.sockets as [WebSocket]
  let passedMs = 0
  const pass = (ms: number) => {
    passedMs += ms
    t.mock.timers.tick(ms)
  }
  let heard = 0
  socket.on('pong', () => {
    heard += 1
  })
  for (let n = 1; !isOver && passedMs + EVERY_MS < MAX_MS; n++) {
    server.send(announce(`/n/${n}`, n, 'double'))
    socket.ping() // its answer comes behind what was sent
    await until('a pong, or the end', () => heard === n || isOver || pass(1))
    pass(EVERY_MS)
  }
  const found = await arrival('the end', looking)

  assert.equal(found.limit, 'time')
  assert.ok(found.topics.length > 3)
})

test('one topic that changes all the time holds nobody up', async (t) => {
  const server = await answering(t, () => [announce('/x', 1, 'double')])
  const timer = setInterval(() => server.send(announce('/x', 1, 'double')), 20)
  t.after(() => clearInterval(timer))

  assert.deepEqual(
    (await topicsAt(server.port)).topics.map(({ name }) => name),
    ['/x'],
  )
})

test('garbage, unknown types, values without a topic and ids that are used again spoil nothing', async (t) => {
  const good = message(7, 5, WIRE.double, 3)
  const server = await answering(t, (subscribed) =>
    subscribed.includes('"/x"')
      ? [
          ...['', 'null', '{', '[[[', '[1,{"method":"dance","params":{}}]', '[{"method":"announce","params":{}}]'],
          ...[Buffer.alloc(0), Buffer.from([0xc1]), Buffer.from([0x94]), Buffer.from([0x94, 7, 5, 1])],
          ...[message(99, 5, WIRE.double, 1), message(-1, 5, WIRE.string, 'no clock')],
          announce('/other', 7, 'double'),
          message(7, 5, WIRE.double, 1),
          JSON.stringify([{ method: 'unannounce', params: { name: '/other', id: 7 } }]),
          announce('/x', 7, 'double'),
          message(7, 5, WIRE.string, 'of another type'),
          Buffer.concat([good, Buffer.from([0x94, 7, 5])]),
        ]
      : [],
  )

  const { topic: seen, newest } = await topicAt(server.port, '/x')

  assert.deepEqual([seen.type, newest?.value], ['double', 3])
})

test('layouts without end are not asked for without end', async (t) => {
  const asked: string[] = []
  const server = await answering(t, (subscribed) => {
    asked.push(subscribed)
    const names = JSON.parse(subscribed)[0].params.topics as string[]
    return names.flatMap((name) => {
      const [, struct] = /struct:S(\d+)$/.exec(name) ?? []
      if (name === '/x') return [announce('/x', 1, 'struct:S0'), message(1, 5, WIRE.bytes, new Uint8Array(8))]
      const next = Number(struct) + 1
      const id = 10 + next
      return [
        announce(name, id, 'structschema'),
        message(id, 5, WIRE.bytes, new TextEncoder().encode(`S${next} a;S${next + 1000} b`)),
      ]
    })
  })

  const { layouts } = await topicAt(server.port, '/x')

  assert.ok(layouts.size <= 64 && asked.length <= 65, `${layouts.size} layouts, asked ${asked.length} times`)
})

test('of a layout that says something else each time the first counts', async (t) => {
  const asked: string[] = []
  const layout = (text: string) => message(2, 5, WIRE.bytes, new TextEncoder().encode(text))
  const server = await answering(t, (subscribed) => {
    asked.push(subscribed)
    if (subscribed.includes('"/x"'))
      return [announce('/x', 1, 'struct:S'), message(1, 5, WIRE.bytes, new Uint8Array(8))]
    if (!subscribed.includes('struct:S"')) return []
    return [
      announce('/.schema/struct:S', 2, 'structschema'),
      ...Array.from({ length: 50 }, (_, n) => layout(`Other${n} a`)),
    ]
  })

  const { layouts } = await topicAt(server.port, '/x')

  assert.equal(layouts.get('S'), 'Other0 a')
  assert.equal(asked.length, 3)
})

test('few looks are taken at a time, and whoever comes then hears so', async (t) => {
  const { topics: look } = webSocketInspection()
  const port = await rawHost(t, () => {})

  const all = await Promise.all(Array.from({ length: 6 }, () => codeOf(look(at(port), ''))))

  assert.deepEqual(all.toSorted(), [...Array(4).fill('nt4.refused'), ...Array(2).fill('service.busy')])
})

test('a look whose name is still being looked up keeps its place after it has answered', async () => {
  const asked: Parameters<Lookup>[] = []
  const { topics } = webSocketInspection((...question) => asked.push(question))
  const lookAt = (n: number) => codeOf(topics(at(1, `nobody-${n}.local`), ''))

  const first = await Promise.all([0, 1, 2, 3].map(lookAt))
  const held = await lookAt(4)
  asked[0]?.[2](Object.assign(new Error(), { code: 'ENOTFOUND' }), [])
  const fifth = lookAt(5)
  asked[4]?.[2](Object.assign(new Error(), { code: 'ENOTFOUND' }), [])

  assert.deepEqual(first, Array(4).fill('nt4.unreachable'))
  assert.deepEqual([held, await fifth, asked.length], ['service.busy', 'nt4.unreachable', 5])
})
