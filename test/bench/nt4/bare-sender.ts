// The least that `ws` can do for many who read a table: it tells each that says something of all topics, and then sends
// all of them one message in each frame, which is encoded once. The clients cannot tell it from an NT4 server, so they
// do the same with it; of what they say it reads nothing but the answers to pings.
//
// Prints its port. A line on its standard input, FPS FRAMES PING_MS: so many frames, and meanwhile a ping to all each
// time so many ms have passed (0: none); it is answered by a line once they are sent.
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { type WebSocket, WebSocketServer } from 'ws'
import { epochUs } from '../../../native/clock/system.ts'
import { wireTypeOf } from '../../../native/nt4/codec.ts'
import { element, textFrame } from '../../../native/nt4/control.ts'
import { MessageEncoder } from '../../../native/nt4/encoder.ts'
import { PROTOCOL_41 } from '../../../native/nt4/protocol.ts'
import { madeUp, TABLE_TOPICS } from './crowd-table.ts'

const announces = textFrame(
  TABLE_TOPICS.map(({ name, type }, n) => element('announce', { name, id: n + 1, type, properties: {} })),
)
const encoder = new MessageEncoder()
let frame = 0

const encoded = (): Buffer => {
  const nowUs = epochUs()
  encoder.begin(true)
  TABLE_TOPICS.forEach((topic, n) => {
    encoder.put(n + 1, nowUs, wireTypeOf(topic.type), madeUp(topic, frame))
  })
  return Buffer.from(encoder.take())
}

const server = new WebSocketServer({
  host: '127.0.0.1',
  port: 0,
  perMessageDeflate: false,
  handleProtocols: () => PROTOCOL_41,
})
server.on('connection', (socket: WebSocket) => {
  socket.once('message', () => {
    socket.send(announces)
    socket.send(encoded())
  })
})
server.on('listening', () => console.log((server.address() as AddressInfo).port))
const ping = (): void => {
  for (const socket of server.clients) socket.ping()
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const [fps = 1, frames = 0, pingMs = 0] = line.split(' ').map(Number)
  const pings = pingMs > 0 ? setInterval(ping, pingMs) : undefined
  let sent = 0
  const timer = setInterval(() => {
    frame += 1
    const message = encoded()
    for (const socket of server.clients) socket.send(message)
    sent += 1
    if (sent < frames) return
    clearInterval(timer)
    clearInterval(pings)
    console.log('sent')
  }, 1000 / fps)
})
process.once('SIGTERM', () => process.exit())
