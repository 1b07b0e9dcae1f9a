// A slow network between a browser and a service: so many bytes a second for all connections together, each later than
// it was sent.
import type { TestContext } from 'node:test'
import { putBetween } from './between.ts'

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
  /**
   * The connections that there are carry nothing any more, and nobody closes them, as with a device that loses its
   * power; those that come later are like any other.
   */
  readonly lose: () => void
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
  let losses = 0
  const carry = (call: () => void) => {
    if (isCut) held.push(call)
    else call()
  }
  /** Carries for a connection that begins now, until it is lost. */
  const carrier = () => {
    const begun = losses
    return (call: () => void) => {
      if (losses === begun) carry(call)
    }
  }
  let freeAtMs = 0
  /** After how long the link has carried so many bytes more. */
  const carryMs = (bytes: number): number => {
    const nowMs = performance.now()
    freeAtMs = Math.max(freeAtMs, nowMs) + (1000 * bytes) / bytesPerS
    return freeAtMs - nowMs
  }
  const between = await putBetween(t, url, {
    carry: (near, far, later) => {
      const carryIt = carrier()
      const pass = (chunk: Buffer) => {
        const part = chunk.subarray(0, MAX_AT_ONCE_BYTES)
        const rest = chunk.subarray(MAX_AT_ONCE_BYTES)
        later(carryMs(part.length), () => {
          later(delayMs, () => carryIt(() => near.write(part)))
          if (rest.length > 0) pass(rest)
          else far.resume()
        })
      }
      near.on('data', (chunk: Buffer) => {
        asked.push(
          ...[...chunk.toString('latin1').matchAll(/^(?:GET|POST|PATCH) (\S+)/gm)].map(([, path = '']) => path),
        )
        later(delayMs, () => carryIt(() => far.write(chunk)))
      })
      far.on('data', (chunk: Buffer) => {
        far.pause()
        pass(chunk)
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
  const lose = () => {
    losses += 1
  }
  return { url: between, asked, cut, lose }
}
