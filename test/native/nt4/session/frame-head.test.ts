// Heads of frames that are written by hand, read by the library that serves NT4.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { WebSocketServer } from 'ws'
import { HEAD_BYTES, withHead } from '../../../../native/nt4/session/frame-head.ts'
import { arrival } from '../../../support/until.ts'

test('frames of every length arrive whole, one after the other', async (t) => {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  t.after(() => server.close())
  await arrival('a port', once(server, 'listening'))
  const { port } = server.address() as { port: number }
  const lengths = [1, 125, 126, 127, 65_535, 65_536, 300_000]
  const heard: Buffer[] = []
  const all = Promise.withResolvers<void>()
  server.on('connection', (socket) => {
    socket.on('message', (data, isBinary) => {
      if (isBinary) heard.push(data as Buffer)
      if (heard.length === lengths.length) all.resolve()
    })
    socket.on('error', all.reject)
  })
  const stream = connect(port, '127.0.0.1')
  t.after(() => stream.destroy())
  const key = Buffer.alloc(16).toString('base64')
  stream.write(
    [
      'GET / HTTP/1.1',
      'Host: a',
      'Upgrade: websocket',
      'Connection: Upgrade',
      `Sec-WebSocket-Key: ${key}`,
      'Sec-WebSocket-Version: 13',
      '\r\n',
    ].join('\r\n'),
  )
  await arrival('the handshake', once(stream, 'data'))

  for (const [n, length] of lengths.entries()) stream.write(withHead(Buffer.alloc(HEAD_BYTES + length, n + 1)))
  await arrival('the frames', all.promise, () => heard.length)

  assert.deepEqual(
    heard.map((data) => [data.length, data.every((byte) => byte === data[0]), data[0]]),
    lengths.map((length, n) => [length, true, n + 1]),
  )
})
