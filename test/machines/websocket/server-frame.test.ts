// Frames at the lengths at which their head changes, as `ws` reads them.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import WebSocket, { WebSocketServer } from 'ws'
import { binaryFrame, textFrame } from '../../../machines/websocket/server-frame.ts'
import { arrival, until } from '../../support/until.ts'

const LENGTHS = [0, 1, 125, 126, 127, 65_535, 65_536, 70_000]

test('a frame of any length is read as the one message that was put in', async (t) => {
  const payloads = LENGTHS.map((length) => Buffer.alloc(length, 'a'))
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
  t.after(() => server.close())
  await arrival('the server', once(server, 'listening'))
  server.on('connection', (_socket, { socket }) => {
    for (const payload of payloads) for (const frame of [textFrame, binaryFrame]) socket.write(frame([payload]))
  })
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  t.after(() => client.terminate())
  const heard: { readonly isBinary: boolean; readonly text: string }[] = []
  client.on('message', (data, isBinary) => heard.push({ isBinary, text: String(data) }))

  await until('all of them', () => heard.length === 2 * LENGTHS.length)

  assert.deepEqual(
    heard,
    payloads.map(String).flatMap((text) => [false, true].map((isBinary) => ({ isBinary, text }))),
  )
})
