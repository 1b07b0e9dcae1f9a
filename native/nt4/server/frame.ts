// WebSocket frames as a server writes them: without a mask, so they are the same for all who get the same.

/** A ping that says nothing. */
export const PING = Buffer.from([0x89, 0])

const FINAL_BINARY = 0x82
const LENGTH_16 = 126
const LENGTH_64 = 127

/** Messages with the head of a frame before them. */
export const framed = (messages: readonly Uint8Array[]): Buffer => {
  const length = messages.reduce((sum, message) => sum + message.length, 0)
  const headBytes = length < LENGTH_16 ? 2 : length < 0x1_0000 ? 4 : 10
  const frame = Buffer.allocUnsafe(headBytes + length)
  frame[0] = FINAL_BINARY
  if (headBytes === 2) frame[1] = length
  else if (headBytes === 4) {
    frame[1] = LENGTH_16
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = LENGTH_64
    frame.writeBigUInt64BE(BigInt(length), 2)
  }
  let at = headBytes
  for (const message of messages) {
    frame.set(message, at)
    at += message.length
  }
  return frame
}
