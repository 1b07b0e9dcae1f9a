// A server somewhere in the network, as another device would be one, or only seems to be: with a certificate of its own
// or none.
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { createServer as httpServer, type RequestListener, type Server } from 'node:http'
import { createServer as httpsServer } from 'node:https'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import type { Certificate } from '../../../native/tls/port.ts'
import { arrival } from '../until.ts'
import { madeElsewhere } from './certificates.ts'

/** A certificate as devices have one: P-256. */
export const deviceCertificate = (): Promise<Certificate> => madeElsewhere({ keyType: 'ec', curve: 'P-256' })

/** As a pin has it. */
export const pinOf = ({ cert }: Certificate): string =>
  new X509Certificate(cert).fingerprint256.replaceAll(':', '').toLowerCase()

/** A server that is there for the length of a test. */
export interface PeerServer {
  readonly server: Server
  readonly origin: string
}

/** Serves HTTPS with a certificate, plain HTTP without one. */
export const peerServer = async (
  t: TestContext,
  listener: RequestListener,
  certificate?: Certificate,
): Promise<PeerServer> => {
  const options = { ...certificate, requestCert: true, rejectUnauthorized: false, minVersion: 'TLSv1.3' } as const
  const server = certificate ? httpsServer(options, listener) : httpServer(listener)
  server.on('tlsClientError', () => {})
  const port = await listening(t, server)
  return { server, origin: `${certificate ? 'https' : 'http'}://127.0.0.1:${port}` }
}

/** A host that takes connections and does with them what it likes; answers with its `host:port`. */
export const rawServer = async (t: TestContext, serve: (socket: Socket) => void): Promise<string> => {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    serve(socket)
  })
  return `127.0.0.1:${await listening(t, server)}`
}

/** Listens, and ends with the test whatever is connected. */
const listening = async (t: TestContext, server: Server | ReturnType<typeof createServer>): Promise<number> => {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.once('close', () => sockets.delete(socket)))
  })
  server.listen(0, '127.0.0.1')
  t.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  await arrival('a port', once(server, 'listening'))
  return (server.address() as AddressInfo).port
}
