// Bytes of a file, or of its beginning, for code that walks through them. Only what is asked for is read.

import type { FileHandle } from 'node:fs/promises'
import { oneLine } from '../../../machines/schema/one-line.ts'

/** The content of a file, read piece by piece. */
export interface Bytes {
  /** Of all of them. */
  readonly size: number
  /** As many of them as there are; at most MAX_READ_BYTES are asked for at once. */
  readonly at: (offset: number, length: number) => Promise<Buffer>
}

/** What is walked through is read in pieces, so that no content is in memory as a whole. */
export const MAX_READ_BYTES = 256 * 1024

/** Content that is not what it should be. The sentence goes on after its name: "it ends before ...". */
export class NotMedia extends Error {}

/** It ends before it should. within: which part of it, where that is known. */
export class CutShort extends NotMedia {
  readonly within: string | undefined

  constructor(message: string, within?: string) {
    super(message)
    this.within = within
  }
}

/** More bytes are needed than are here yet. */
export class Short extends Error {}

/** The bytes of an open file of that size. */
export const bytesOf = (file: FileHandle, size: number): Bytes => ({
  size,
  at: async (offset, length) => {
    const piece = Buffer.alloc(Math.min(length, MAX_READ_BYTES))
    const { bytesRead } = await file.read(piece, 0, piece.length, offset)
    return piece.subarray(0, bytesRead)
  },
})

const AHEAD_BYTES = 4_096

/** The same for who reads many small pieces behind one another, as boxes have them: what follows is read with each. */
export const readAhead = (bytes: Bytes): Bytes => {
  let from = 0
  let read: Buffer = Buffer.alloc(0)
  return {
    size: bytes.size,
    at: async (offset, length) => {
      if (length > AHEAD_BYTES) return bytes.at(offset, length)
      if (offset < from || offset + length > from + read.length) {
        read = await bytes.at(offset, AHEAD_BYTES)
        from = offset
      }
      return read.subarray(offset - from, offset - from + length)
    },
  }
}

/** The same of which a part was read already: inside it nothing is read again, and outside of it there is nothing. */
export const readAlready = ({ size }: Bytes, from: number, part: Buffer): Bytes => ({
  size,
  at: async (offset, length) => {
    const at = Math.max(0, offset - from)
    return part.subarray(at, at + length)
  },
})

/** The first bytes of a content that is still arriving: a read beyond them throws `Short`. */
export const beginningOf = (head: Buffer): Bytes => ({
  size: Number.MAX_SAFE_INTEGER,
  at: async (offset, length) => {
    if (offset + length > head.length) throw new Short()
    return head.subarray(offset, offset + length)
  },
})

/** Exactly so many bytes; throws NotMedia when the content ends before. */
export const exactly = async (bytes: Bytes, offset: number, length: number): Promise<Buffer> => {
  const found = await bytes.at(offset, length)
  if (found.length < length) throw new CutShort(`it ends after ${bytes.size} bytes, in the middle; send it again`)
  return found
}

/** What a walk finds out. */
export interface Size {
  readonly width_px: number
  readonly height_px: number
}

const MAX_PIXELS = 64_000_000 // 256 MB when it is decoded; cameras of teams have 1 to 12 million
const MAX_SIDE_PX = 32_768

/** The size that a header names; throws NotMedia for one that no picture of a camera has. */
export const sizeOf = (width_px: number, height_px: number): Size => {
  if (width_px < 1 || height_px < 1) throw new NotMedia('its header names no size')
  if (width_px * height_px > MAX_PIXELS || Math.max(width_px, height_px) > MAX_SIDE_PX)
    throw new NotMedia(
      oneLine`
        it says that it has ${width_px}x${height_px} pixels; at most ${MAX_PIXELS / 1e6} million are stored, and
        ${MAX_SIDE_PX} on a side
      `,
    )
  return { width_px, height_px }
}
