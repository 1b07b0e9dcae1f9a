// A slow network between a browser and a service: so many bytes a second for all connections together, each later than
// it was sent.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { arrival } from '../until.ts'

/** How slow it is, towards the browser. What the browser sends is late only. */
export interface SlowLinkOptions {
  /** Default: without a limit. */
  readonly bytesPerS?: number
  /** Default: none. */
  readonly delayMs?: number
}

/** The network. */
export interface SlowLink {
  /** By which the service is reached. */
  readonly url: string
  /** What was asked for, so far: paths with their queries. */
  readonly asked: readonly string[]
  /** Carries nothing from now on, and closes nothing; or goes on, with all that was held up. */
  readonly cut: (isCut: boolean) => void
}

const MAX_AT_ONCE_BYTES = 4096 // of one connection, before others have their turn

/** In front of the service at `url`, for as long as the test takes. */
export const slowLink = async (
  t: TestContext,
  url: string,
  { bytesPerS = Number.POSITIVE_INFINITY, delayMs = 0 }: SlowLinkOptions,
): Promise<SlowLink> => {
  const { hostname, port } = new URL(url)
  const asked: string[] = []
  const sockets = new Set<Socket>()
  const timers = new Set<NodeJS.Timeout>()
  const later = (ms: number, call: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      call()
    }, ms)
    timers.add(timer)
  }
  let isCut = false
  let held: (() => void)[] = []
  const carry = (call: () => void) => {
    if (isCut) held.push(call)
    else call()
  }
  let freeAtMs = 0
  /** After how long the link has carried so many bytes more. */
  const carryMs = (bytes: number): number => {
    const nowMs = performance.now()
    freeAtMs = Math.max(freeAtMs, nowMs) + (1000 * bytes) / bytesPerS
    return freeAtMs - nowMs
  }
  const pass = (from: Socket, to: Socket, chunk: Buffer) => {
    const part = chunk.subarray(0, MAX_AT_ONCE_BYTES)
    const rest = chunk.subarray(MAX_AT_ONCE_BYTES)
    later(carryMs(part.length), () => {
      later(delayMs, () => carry(() => to.write(part)))
      if (rest.length > 0) pass(from, to, rest)
      else from.resume()
    })
  }
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ host: hostname, port: Number(port), noDelay: true })
    near.on('data', (chunk: Buffer) => {
      asked.push(...[...chunk.toString('latin1').matchAll(/^(?:GET|POST|PATCH) (\S+)/gm)].map(([, path = '']) => path))
      later(delayMs, () => carry(() => far.write(chunk)))
    })
    far.on('data', (chunk: Buffer) => {
      far.pause()
      pass(far, near, chunk)
    })
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one.once('close', () => sockets.delete(one)))
      one.on('close', () => later(delayMs, () => carry(() => other.destroySoon())))
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
  const cut = (now: boolean) => {
    isCut = now
    if (isCut) return
    const calls = held
    held = []
    for (const call of calls) call()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, cut }
}
