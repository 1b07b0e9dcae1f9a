// Cameras on the network for tests: HTTP servers on the loopback that do what their handler says, and end with the test.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { TestContext } from 'node:test'

/** asked: what came, in order. url: of a path on it. hangUp: cuts all connections, as a pulled plug does not. */
export interface NetworkCamera {
  readonly asked: readonly IncomingMessage[]
  readonly url: (path?: string) => string
  readonly hangUp: () => void
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** Starts one. */
export const networkCamera = async (t: TestContext, handle: Handler): Promise<NetworkCamera> => {
  const asked: IncomingMessage[] = []
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    asked.push(request)
    response.on('error', () => {})
    handle(request, response)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
  })
  const hangUp = () => {
    for (const socket of sockets) socket.destroy()
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    hangUp()
    server.close()
    return once(server, 'close')
  })
  const { port } = server.address() as AddressInfo
  return { asked, url: (path = '/video') => `http://127.0.0.1:${port}${path}`, hangUp }
}

/** A handler that sends a picture again and again, until nobody listens. */
export const livePictures =
  (jpeg: Uint8Array): Handler =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'multipart/x-mixed-replace; boundary="next picture"' })
    const send = () => {
      response.write(`--next picture\r\nContent-Type: image/jpeg\r\nContent-Length: ${jpeg.length}\r\n\r\n`)
      response.write(jpeg)
      response.write('\r\n')
    }
    send()
    const timer = setInterval(send, 20)
    response.once('close', () => clearInterval(timer))
  }
