// A wire on which everything arrives later than it was sent, by the same time both ways.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { arrival } from '../until.ts'

/** In front of a server at `origin`, for as long as the test takes. Returns the origin by which it is reached late. */
export const lateWire = async (t: TestContext, origin: string, delayMs: number): Promise<string> => {
  const { hostname, port } = new URL(origin)
  const sockets = new Set<Socket>()
  const timers = new Set<NodeJS.Timeout>()
  const later = (call: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      call()
    }, delayMs)
    timers.add(timer)
  }
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ host: hostname, port: Number(port), noDelay: true })
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one.once('close', () => sockets.delete(one)))
      one.on('data', (chunk) => later(() => other.write(chunk)))
      one.on('close', () => later(() => other.destroySoon()))
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
