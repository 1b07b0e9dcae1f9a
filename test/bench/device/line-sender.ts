// The least that `ws` can do for those who follow a log: each line is written out once and sent to one after the other.
// Prints its port. A line on its standard input, RATE COUNT, has so many lines sent; it is answered once they are.
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { WebSocketServer } from 'ws'
import type { LogLine } from '../../../machines/logs/line.ts'
import { journalLine } from '../../../native/logs/journal-line.ts'
import { atRate } from '../lab/at-rate.ts'
import { journalText } from './journal-text.ts'

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
server.on('connection', (socket) => socket.on('error', () => {}))
server.on('listening', () => console.log((server.address() as AddressInfo).port))

const like = journalLine(journalText(0), () => 7) as LogLine

createInterface({ input: process.stdin }).on('line', async (order) => {
  const [rate = 1, count = 0] = order.split(' ').map(Number)
  await atRate({ rate, count }, (n) => {
    const line = Buffer.from(JSON.stringify({ ...like, monotonic_us: n }))
    for (const socket of server.clients) socket.send(line, { binary: false })
  })
  console.log('sent')
})
process.once('SIGTERM', () => process.exit())
