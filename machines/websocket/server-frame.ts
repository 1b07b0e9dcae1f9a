// WebSocket frames as a server writes them: without a mask, so they are the same for all who get the same.

/** A ping that says nothing. */
export const PING: Buffer = Buffer.from([0x89, 0])

const [FINAL_TEXT, FINAL_BINARY] = [0x81, 0x82]
const LENGTH_16 = 126
const LENGTH_64 = 127

const framed =
  (first: number) =>
  (pieces: readonly Uint8Array[]): Buffer => {
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
    const headBytes = length < LENGTH_16 ? 2 : length < 0x1_0000 ? 4 : 10
    const frame = Buffer.allocUnsafe(headBytes + length)
    frame[0] = first
    if (headBytes === 2) frame[1] = length
    else if (headBytes === 4) {
      frame[1] = LENGTH_16
      frame.writeUInt16BE(length, 2)
    } else {
      frame[1] = LENGTH_64
      frame.writeBigUInt64BE(BigInt(length), 2)
    }
    let at = headBytes
    for (const piece of pieces) {
      frame.set(piece, at)
      at += piece.length
    }
    return frame
  }

/** A text (UTF-8) in pieces as one whole message, with the head of its frame before it. */
export const textFrame = framed(FINAL_TEXT)

/** The same of bytes. */
export const binaryFrame = framed(FINAL_BINARY)
