// The least that `ws` can do for many who listen: each event is written out once, as text in a buffer, and sent to one
// after the other. All are pinged each 5 s, as a device of this kind does.
//
//   event-sender.ts EPOCH
//
// Prints its port. A line on its standard input, RATE COUNT, has so many events happen, RATE in a second, with the
// bytes that a device would send; it is answered by a line once they are sent.
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { WebSocketServer } from 'ws'
import { EventRing } from '../../../machines/events/event.ts'
import { atRate } from '../lab/at-rate.ts'

const PING_EVERY_MS = 5_000

const ring = new EventRing(process.argv[2] ?? '')
const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
server.on('connection', (socket) => socket.on('error', () => {}))
server.on('listening', () => console.log((server.address() as AddressInfo).port))

let revision = 1
const happen = (): void => {
  revision += 1
  const fact = { resource_ref: { stream_id: 'front' }, revision, data: { deleted: false } }
  const message = Buffer.from(JSON.stringify(ring.push('stream_changed', fact, Date.now())))
  for (const socket of server.clients) socket.send(message, { binary: false })
}
setInterval(() => {
  for (const socket of server.clients) socket.ping()
}, PING_EVERY_MS)

createInterface({ input: process.stdin }).on('line', async (line) => {
  const [rate = 1, count = 0] = line.split(' ').map(Number)
  await atRate({ rate, count }, happen)
  console.log('sent')
})
process.once('SIGTERM', () => process.exit())
