// What an engine wrote down about a viewer: which part it was giving to the kernel, and how far it had come. It
// outlives the engine, so that the part can be ended properly, and a reader that trusts its length finds the next one.
import type { Sent } from '../stream/picture.ts'

/** As native/addon/viewers/record.h lays it out. */
export const RECORD_BYTES = 512

const AT = { state: 0, sentBytes: 4, positionBytes: 8, jpegBytes: 16, headBytes: 20, head: 24 } as const
const STATE = { nothing: 0, owed: 1, sending: 2 } as const

/**
 * A part that was begun. position: of its first byte. sent: undefined when the engine died while it gave the kernel
 * more of it.
 */
export interface HalfPart {
  readonly head: Uint8Array
  readonly jpegBytes: number
  readonly positionBytes: number
  readonly sentBytes: number | undefined
}

/** What a viewer is still owed; null: nothing. */
export type Owed = HalfPart | null

/** Reads a record. */
export const owedBy = (record: Uint8Array): Owed => {
  const view = new DataView(record.buffer, record.byteOffset, record.byteLength)
  const state = view.getUint32(AT.state, true)
  if (state === STATE.nothing) return null
  const headBytes = Math.min(view.getUint32(AT.headBytes, true), RECORD_BYTES - AT.head)
  return {
    head: record.slice(AT.head, AT.head + headBytes),
    jpegBytes: view.getUint32(AT.jpegBytes, true),
    positionBytes: Number(view.getBigUint64(AT.positionBytes, true)),
    sentBytes: state === STATE.owed ? view.getUint32(AT.sentBytes, true) : undefined,
  }
}

/**
 * What its viewer was sent up to the newest part, and how large that is. Read while the engine writes it: now and then
 * one of the two is of the part before.
 */
export const sentBy = (record: Uint8Array): Sent => {
  const view = new DataView(record.buffer, record.byteOffset, record.byteLength)
  return {
    bytes: Number(view.getBigUint64(AT.positionBytes, true)),
    picture_bytes: view.getUint32(AT.jpegBytes, true) || null,
  }
}

/** What of a part was sent, by the kernel's count when the engine could not say. */
export const settled = (part: HalfPart, positionBytes: number): HalfPart => ({
  ...part,
  sentBytes: part.sentBytes ?? positionBytes - part.positionBytes,
})

/**
 * The bytes that end a part: the rest of its head, zeros for the rest of its picture, and the boundary. Empty when all
 * or nothing of it was sent. undefined: how much was sent is not known, or cannot be true.
 */
export const restOf = (part: HalfPart, boundary: Uint8Array): Uint8Array | undefined => {
  const { head, jpegBytes, sentBytes } = part
  const bytes = head.length + jpegBytes + boundary.length
  if (sentBytes === undefined || sentBytes < 0 || sentBytes > bytes) return undefined
  if (sentBytes === 0) return new Uint8Array(0)
  const whole = new Uint8Array(bytes)
  whole.set(head)
  whole.set(boundary, head.length + jpegBytes)
  return whole.subarray(sentBytes)
}
