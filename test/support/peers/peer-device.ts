// A small device of this kind over real sockets: it speaks the documents that both sides share, and knows none of the
// rules of the product.
import { once } from 'node:events'
import { createServer as httpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as httpsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Inventory } from '../../../machines/interdevice/inventory.ts'
import { HELLO_PATH } from '../../../machines/peers/greeting.ts'
import { EVENTS_PATH, RESOURCES_PATH } from '../../../machines/peers/peer-messages.ts'
import type { Certificate } from '../../../native/tls/port.ts'
import { arrival } from '../until.ts'
import { DEVICE_ID, helloOf, inventoryOf, partOfInventory } from './peers.ts'

/** A device, and what it is told to say. */
export class PeerDevice {
  readonly #certificate: Certificate | undefined
  readonly #sockets = new Set<Socket>()
  readonly #events: object[] = []
  #server: Server | undefined
  #port = 0
  epoch = 'first'
  deviceId = DEVICE_ID
  /** So many events more than there are does its hello speak of. */
  ahead = 0
  /** Or what answers in its place. */
  inventory: object | ((response: ServerResponse) => void) = inventoryOf()
  /** Every request, as `GET /path` with its token. */
  readonly asked: string[] = []
  /** Answers everything but the greeting, the inventory and the events. */
  answer: (request: IncomingMessage, body: string, response: ServerResponse) => void = (_, __, response) =>
    response.writeHead(404, { 'content-type': 'application/problem+json' }).end('{}')
  listeners = new Set<WebSocket>()

  constructor(t: TestContext, certificate?: Certificate) {
    this.#certificate = certificate
    t.after(() => this.stop())
  }

  get origin(): string {
    return `${this.#certificate ? 'https' : 'http'}://127.0.0.1:${this.#port}`
  }

  /** How many connections are open. */
  get connections(): number {
    return this.#sockets.size
  }

  /** At the same address as before, with the same certificate unless there is another one. */
  async start(certificate = this.#certificate): Promise<void> {
    const options = { ...certificate, minVersion: 'TLSv1.3' } as const
    const handle = (request: IncomingMessage, response: ServerResponse) => void this.#handle(request, response)
    const server = certificate ? httpsServer(options, handle) : httpServer(handle)
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket.once('close', () => this.#sockets.delete(socket)))
      socket.on('error', () => {})
    })
    server.on('tlsClientError', () => {})
    new WebSocketServer({ server, path: EVENTS_PATH }).on('connection', (socket, request) =>
      this.#welcome(socket, request),
    )
    server.listen(this.#port, '127.0.0.1')
    await arrival('a port', once(server, 'listening'))
    this.#port = (server.address() as AddressInfo).port
    this.#server = server
  }

  /** As if its plug was pulled. */
  stop(): void {
    this.#server?.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  tell(kind: string, resource_ref: object, more: object = {}): void {
    const event = { seq: this.#events.length + 1, epoch: this.epoch, timestamp_ms: 1_000, kind, resource_ref, ...more }
    this.#events.push(event)
    for (const socket of this.listeners) socket.send(JSON.stringify(event))
  }

  /** As if it was started again. */
  forgetEvents(): void {
    this.#events.length = 0
    this.epoch += '-next'
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    this.#note(request)
    const json = (document: object) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document))
    const [path, query] = (request.url ?? '').split('?')
    if (path === HELLO_PATH) json(helloOf(this.deviceId, this.origin))
    else if (path === RESOURCES_PATH && typeof this.inventory === 'function') this.inventory(response)
    else if (path === RESOURCES_PATH)
      json(partOfInventory({ ...(this.inventory as Inventory), epoch: this.epoch }, query))
    else this.answer(request, Buffer.concat(chunks).toString(), response)
  }

  #welcome(socket: WebSocket, request: IncomingMessage): void {
    this.#note(request)
    const { searchParams } = new URL(request.url ?? '', this.origin)
    const newest = { epoch: this.epoch, seq: this.#events.length + this.ahead }
    const resumed = searchParams.get('epoch') === this.epoch
    const missed = resumed ? this.#events.slice(Number(searchParams.get('since'))) : [{ kind: 'reset', ...newest }]
    for (const message of [{ kind: 'hello', ...newest, resumed }, ...missed]) socket.send(JSON.stringify(message))
    this.listeners.add(socket.once('close', () => this.listeners.delete(socket)))
  }

  #note({ method, url, headers }: IncomingMessage): void {
    this.asked.push(`${method} ${url} ${headers.authorization ?? ''}`.trim())
  }
}
