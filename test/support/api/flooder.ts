// Somebody who floods, in a process of its own: what that costs is not to be paid by whoever measures what it costs the
// service.
//
// Takes orders on its standard input, each a line of JSON: { flood, port, path, protocol, isTls } opens a connection
// and floods it, again whenever it is cut; { flood, protocol } listens as a device that greets, and floods each
// WebSocket, or what is asked for at a path; {} stops all that. Answers each with a line: the port where it listens, or
// 0. Prints `flooding` each time it begins, and `cut` when it is cut off.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { HELLO_PATH } from '../../../machines/peers/greeting.ts'
import { RESOURCES_PATH } from '../../../machines/peers/peer-messages.ts'
import { helloOf, inventoryOf } from '../peers/peers.ts'
import { BOUNDARY, FLOODS, type Flood, type FloodName } from './floods.ts'

/** What is to be done. */
export interface FloodOrder {
  readonly flood?: FloodName
  /** None: others come. */
  readonly port?: number
  /** Where the flood is, if it is not wherever they come. */
  readonly path?: string
  readonly protocol?: string
  readonly isTls?: boolean
}

const REDIAL_MS = 50
const KEY = 'dGhlIHNhbXBsZSBub25jZQ=='
const ACCEPT = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

let round = 0
let server: Server | undefined
const sockets = new Set<Socket>()

const keep = (socket: Socket): Promise<unknown> => {
  sockets.add(socket)
  socket.on('error', () => {}).setNoDelay(true)
  return new Promise((resolve) => socket.once('close', () => resolve(sockets.delete(socket))))
}

/** Writes as fast as it is taken, until it is cut; and does not hang up when it is told to. */
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
  console.log('cut')
}

const handshake = (path: string, protocol: string | undefined): string =>
  `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nupgrade: websocket\r\nconnection: upgrade\r\n` +
  `sec-websocket-version: 13\r\nsec-websocket-key: ${KEY}\r\n` +
  `${protocol ? `sec-websocket-protocol: ${protocol}\r\n` : ''}\r\n`

const opened = (port: number, isTls: boolean): Socket => {
  const where = { port, host: '127.0.0.1', allowHalfOpen: true }
  return isTls ? connectTls({ ...where, rejectUnauthorized: false }) : connect(where)
}

const floodPort = async ({ flood: name, port = 0, path = '/', protocol, isTls = false }: FloodOrder): Promise<void> => {
  const flood = FLOODS[name as FloodName]({ isClient: true, path })
  for (const mine = round; mine === round; await delay(REDIAL_MS)) {
    const socket = opened(port, isTls)
    const closed = keep(socket)
    await Promise.race([new Promise((resolve) => socket.once(isTls ? 'secureConnect' : 'connect', resolve)), closed])
    if (flood.isWebSocket) {
      socket.write(handshake(path, protocol))
      await Promise.race([new Promise((resolve) => socket.once('data', resolve)), closed])
    }
    await pour(socket, flood)
  }
}

const answerTo = ({ headers }: IncomingMessage, protocol: string | undefined): string => {
  const accept = createHash('sha1').update(`${headers['sec-websocket-key']}${ACCEPT}`).digest('base64')
  return (
    'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n' +
    `sec-websocket-accept: ${accept}\r\n${protocol ? `sec-websocket-protocol: ${protocol}\r\n` : ''}\r\n`
  )
}

const GREETING = ['hello', 'reset'].map((kind) =>
  Buffer.from(JSON.stringify({ kind, epoch: 'first', seq: 0, resumed: false })),
)

const isAt = (path: string | undefined, url = ''): boolean => path === undefined || url.split('?')[0] === path

const PICTURES = [
  'HTTP/1.1 200 OK',
  'connection: close',
  `content-type: multipart/x-mixed-replace;boundary=${BOUNDARY}`,
  '\r\n',
].join('\r\n')

const floodCallers = async ({ flood: name, protocol, path }: FloodOrder): Promise<number> => {
  const flood = FLOODS[name as FloodName]({ isClient: false, path: '/' })
  const documents: Readonly<Record<string, object>> = { [HELLO_PATH]: helloOf(), [RESOURCES_PATH]: inventoryOf() }
  server = createServer((request, response) => {
    const document = documents[request.url?.split('?')[0] ?? '']
    if (!flood.isWebSocket && isAt(path, request.url)) {
      request.socket.write(PICTURES)
      void pour(request.socket, flood)
    } else if (document) response.setHeader('content-type', 'application/json').end(JSON.stringify(document))
    else response.writeHead(404).end()
  })
  server.on('connection', keep)
  server.on('upgrade', (request: IncomingMessage, socket: Socket) => {
    socket.allowHalfOpen = true
    socket.write(answerTo(request, protocol))
    if (path !== undefined && !isAt(path, request.url)) {
      for (const text of GREETING) socket.write(Buffer.from([0x81, text.length, ...text]))
      return
    }
    if (protocol === undefined && path === undefined)
      for (const text of GREETING) socket.write(Buffer.from([0x81, text.length, ...text]))
    void pour(socket, flood)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

createInterface({ input: process.stdin })
  .on('line', async (line) => {
    const order = JSON.parse(line) as FloodOrder
    round += 1
    server?.close()
    for (const socket of sockets) socket.destroy()
    if (order.port !== undefined) void floodPort(order)
    console.log(order.flood && order.port === undefined ? await floodCallers(order) : 0)
  })
  .on('close', () => process.exit()) // whoever gave orders is gone
