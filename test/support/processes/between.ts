// What stands between two ends of connections, and carries their bytes as a test wants.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { arrival } from '../until.ts'

/** How it carries. Times are ms. */
export interface Between {
  /** Given the two sockets of each new connection: hears `data` of both. */
  readonly carry: (near: Socket, far: Socket, later: Later) => void
  /** Given what closes the other socket, when one has closed. */
  readonly close: (call: () => void, later: Later) => void
}

/** Calls later, unless the test has ended by then. */
export type Later = (ms: number, call: () => void) => void

/** In front of the server at `origin`, for as long as the test takes. Returns the origin by which it is reached. */
export const putBetween = async (t: TestContext, origin: string, { carry, close }: Between): Promise<string> => {
  const { hostname, port } = new URL(origin)
  const sockets = new Set<Socket>()
  const timers = new Set<NodeJS.Timeout>()
  const later: Later = (ms, call) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      call()
    }, ms)
    timers.add(timer)
  }
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ host: hostname, port: Number(port), noDelay: true })
    carry(near, far, later)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one.once('close', () => sockets.delete(one)))
      one.on('close', () => close(() => other.destroySoon(), later))
      one.on('error', () => {})
    }
  })
  server.listen(0, '127.0.0.1')
  await arrival('a port', once(server, 'listening'))
  t.after(() => {
    for (const timer of timers) clearTimeout(timer)
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
