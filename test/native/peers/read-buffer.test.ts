// What a connection is read into that brings much: the bytes are the same however they are taken, and the memory is,
// too, where nobody needs them any more.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Scope from 'effect/Scope'
import { bufferOf, diallerOf } from '../../../native/peers/dial.ts'
import { ReadBuffer } from '../../../native/peers/read-buffer.ts'
import { deviceCertificate, peerServer } from '../../support/peers/peer-server.ts'
import { arrival } from '../../support/until.ts'

const BODY = randomBytes(3_000_000)
const END_OF_HEAD = '\r\n\r\n'

/** A connection to a server that sends the body to whoever asks. */
const dialled = async (t: TestContext, how: 'plain' | 'TLS') => {
  const certificate = how === 'TLS' ? await deviceCertificate() : undefined
  const { origin } = await peerServer(t, (_, response) => response.end(BODY), certificate)
  const scope = Scope.makeUnsafe()
  t.after(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const target = { origin, fingerprint: null, token: null }
  const dialling = diallerOf(() => null)(target, 5_000, { bringsMuch: true })
  return arrival('a connection', Effect.runPromise(Scope.provide(dialling, scope)))
}

/** All that comes until the end, as `took` sees each piece of it. */
const answerOn = async (socket: Socket, took: (piece: Buffer, room: ReadBuffer) => Buffer): Promise<Buffer> => {
  const room = bufferOf(socket)
  assert.ok(room)
  const pieces: Buffer[] = []
  socket.on('data', (piece: Buffer) => pieces.push(took(piece, room)))
  const ended = new Promise((resolve) => socket.once('end', resolve))
  socket.write('GET / HTTP/1.1\r\nhost: peer\r\nconnection: close\r\n\r\n')
  await arrival('the end', ended)
  const whole = Buffer.concat(pieces)
  return whole.subarray(whole.indexOf(END_OF_HEAD) + END_OF_HEAD.length)
}

for (const how of ['plain', 'TLS'] as const) {
  test(`what came stays as it is for whoever keeps it (${how})`, async (t) => {
    const socket = await dialled(t, how)

    const body = await answerOn(socket, (piece) => piece)

    assert.ok(body.equals(BODY))
  })

  test(`all is read into the same memory where each piece is done with at once (${how})`, async (t) => {
    const socket = await dialled(t, how)
    const memory = new Set<ArrayBufferLike>()

    const body = await answerOn(socket, (piece, room) => {
      memory.add(piece.buffer)
      const copy = Buffer.from(piece)
      room.reuse()
      return copy
    })

    assert.ok(body.equals(BODY))
    assert.equal(memory.size, 1)
  })

  test(`what waits in a connection that is paused again and again is not written over (${how})`, async (t) => {
    const socket = await dialled(t, how)

    const body = await answerOn(socket, (piece, room) => {
      const copy = Buffer.from(piece)
      room.reuse()
      socket.pause()
      setImmediate(() => socket.resume())
      return copy
    })

    assert.ok(body.equals(BODY))
  })
}

for (const how of ['plain', 'TLS'] as const) {
  test(`bytes go at once to whoever takes them, and by the stream while it is paused, in order (${how})`, async (t) => {
    const socket = await dialled(t, how)
    const [ways, pieces] = [[] as string[], [] as Buffer[]]
    const resume = (turns: number): unknown =>
      socket.readableLength > 0 || turns === 0 ? socket.resume() : setImmediate(resume, turns - 1)
    const takeAs = (way: string) => (piece: Buffer) => {
      pieces.push(piece)
      if (ways.push(way) % 3 !== 0) return
      socket.pause()
      resume(100) // nothing more may come
    }
    bufferOf(socket)?.giveTo(takeAs('at once'))
    socket.on('data', takeAs('by the stream'))
    const ended = new Promise((resolve) => socket.once('end', resolve))

    socket.write('GET / HTTP/1.1\r\nhost: peer\r\nconnection: close\r\n\r\n')
    await arrival('the end', ended)

    const whole = Buffer.concat(pieces)
    assert.ok(whole.subarray(whole.indexOf(END_OF_HEAD) + END_OF_HEAD.length).equals(BODY))
    // Node stops reading a plain connection that is paused; over TLS what was decrypted still comes.
    assert.deepEqual([...new Set(ways)].sort(), how === 'TLS' ? ['at once', 'by the stream'] : ['at once'])
  })
}

test('what waits in a connection goes before what comes when it is resumed', async () => {
  const room = new ReadBuffer()
  const socket = new Duplex({ read: () => {} }) as Socket
  const comes = (text: string) => {
    const piece = (room.onread.buffer as () => Buffer)()
    room.onread.callback(piece.write(text), piece)
  }
  const got: string[] = []
  room.serve(socket)
  room.giveTo((piece) => got.push(piece.toString()))
  socket.on('data', (piece: Buffer) => got.push(piece.toString()))

  socket.pause()
  comes('first')
  socket.resume()
  comes('second')
  await new Promise(setImmediate)
  comes('third')

  assert.equal(got.join(' '), 'first second third')
})

test('what nobody has been told of yet is not done with', () => {
  const room = new ReadBuffer()
  const next = () => (room.onread.buffer as () => Buffer)()
  room.serve(new Duplex({ read: () => {} }) as Socket)
  const first = next()
  first.write('kept')
  room.onread.callback('kept'.length, first)

  room.reuse()

  next().write('other')
  assert.equal(first.toString('latin1', 0, 'kept'.length), 'kept')
})
