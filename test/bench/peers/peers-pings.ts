// The least that a device can do to know that others are there: a WebSocket of `ws` to each, and a ping to all of them
// every 5 s. It answers theirs, as `ws` does by itself.
//
//   peers-pings.ts together|apart URL ...
//
// apart: to each at a time of its own, so that it wakes up for each. Prints a line when all are open.
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'

const EVERY_MS = 5_000

const [how, ...urls] = process.argv.slice(2)
const sockets = await Promise.all(
  urls.map(async (url) => {
    const socket = new WebSocket(url, { perMessageDeflate: false })
    await once(socket, 'open')
    return socket
  }),
)
for (const socket of sockets) socket.on('close', () => process.exit(1)) // nobody is to hang up
console.log('ready')
process.once('SIGTERM', () => process.exit())
if (how === 'together')
  setInterval(() => {
    for (const socket of sockets) socket.ping()
  }, EVERY_MS)
else
  for (const socket of sockets) {
    setInterval(() => socket.ping(), EVERY_MS)
    await delay(EVERY_MS / sockets.length)
  }
