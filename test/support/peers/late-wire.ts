// A wire on which everything arrives later than it was sent, by the same time both ways.
import type { TestContext } from 'node:test'
import { putBetween } from '../processes/between.ts'

/** In front of a server at `origin`, for as long as the test takes. Returns the origin by which it is reached late. */
export const lateWire = (t: TestContext, origin: string, delayMs: number): Promise<string> =>
  putBetween(t, origin, {
    carry: (near, far, later) => {
      near.on('data', (chunk) => later(delayMs, () => far.write(chunk)))
      far.on('data', (chunk) => later(delayMs, () => near.write(chunk)))
    },
    close: (call, later) => later(delayMs, call),
  })
