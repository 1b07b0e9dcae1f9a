// Somebody who floods, in a process of its own: what that costs is not to be paid by whoever measures what it costs the service.
//
//   flooder.ts to PORT FLOOD PATH [SUBPROTOCOL]    opens a connection and floods it; again when it is cut
//   flooder.ts as FLOOD [SUBPROTOCOL]              listens as a device that greets, and floods each WebSocket
//
// Prints `port N` where it listens, `flooding` each time it begins to, and `cut` when it is cut off.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { HELLO_PATH } from '../../machines/peers/greeting.ts'
import { RESOURCES_PATH } from '../../machines/peers/heard.ts'
import { FLOODS, type Flood, type FloodName } from './floods.ts'
import { helloOf, inventoryOf } from './peers.ts'

const REDIAL_MS = 100
const KEY = 'dGhlIHNhbXBsZSBub25jZQ=='
const ACCEPT = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

/** Writes as fast as it is taken, until it is cut. */
const pour = async (socket: Socket, { first, again, reads }: Flood): Promise<void> => {
  if (reads) socket.resume()
  else socket.pause()
  const closed = new Promise((resolve) => socket.once('close', resolve))
  console.log('flooding')
  if (first) socket.write(first)
  while (!socket.destroyed) {
    const isTaken = socket.write(again)
    await Promise.race([isTaken ? delay(0) : new Promise((resolve) => socket.once('drain', resolve)), closed])
  }
  await closed
  console.log('cut')
}

const handshake = (path: string, protocol: string | undefined): string =>
  `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nupgrade: websocket\r\nconnection: upgrade\r\n` +
  `sec-websocket-version: 13\r\nsec-websocket-key: ${KEY}\r\n` +
  `${protocol ? `sec-websocket-protocol: ${protocol}\r\n` : ''}\r\n`

const floodPort = async (port: number, name: FloodName, path: string, protocol?: string): Promise<never> => {
  const flood = FLOODS[name]({ isClient: true, path })
  for (;;) {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    socket.on('error', () => {}).setNoDelay(true)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    await Promise.race([new Promise((resolve) => socket.once('connect', resolve)), closed])
    if (flood.isWebSocket) {
      socket.write(handshake(path, protocol))
      await Promise.race([new Promise((resolve) => socket.once('data', resolve)), closed])
    }
    await pour(socket, flood)
    await delay(REDIAL_MS)
  }
}

const answerTo = ({ headers }: IncomingMessage, protocol: string | undefined): string => {
  const accept = createHash('sha1').update(`${headers['sec-websocket-key']}${ACCEPT}`).digest('base64')
  return (
    'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n' +
    `sec-websocket-accept: ${accept}\r\n${protocol ? `sec-websocket-protocol: ${protocol}\r\n` : ''}\r\n`
  )
}

const floodCallers = async (name: FloodName, protocol?: string): Promise<void> => {
  const flood = FLOODS[name]({ isClient: false, path: '/' })
  const documents: Readonly<Record<string, object>> = { [HELLO_PATH]: helloOf(), [RESOURCES_PATH]: inventoryOf() }
  const server = createServer({}, ({ url = '' }, response) => {
    const document = documents[url.split('?')[0] ?? '']
    if (document) response.setHeader('content-type', 'application/json').end(JSON.stringify(document))
    else response.writeHead(404).end()
  })
  const greeting = ['hello', 'reset'].map((kind) => JSON.stringify({ kind, epoch: 'first', seq: 0, resumed: false }))
  server.on('upgrade', (request: IncomingMessage, socket: Socket) => {
    socket.on('error', () => {}).setNoDelay(true)
    socket.write(answerTo(request, protocol))
    const isPeer = protocol === undefined
    if (isPeer) for (const text of greeting) socket.write(Buffer.from([0x81, text.length, ...Buffer.from(text)]))
    void pour(socket, flood)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  console.log(`port ${(server.address() as AddressInfo).port}`)
}

const [how, ...words] = process.argv.slice(2)
process.once('SIGTERM', () => process.exit())
if (how === 'as') await floodCallers(words[0] as FloodName, words[1])
else await floodPort(Number(words[0]), words[1] as FloodName, words[2] ?? '/', words[3])
