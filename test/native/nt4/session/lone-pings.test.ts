// Pings that are answered ahead of the library, beside the library's own writing and reading of frames.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import * as ws from 'ws'
import { decodeFrame, TIME_SYNC_ID, WIRE } from '../../../../native/nt4/codec.ts'
import { PROTOCOL_41 } from '../../../../native/nt4/protocol.ts'
import { LonePings } from '../../../../native/nt4/session/lone-pings.ts'
import { ClientSession } from '../../../../native/nt4/session/session.ts'
import { crudeServer, gather, message, nt4Lab } from '../../../support/nt4/nt4.ts'
import { arrival } from '../../../support/until.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** What the library exports without declaring its type. */
interface LibraryParts {
  readonly Sender: { readonly frame: (data: Buffer, options: object) => Buffer[] }
  readonly Receiver: new (options: object) => NodeJS.WritableStream
}
const { Sender, Receiver } = ws as unknown as LibraryParts

const BINARY = 2
const CLOSE = 8
const PING = 9
const PONG = 10

interface Piece {
  readonly opcode: number
  readonly fin: boolean
  readonly payload: Buffer
}

const framed = ({ opcode, fin, payload }: Piece): Buffer =>
  Buffer.concat(Sender.frame(payload, { fin, opcode, mask: false, readOnly: true, rsv1: false }))

/** Payloads that look like pings, and of every way to write a length. */
const payloads = fc.oneof(
  fc.array(fc.constantFrom(0x89, 0x8a, 0, 1, 2), { maxLength: 140 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom(0, 1, 125, 126, 127, 65_535, 65_536, 70_000).map((length) => Buffer.alloc(length, 0x89)),
)
const control = fc
  .tuple(fc.constantFrom(PING, PING, PONG), fc.array(fc.constantFrom(0x89, 0, 8), { maxLength: 125 }))
  .map(([opcode, bytes]): Piece[] => [{ opcode, fin: true, payload: Buffer.from(bytes) }])
const whole = payloads.map((payload): Piece[] => [{ opcode: BINARY, fin: true, payload }])
/** A message in two fragments, with what may come between them. */
const parted = fc
  .tuple(payloads, control, payloads)
  .map(([first, between, last]): Piece[] => [
    { opcode: BINARY, fin: false, payload: first },
    ...between,
    { opcode: 0, fin: true, payload: last },
  ])
const traffic = fc
  .array(fc.oneof(control, control, whole, parted), { minLength: 1, maxLength: 12 })
  .map((pieces) => pieces.flat())

/** The bytes of frames in chunks: each frame alone, or cut anywhere. */
const chunksOf = (frames: readonly Buffer[], cuts: readonly number[]): Buffer[] => {
  if (cuts.length === 0) return [...frames]
  const bytes = Buffer.concat(frames)
  const at = [...new Set([0, ...cuts.map((cut) => cut % bytes.length), bytes.length])].sort((a, b) => a - b)
  return at.slice(1).map((end, n) => bytes.subarray(at[n], end))
}

/** All that a client hears, whoever reads it, in order. lone: pings answered ahead. */
const heardOf = (chunks: readonly Buffer[]) => {
  const pings = new LonePings()
  const reader = new Receiver({ isServer: false })
  const heard: string[] = []
  const lone: Buffer[] = []
  reader.on('ping', (data: Buffer) => heard.push(`ping ${data.toString('hex')}`))
  reader.on('pong', (data: Buffer) => heard.push(`pong ${data.toString('hex')}`))
  reader.on('message', (data: Buffer) => heard.push(`message ${data.toString('hex')}`))
  reader.on('error', (error: Error) => heard.push(error.message))
  for (const chunk of chunks) {
    const pong = pings.pongTo(chunk, chunk.length)
    if (pong) {
      lone.push(Buffer.from(pong))
      heard.push(`ping ${pong.subarray(6).toString('hex')}`)
      continue
    }
    pings.passed(chunk)
    reader.write(chunk)
  }
  return { heard, lone }
}

test('whatever a server sends, cut anywhere, is heard as the library alone hears it', () => {
  fc.assert(
    fc.property(traffic, fc.array(fc.nat({ max: 200_000 }), { maxLength: 12 }), (pieces, cuts) => {
      const frames = pieces.map(framed)

      const { heard } = heardOf(chunksOf(frames, cuts))

      const alone = heardOf([Buffer.concat(frames)])
      assert.deepEqual(heard, alone.heard)
      assert.equal(
        heard.filter((one) => one.startsWith('ping')).length,
        pieces.filter((one) => one.opcode === PING).length,
      )
    }),
    { numRuns: 300 },
  )
})

test('each ping that comes as one chunk is answered, also between the fragments of a message', () => {
  fc.assert(
    fc.property(traffic, (pieces) => {
      const { lone } = heardOf(pieces.map(framed))

      const pings = pieces.filter(({ opcode }) => opcode === PING)
      assert.deepEqual(
        lone.map((pong) => pong.subarray(6).toString('hex')),
        pings.map(({ payload }) => payload.toString('hex')),
      )
    }),
  )
})

test('what is not a ping as servers may send it is left to the library', () => {
  const odd: readonly (readonly [what: string, bytes: readonly number[]])[] = [
    ['a masked one', [0x89, 0x80, 1, 2, 3, 4]],
    ['a fragment', [0x09, 0]],
    ['a reserved bit', [0xc9, 0]],
    ['one that is too long', [0x89, 126, 0, 126, ...Array<number>(126).fill(0)]],
    ['half of one', [0x89]],
    ['one and a half', [0x89, 0, 0x89]],
    ['two', [0x89, 0, 0x89, 0]],
    ['nothing', []],
  ]

  for (const [what, bytes] of odd)
    assert.equal(new LonePings().pongTo(Buffer.from(bytes), bytes.length), undefined, what)
})

test('a server hears its own ping back, and the values around it arrive', async (t) => {
  const lab = nt4Lab(t)
  const server = await crudeServer(t)
  const session = await lab.connect(server.port)
  const heard = gather(session, ['/x'])
  const pongs: string[] = []
  const [socket] = server.sockets
  const pong = async (ping: string) => {
    const answer = once(socket as ws.WebSocket, 'pong')
    socket?.ping(Buffer.from(ping, 'hex'))
    pongs.push((await arrival('a pong', answer)).toString())
  }

  await pong('')
  server.send(
    JSON.stringify([{ method: 'announce', params: { name: '/x', id: 1, type: 'double', properties: {} } }]),
    message(1, 5, WIRE.double, 1),
  )
  await heard.atLeast(1)
  await pong('3132333435363738')
  server.send(message(1, 6, WIRE.double, 2))
  await heard.atLeast(2)
  await pong('31'.repeat(125))

  assert.deepEqual(pongs, ['', '12345678', '1'.repeat(125)])
})

/**
 * A server of bare bytes that a client asks for a connection. answer: what takes it. unreadable: word of what the
 * client could not read.
 */
const bareServer = async (t: TestContext) => {
  const server = createServer((socket) => socket.setNoDelay()).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await arrival('a port', once(server, 'listening'))
  const { port } = server.address() as AddressInfo
  const connected = once(server, 'connection')
  const unreadable = Promise.withResolvers<unknown>()
  const session = new ClientSession({ host: '127.0.0.1', port, name: 'tester' }, unreadable.resolve)
  t.after(() => session.close('at-once'))
  const [peer] = (await arrival('a connection', connected)) as [Socket]
  t.after(() => peer.destroy())
  const [request] = (await arrival('a request', once(peer, 'data'))) as [Buffer]
  const reader = new Receiver({ isServer: true })
  peer.pipe(reader)
  return { session, peer, reader, answer: handshakeTo(String(request)), unreadable: unreadable.promise }
}

test('two bytes of a value that began in one piece with the end of the handshake are no ping', async (t) => {
  const value = framed({ opcode: BINARY, fin: true, payload: Buffer.from([0, 0, 0x89, 0]) })
  const ping = framed({ opcode: PING, fin: true, payload: Buffer.from('robot') })
  const { peer, reader, answer, unreadable } = await bareServer(t)
  const asked = once(reader, 'message')
  const answered = once(reader, 'pong')

  peer.write(Buffer.concat([answer, value.subarray(0, -2)]))
  await arrival('a question for the time', asked)
  peer.write(value.subarray(-2))
  await arrival('word of a value that makes no sense', unreadable)
  peer.write(ping)

  const [pong] = (await arrival('a pong', answered)) as [Buffer]
  assert.equal(pong.toString(), 'robot')
})

test('after a client has said that it closes no ping is answered any more', async (t) => {
  const { session, peer, reader, answer } = await bareServer(t)
  const ready = Promise.withResolvers<void>()
  const closing = once(reader, 'conclude')
  const gone = once(peer, 'close')
  const pongs: Buffer[] = []
  session.onReady(ready.resolve)
  reader.on('pong', (pong: Buffer) => pongs.push(pong))
  reader.on('message', (data: Buffer, isBinary: boolean) => isBinary && peer.write(timeFor(data)))
  peer.write(answer)
  await arrival('readiness', ready.promise)

  session.close('politely')
  await arrival('the close', closing)
  peer.write(framed({ opcode: PING, fin: true, payload: Buffer.from('robot') }))
  for (let turns = 0; turns < 10; turns++) await turn() // so that it comes alone
  peer.write(framed({ opcode: CLOSE, fin: true, payload: Buffer.from([3, 232]) }))
  await arrival('the end', gone)

  assert.deepEqual(pongs, [])
})

test('a server that pings and does not read is sent away, instead of pongs being kept for it', async (t) => {
  const lab = nt4Lab(t)
  const server = await crudeServer(t)
  const session = await lab.connect(server.port)
  const [socket] = server.sockets
  const topic = session.publish('/x', 'string')
  const ended = Promise.withResolvers<string>()
  session.onClosed(({ code }) => ended.resolve(code))
  socket?.pause()
  for (const large = 'x'.repeat(100_000); session.write([[topic, large]]); ) await turn()

  for (let pings = 0; pings < 1_000 && socket?.readyState === ws.WebSocket.OPEN; pings++) {
    socket.ping()
    await turn()
  }

  assert.equal(await arrival('the end', ended.promise, undefined, 5_000), 'nt4.closed')
})

test('a server that only pings is not silent', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const lab = nt4Lab(t)
  const server = await crudeServer(t)
  const session = await lab.connect(server.port)
  const [socket] = server.sockets
  let closed: unknown
  session.onClosed((fault) => {
    closed = fault
  })
  server.goSilent()

  for (let n = 0; n < 10; n++) {
    const answer = once(socket as ws.WebSocket, 'pong')
    socket?.ping()
    await arrival('a pong', answer)
    t.mock.timers.tick(500)
  }

  assert.equal(closed, undefined)
  assert.equal(session.write([]), true)
})

const handshakeTo = (request: string): Buffer => {
  const key = /^sec-websocket-key: (.*)\r$/im.exec(request)?.[1]
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
  return Buffer.from(
    [
      'HTTP/1.1 101 Switching Protocols',
      'Upgrade: websocket',
      'Connection: Upgrade',
      `Sec-WebSocket-Accept: ${accept}`,
      `Sec-WebSocket-Protocol: ${PROTOCOL_41}`,
      '\r\n',
    ].join('\r\n'),
  )
}

/** The answer to a question for the time. */
const timeFor = (question: Buffer): Buffer => {
  const [asked] = decodeFrame(question).messages
  return framed({ opcode: BINARY, fin: true, payload: message(TIME_SYNC_ID, 5_000_000, WIRE.int, asked?.value ?? 0) })
}
