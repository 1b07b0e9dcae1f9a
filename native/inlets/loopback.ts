// Inlets on the loopback: a server of its own for each, which knows one question.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import * as Effect from 'effect/Effect'
import { isFault } from '../../machines/errors/fault.ts'
import type { InletPort, TakePictures } from './port.ts'

const HOST = '127.0.0.1'
const KEY_BYTES = 32
const HEAD_LIMIT_MS = 2_000
const MAX_HEAD_BYTES = 4_096
const END_OF_HEAD = '\r\n\r\n'

/** The key stands behind `?`, which an engine shows to nobody. */
export const loopbackInlets: InletPort = {
  open: (take) =>
    Effect.gen(function* () {
      const path = `/?key=${randomBytes(KEY_BYTES).toString('base64url')}`
      const sockets = new Set<Socket>()
      const server = createServer((socket) => {
        sockets.add(socket)
        socket.once('close', () => sockets.delete(socket))
        void serve(socket, `GET ${path} HTTP/1.1`, take)
      })
      yield* Effect.acquireRelease(
        Effect.promise(async () => {
          server.listen(0, HOST)
          await once(server, 'listening')
        }),
        () =>
          Effect.sync(() => {
            server.close()
            for (const socket of sockets) socket.destroy()
          }),
      )
      return `http://${HOST}:${(server.address() as AddressInfo).port}${path}`
    }),
}

/** One connection: a reader with the right path is given pictures until it leaves. */
const serve = async (socket: Socket, question: string, take: TakePictures): Promise<void> => {
  socket.setNoDelay(true)
  socket.on('error', () => {}) // its end says it
  const head = await headOn(socket)
  if (socket.destroyed) return
  if (!isSame(head.slice(0, head.indexOf('\r\n')), question)) return refuse(socket, '404 Not Found')
  const found = await take()
  if (socket.destroyed) return
  if (isFault(found)) return refuse(socket, '502 Bad Gateway')
  socket.write(`HTTP/1.1 200 OK\r\nContent-Type: ${found.mediaType}\r\nConnection: close\r\n\r\n`)
  found.join(socket)
  socket.resume() // what else it says means nothing, but its end does
}

/** What stands before the end of the head; empty: there is none, or not in time. */
const headOn = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    let came = ''
    const timer = setTimeout(() => over(''), HEAD_LIMIT_MS).unref()
    const over = (head: string) => {
      clearTimeout(timer)
      socket.off('data', take).off('close', gone)
      resolve(head)
    }
    const gone = () => over('')
    const take = (chunk: Buffer) => {
      came += chunk.toString('latin1')
      if (came.includes(END_OF_HEAD)) over(came)
      else if (came.length > MAX_HEAD_BYTES) over('')
    }
    socket.on('data', take).once('close', gone)
  })

const isSame = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

const refuse = (socket: Socket, status: string): void => {
  socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
  socket.resume()
}
