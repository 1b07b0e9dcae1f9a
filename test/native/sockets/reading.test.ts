// The turns of sockets: all that is sent arrives, in its order, a share at a time, with others in between.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Fault } from '../../../machines/errors/fault.ts'
import { PONGS } from '../../../machines/websocket/pongs.ts'
import { readInTurns, serveInTurns, workInTurns } from '../../../native/sockets/reading.ts'
import { arrival, until } from '../../support/until.ts'

const HANDSHAKE =
  'GET / HTTP/1.1\r\nhost: a\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\n' +
  'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'

/** A server whose connections are read in turns. */
const served = async (t: TestContext) => {
  const faults: Fault[] = []
  const sockets: Socket[] = []
  const server = createServer()
  serveInTurns(server, (fault) => faults.push(fault))
  server.on('connection', (socket) => sockets.push(socket))
  await listening(server)
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const call = async () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    t.after(() => socket.destroy())
    await arrival('a connection', once(socket, 'connect'))
    return socket
  }
  return { server, faults, call }
}

const listening = (server: Server) => arrival('a port', once(server.listen(0, '127.0.0.1'), 'listening'))

const frameOf = (opcode: number, payload = Buffer.alloc(0)): Buffer =>
  Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | payload.length, 0, 0, 0, 0]), payload])

const many = (count: number, piece: Buffer | string): Buffer =>
  Buffer.from(piece.toString('latin1').repeat(count), 'latin1')

/** Counts turns of the event loop until it is told to stop. */
const countTurns = () => {
  let turns = 0
  let isOver = false
  const next = () => {
    turns += 1
    if (!isOver) setImmediate(next)
  }
  setImmediate(next)
  return () => {
    isOver = true
    return turns
  }
}

const accepting = (server: Server, opened: (ws: WebSocket) => void = () => {}): Promise<WebSocket> =>
  new Promise((resolve) =>
    new WebSocketServer({ server, perMessageDeflate: false, ...PONGS }).once('connection', (ws) => {
      opened(ws)
      resolve(ws)
    }),
  )

test('requests that come in one piece are answered one a turn, and in their order', async (t) => {
  const { server, call } = await served(t)
  const perTurn = new Map<number, number>()
  const stop = countTurns()
  let turn = 0
  const count = () => {
    turn += 1
    if (turn >= 0) setImmediate(count)
  }
  setImmediate(count)
  t.after(() => {
    turn = Number.NEGATIVE_INFINITY
    stop()
  })
  server.on('request', (request, response) => {
    perTurn.set(turn, (perTurn.get(turn) ?? 0) + 1)
    response.end(`${request.url};`)
  })
  const socket = await call()
  const asked = Array.from({ length: 200 }, (_, n) => `GET /${n} HTTP/1.1\r\nhost: a\r\n\r\n`)
  let answers = ''
  socket.setEncoding('latin1').on('data', (text: string) => {
    answers += text
  })

  socket.write(asked.join(''))
  await until('all answers', () => answers.includes('/199;'))

  assert.deepEqual(
    [...answers.matchAll(/\/(\d+);/g)].map(([, n]) => Number(n)),
    asked.map((_, n) => n),
  )
  assert.ok(Math.max(...perTurn.values()) <= 2, 'the first of a turn may have been cut where its head ends')
})

test('a body arrives whole behind its head, and the next request behind that', async (t) => {
  const { server, call } = await served(t)
  const bodies: string[] = []
  let requests = 0
  let whole = 0
  server.on('request', async (request, response) => {
    const n = requests
    requests += 1
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    bodies[n] = Buffer.concat(chunks).toString('latin1')
    whole += 1
    response.end('done')
  })
  const long = randomBytes(300_000).toString('latin1')
  const plain = (body: string) => `POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  const inPieces = (body: string) =>
    'POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n' +
    `${[...body].map((each) => `1\r\n${each}\r\n`).join('')}0\r\n\r\n`
  const sent = [long, '', '\r\n\r\nGET / HTTP/1.1\r\n\r\n', 'short']
  const socket = await call()

  socket.write([...sent.map(plain), inPieces('one\r\n\r\ntwo'), plain('last')].join(''), 'latin1')
  await until(
    'all bodies',
    () => whole,
    (count) => count === 6,
  )

  assert.ok(bodies[0] === long)
  assert.deepEqual(bodies.slice(1), [...sent.slice(1), 'one\r\n\r\ntwo', 'last'])
})

test('messages behind a handshake arrive whole and in their order, whoever stops reading meanwhile', async (t) => {
  const { server, call } = await served(t)
  const socket = await call()
  const texts = Array.from({ length: 500 }, (_, n) => `${n}`.padStart(1 + (n % 120), '-'))
  const heard: string[] = []
  const accepted = accepting(server, (ws) =>
    ws.on('message', (data) => {
      heard.push(data.toString())
      if (heard.length % 50 !== 0) return
      ws.pause()
      setImmediate(() => ws.resume())
    }),
  )

  socket.write(Buffer.concat([Buffer.from(HANDSHAKE), ...texts.map((text) => frameOf(1, Buffer.from(text)))]))
  await arrival('a WebSocket', accepted)
  await until(
    'all messages',
    () => heard.length,
    (count) => count === texts.length,
  )

  assert.deepEqual(heard, texts)
})

test('who sends thousands of messages leaves others their turns', async (t) => {
  const { server, faults, call } = await served(t)
  const accepted = accepting(server)
  const socket = await call()
  socket.write(HANDSHAKE)
  const ws = await arrival('a WebSocket', accepted)
  let heard = 0
  ws.on('message', () => {
    heard += 1
  })
  const stop = countTurns()

  socket.write(many(10_000, frameOf(1)))
  await until(
    'all messages',
    () => heard,
    (count) => count === 10_000,
  )

  assert.ok(stop() > 100, 'the event loop has turned meanwhile')
  assert.deepEqual(faults, [])
})

for (const [what, count, isCut] of [
  ['a burst of 200 pings', 200, false],
  ['a burst of 1,500 pings', 1_500, false],
  ['pings without end', 20_000, true],
] as const)
  test(`${what} ${isCut ? 'end the connection, with a sentence' : 'are answered'}`, async (t) => {
    const { server, faults, call } = await served(t)
    const accepted = accepting(server)
    const socket = await call()
    let bytes = 0
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.on('data', ({ length }: Buffer) => {
      bytes += length
    })
    socket.write(HANDSHAKE)
    const ws = await arrival('a WebSocket', accepted)
    ws.on('error', () => {})
    await until('the answer to the handshake', () => bytes > 0)
    bytes = 0

    socket.write(many(count, frameOf(9)))
    if (isCut) await arrival('the end', closed)
    else
      await until(
        'the pongs',
        () => bytes,
        (each) => each === 2 * count,
      )

    assert.deepEqual(
      faults.map(({ code, detail }) => [code, detail]),
      isCut
        ? [
            [
              'connection.floods',
              'a WebSocket from 127.0.0.1 has sent more than 2000 pings and pongs and was ended; ' +
                'find the program there that does that',
            ],
          ]
        : [],
    )
  })

test('work is done in steps, in its order, and what comes behind it waits', async (t) => {
  const order: string[] = []
  const server = createTcpServer((socket) => socket.end('first'.padEnd(5_000, '.')))
  await arrival('a port', once(server.listen(0, '127.0.0.1'), 'listening'))
  t.after(() => server.close())
  const socket = readInTurns(connect((server.address() as AddressInfo).port, '127.0.0.1'))
  t.after(() => socket.destroy())
  let left = 50
  const slow = () => {
    const untilMs = performance.now() + 0.5
    while (performance.now() < untilMs);
    left -= 1
    if (left === 0) order.push('all steps')
    return left > 0
  }
  const stop = countTurns()

  socket.on('data', () => {
    order.push('bytes')
    if (order.length > 1) return
    workInTurns(socket, slow)
    workInTurns(socket, () => {
      order.push('behind them')
      return false
    })
  })
  await arrival('the end', once(socket, 'end'))

  assert.deepEqual(order, ['bytes', 'all steps', 'behind them', 'bytes'])
  assert.ok(stop() > 5)
})
