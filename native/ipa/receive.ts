// A picture of a chart that is sent, as it arrives.
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { Arrival } from '../media/arrival.ts'
import type { Arriving } from '../media/port.ts'

/** A raw picture of 20 megapixels, over a bad link. */
const PATIENCE = { windowMs: 20_000, minBytes: 16 * 1024, totalMs: 120_000, maxBytes: 64 * 1024 * 1024 }

/** All of it; nothing is kept of one that is too long, too slow or cut off. */
export const receivePicture = async (bytes: Arriving): Promise<Uint8Array | Fault> => {
  const arrival = new Arrival(bytes, PATIENCE)
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
