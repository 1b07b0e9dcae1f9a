// The least that a device can do to know that others are there: a WebSocket of `ws` to each, and a ping every 5 s.
//
//   peers-pings.ts URL ...
//
// Prints a line when all are open.
import { once } from 'node:events'
import { WebSocket } from 'ws'

const EVERY_MS = 5_000

const sockets = await Promise.all(
  process.argv.slice(2).map(async (url) => {
    const socket = new WebSocket(url, { perMessageDeflate: false })
    await once(socket, 'open')
    setInterval(() => socket.ping(), EVERY_MS) // each at a time of its own, as links do
    return socket
  }),
)
for (const socket of sockets) socket.on('close', () => process.exit(1)) // nobody is to hang up
console.log('ready')
process.once('SIGTERM', () => process.exit())
