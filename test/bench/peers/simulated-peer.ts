// A device of this kind as far as another one sees: it greets, says what it has, and opens its events, in which nothing
// happens but pings.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { WebSocketServer } from 'ws'
import { HELLO_PATH } from '../../../machines/peers/greeting.ts'
import { EVENTS_PATH, RESOURCES_PATH } from '../../../machines/peers/peer-messages.ts'
import { helloOf, inventoryOf } from '../../support/peers/peers.ts'

const PING_EVERY_MS = 5_000 // as a device of this kind does
const EPOCH = 'first'

/** A device that is simulated. */
export interface SimulatedPeer {
  /** Which device it is, of those of a benchmark. */
  readonly n: number
  /** 0: any. */
  readonly port?: number
  /** Is given the connection of whoever asks for live pictures, and the URL that is asked for. */
  readonly watched?: (connection: Socket, url: string) => void
}

/** Starts one; returns its origin. */
export const simulatedPeer = async ({ n, port = 0, watched }: SimulatedPeer): Promise<string> => {
  const server = createServer({ noDelay: true })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const device_id = `0d0c2a5e-9c1b-4a52-8c0f-${String(n).padStart(12, '0')}`
  const documents: Readonly<Record<string, object>> = {
    [HELLO_PATH]: helloOf(device_id, origin),
    [RESOURCES_PATH]: inventoryOf({ device_id, epoch: EPOCH }),
  }
  server.on('request', (request, response) => {
    const path = pathOf(request)
    const document = documents[path]
    if (path.endsWith('/preview') && watched) watched(request.socket, request.url ?? '')
    else if (document) response.setHeader('content-type', 'application/json').end(JSON.stringify(document))
    else response.writeHead(404).end()
  })
  const events = new WebSocketServer({ server, path: EVENTS_PATH, perMessageDeflate: false })
  events.on('connection', (socket) => {
    for (const kind of ['hello', 'reset']) socket.send(JSON.stringify({ kind, epoch: EPOCH, seq: 0, resumed: false }))
    socket.on('error', () => {})
  })
  setInterval(() => {
    for (const socket of events.clients) socket.ping()
  }, PING_EVERY_MS)
  return origin
}

const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?')[0] ?? ''
