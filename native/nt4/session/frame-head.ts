// The head of a binary WebSocket frame, written by hand right before its payload: one buffer and one write for all that
// a frame of a camera has to say.

/** So much room lies before the payload: the longest head, with eight bytes of length and the mask. */
export const HEAD_BYTES = 14

const FINAL_BINARY = 0x82

/** In the second byte of a head: a mask follows the length. */
export const MASKED = 0x80
/** In the place of a length: it follows in two bytes. */
export const LENGTH_16 = 126
/** In the place of a length: it follows in eight bytes. */
export const LENGTH_64 = 127
/** How long a mask is. */
export const MASK_BYTES = 4

/**
 * Writes the head of a client's frame into the HEAD_BYTES before its payload and returns all that is to be sent.
 *
 * The mask is all zeros, with which payload stays as it is. Masking keeps scripts in browsers from writing bytes of
 * their choice to unsuspecting proxies; this client runs no foreign scripts.
 */
export const withHead = (frame: Buffer): Buffer => {
  const length = frame.length - HEAD_BYTES
  const lengthBytes = length < LENGTH_16 ? 0 : length < 0x1_0000 ? 2 : 8
  const start = HEAD_BYTES - MASK_BYTES - lengthBytes - 2
  frame[start] = FINAL_BINARY
  if (lengthBytes === 0) frame[start + 1] = MASKED | length
  else if (lengthBytes === 2) {
    frame[start + 1] = MASKED | LENGTH_16
    frame.writeUInt16BE(length, start + 2)
  } else {
    frame[start + 1] = MASKED | LENGTH_64
    frame.writeUInt32BE(0, start + 2)
    frame.writeUInt32BE(length, start + 6)
  }
  frame.writeUInt32BE(0, HEAD_BYTES - MASK_BYTES)
  return frame.subarray(start)
}
