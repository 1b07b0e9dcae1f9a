// WebSocket frames as a server writes them: without a mask, so they are the same for all who get the same.

const [FINAL_TEXT, FINAL_BINARY] = [0x81, 0x82]
const LENGTH_16 = 126
const LENGTH_64 = 127

const framed =
  (first: number) =>
  (payload: Uint8Array): Buffer => {
    const { length } = payload
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
    frame.set(payload, headBytes)
    return frame
  }

/** A text (UTF-8) as one whole message, with the head of its frame before it. */
export const textFrame = framed(FINAL_TEXT)

/** The same of bytes. */
export const binaryFrame = framed(FINAL_BINARY)
