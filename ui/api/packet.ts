// A message of the frames of a stream: a head, what was found in the frame, the picture.
import type { FrameResults } from './outputs.ts'

/** A message, read. */
export interface Packet {
  /** When the picture was taken, Unix time of its device. */
  readonly takenAtMs: number
  /** Whether it is no picture but says in words why none comes. */
  readonly isPlaceholder: boolean
  /** undefined: the device is of a version that sends none. */
  readonly results: FrameResults | undefined
  readonly jpeg: Uint8Array<ArrayBuffer>
}

const HEAD_BYTES = 13
const PLACEHOLDER = 4
const RESULTS = 8
const LENGTH_BYTES = 4

/** Reads a message. */
export const readPacket = (message: ArrayBuffer): Packet => {
  const view = new DataView(message)
  const flags = view.getUint8(12)
  const hasResults = (flags & RESULTS) !== 0
  const textBytes = hasResults ? view.getUint32(HEAD_BYTES) : 0
  const textAt = HEAD_BYTES + (hasResults ? LENGTH_BYTES : 0)
  const text = new TextDecoder().decode(new Uint8Array(message, textAt, textBytes))
  return {
    takenAtMs: Number(view.getBigUint64(4)) / 1000,
    isPlaceholder: (flags & PLACEHOLDER) !== 0,
    results: hasResults ? (JSON.parse(text) as FrameResults) : undefined,
    jpeg: new Uint8Array(message, textAt + textBytes),
  }
}
