// Strangers at addresses of the loopback, for tests of those who look at them. They end with the test.
import { createHash, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { type BaseUrl, baseUrlOf } from '../../../machines/discovery/base-url.ts'
import { arrival } from '../until.ts'
import { madeElsewhere } from './certificates.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** A server at an address. */
export interface Stranger {
  /** Where it is. */
  readonly at: BaseUrl
  /** The paths that it was asked for, in order. */
  readonly asked: readonly string[]
  /** How many connections came. */
  readonly sockets: () => number
}

/** An HTTP server. */
export const httpStranger = async (t: TestContext, handle: Handler): Promise<Stranger> => {
  const asked: string[] = []
  const server = createHttpServer((request, response) => {
    asked.push(request.url ?? '')
    handle(request, response)
  })
  return { asked, ...(await listening(t, server, false)) }
}

/** The same over TLS. fingerprint: of its certificate. */
export const tlsStranger = async (
  t: TestContext,
  handle: Handler,
): Promise<Stranger & { readonly fingerprint: string }> => {
  const asked: string[] = []
  const { cert, key } = await madeElsewhere()
  const server = createTlsServer({ cert, key }, (request, response) => {
    asked.push(request.url ?? '')
    handle(request, response)
  })
  const fingerprint = createHash('sha256').update(new X509Certificate(cert).raw).digest('hex')
  return { asked, fingerprint, ...(await listening(t, server, true)) }
}

/** Somebody who takes connections and does with them what he likes. */
export const rawStranger = async (t: TestContext, serve: (socket: Socket) => void): Promise<Stranger> => ({
  asked: [],
  ...(await listening(t, createServer(serve), false)),
})

const listening = async (t: TestContext, server: Server, isTls: boolean) => {
  const sockets = new Set<Socket>()
  let count = 0
  server.on('connection', (socket) => {
    count += 1
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  t.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  await arrival('a port', once(server, 'listening'))
  return { at: baseUrlOf('127.0.0.1', (server.address() as AddressInfo).port, isTls), sockets: () => count }
}
