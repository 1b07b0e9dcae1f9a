// Cameras on the network for tests: HTTP servers on the loopback that do what their handler says, and end with the
// test.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { TestContext } from 'node:test'

/** A camera on the network. */
export interface NetworkCamera {
  /** What came, in order. */
  readonly asked: readonly IncomingMessage[]
  /** Of a path on it. */
  readonly url: (path?: string) => string
  /** Cuts all connections, as a pulled plug does not. */
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

/** 16 pixels wide and high, grey. */
export const TINY_JPEG = Buffer.from(
  [
    '/9j/4AAQSkZJRgABAgAAAQABAAD//gAQTGF2YzU5LjM3LjEwMAD/2wBDAAgoKC8oLzc3Nzc3N0E8QUNDQ0FBQUFDQ0NISEhVVVVISEhDQ0hIUF',
    'BVVVxfXFdXVVdfX2RkZHh4c3OMjJGsrM//xAGiAAABBQEBAQEBAQAAAAAAAAAAAQIDBAUGBwgJCgsBAAMBAQEBAQEBAQEAAAAAAAABAgMEBQYH',
    'CAkKCxAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRk',
    'dISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi',
    '4+Tl5ufo6erx8vP09fb3+Pn6EQACAQIEBAMEBwUEBAABAncAAQIDEQQFITEGEkFRB2FxEyIygQgUQpGhscEJIzNS8BVictEKFiQ04SXxFxgZGi',
    'YnKCkqNTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqCg4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TF',
    'xsfIycrS09TV1tfY2dri4+Tl5ufo6ery8/T19vf4+fr/wAARCAAQABADASIAAhEAAxEA/9oADAMBAAIRAxEAPwAooooA/9k=',
  ].join(''),
  'base64',
)

/**
 * A handler that sends a picture again and again, until nobody listens. own: headers of the next part, each with its
 * end.
 */
export const livePictures =
  (jpeg: Uint8Array, own = () => ''): Handler =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'multipart/x-mixed-replace; boundary="next picture"' })
    const send = () => {
      response.write(`--next picture\r\nContent-Type: image/jpeg\r\nContent-Length: ${jpeg.length}\r\n${own()}\r\n`)
      response.write(jpeg)
      response.write('\r\n')
    }
    send()
    const timer = setInterval(send, 20)
    response.once('close', () => clearInterval(timer))
  }
