// The least that `ws` can do to tell something over two hops.
//
//   peers-hops.ts source EVERY_MS | peers-hops.ts relay URL
//
// Prints its URL. The source tells all who listen { timestamp_ms, n } each time; the relay passes on what comes, as it
// comes, to all who listen to it.
import type { AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'

const [what, where = ''] = process.argv.slice(2)

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
const tell = (message: Buffer): void => {
  for (const socket of server.clients) socket.send(message, { binary: false })
}
server.on('listening', () => console.log(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`))

if (what === 'relay')
  new WebSocket(where, { perMessageDeflate: false }).on('message', (message) => tell(message as Buffer))
else {
  let n = 0
  setInterval(() => {
    n += 1
    tell(Buffer.from(JSON.stringify({ timestamp_ms: Date.now(), n, kind: 'stream_changed', revision: n })))
  }, Number(where))
}
process.once('SIGTERM', () => process.exit())
