// The least that `ws` can do for many clients: it sends all of them the same bytes, as often as it is told to, and nothing else. Prints its port. A line on its standard
// input, BYTES FPS FRAMES: so many messages of so many bytes to each; it is answered by a line once they are sent.

import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { WebSocketServer } from 'ws'

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
server.on('listening', () => console.log((server.address() as AddressInfo).port))
createInterface({ input: process.stdin }).on('line', (line) => {
  const [bytes = 0, fps = 1, frames = 0] = line.split(' ').map(Number)
  const message = Buffer.alloc(bytes)
  let sent = 0
  const timer = setInterval(() => {
    for (const socket of server.clients) socket.send(message)
    sent += 1
    if (sent < frames) return
    clearInterval(timer)
    console.log('sent')
  }, 1000 / fps)
})
process.once('SIGTERM', () => process.exit())
