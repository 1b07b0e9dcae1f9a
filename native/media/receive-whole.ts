// A file that is sent and small enough to be held.
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { Arrival } from './arrival.ts'
import type { Arriving } from './port.ts'

const PATIENCE = { windowMs: 20_000, minBytes: 16 * 1024 }
const TOTAL_MS = 60_000 // a megabyte over a bad link

/** All of it; nothing is kept of one that is too long, too slow or cut off. totalMs: for all of it. */
export const receiveWhole = async (
  bytes: Arriving,
  maxBytes: number,
  totalMs = TOTAL_MS,
): Promise<Uint8Array | Fault> => {
  const arrival = new Arrival(bytes, { ...PATIENCE, totalMs, maxBytes })
  try {
    const pieces: Buffer[] = []
    for (;;) {
      const piece = await arrival.next()
      if (piece === undefined) return Buffer.concat(pieces)
      if (isFault(piece)) return piece
      pieces.push(piece)
    }
  } finally {
    arrival.close()
  }
}
