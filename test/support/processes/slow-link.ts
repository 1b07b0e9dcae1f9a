// A slow network between a browser and a service: so many bytes a second for all connections together, each later than
// it was sent.
import type { Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { type Later, putBetween } from './between.ts'

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
  const asked: string[] = []
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
  const pass = (from: Socket, to: Socket, chunk: Buffer, later: Later) => {
    const part = chunk.subarray(0, MAX_AT_ONCE_BYTES)
    const rest = chunk.subarray(MAX_AT_ONCE_BYTES)
    later(carryMs(part.length), () => {
      later(delayMs, () => carry(() => to.write(part)))
      if (rest.length > 0) pass(from, to, rest, later)
      else from.resume()
    })
  }
  const between = await putBetween(t, url, {
    carry: (near, far, later) => {
      near.on('data', (chunk: Buffer) => {
        asked.push(
          ...[...chunk.toString('latin1').matchAll(/^(?:GET|POST|PATCH) (\S+)/gm)].map(([, path = '']) => path),
        )
        later(delayMs, () => carry(() => far.write(chunk)))
      })
      far.on('data', (chunk: Buffer) => {
        far.pause()
        pass(far, near, chunk, later)
      })
    },
    close: (call, later) => later(delayMs, () => carry(call)),
  })
  const cut = (now: boolean) => {
    isCut = now
    if (isCut) return
    const calls = held
    held = []
    for (const call of calls) call()
  }
  return { url: between, asked, cut }
}
