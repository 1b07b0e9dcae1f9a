// Pictures that have the bytes of large ones and the pixels of small ones. To decode a large one takes a hundred times
// what it takes to show it or to keep it, and it is decoded either way: a hundredth of jitter in that would hide what
// is measured. Who shows or keeps them copies bytes, whatever they mean.
import { readFileSync, writeFileSync } from 'node:fs'
import type { Lab } from './lab.ts'
import { MOUNT, renderJpegs } from './scenes.ts'

export const SMALL = { width_px: 320, height_px: 240 } as const

/** So many files with JPEGs of SMALL pixels, as they are. */
const rendered = (lab: Lab, count: number): Promise<readonly string[]> => {
  const manifest = { source: { backend: 'synthetic', fps: 30, ...SMALL }, pose: MOUNT } as const
  return renderJpegs(lab, { manifest, name: 'pictures', count })
}

/**
 * A file with a JPEG of SMALL pixels and so many bytes, as a camera gives it: what fills it up are comments before the
 * picture.
 */
export const smallPicture = async (lab: Lab, bytes: number): Promise<string> => {
  const [file] = (await rendered(lab, 1)) as [string]
  const jpeg = readFileSync(file)
  const comments = commentsOf(bytes - jpeg.length)
  writeFileSync(file, Buffer.concat([jpeg.subarray(0, MARKER_BYTES), comments, jpeg.subarray(MARKER_BYTES)]))
  return file
}

/**
 * Files with JPEGs of SMALL pixels and so many bytes each: what fills them up stands behind the picture, where whoever
 * looks for the beginning of the next has to look at every byte, as in a large picture.
 */
export const smallPictures = async (lab: Lab, count: number, bytes: number): Promise<readonly string[]> => {
  const files = await rendered(lab, count)
  for (const file of files) {
    const jpeg = readFileSync(file)
    writeFileSync(file, Buffer.concat([jpeg, Buffer.alloc(bytes - jpeg.length, FILL)]))
  }
  return files
}

const MARKER_BYTES = 2
const COMMENT = Buffer.from([0xff, 0xfe])
const MAX_COMMENT_LENGTH = 0xffff
const FILL = 0x55

/** All of them together have so many bytes, or a few less. */
const commentsOf = (bytes: number): Buffer => {
  const comments: Buffer[] = []
  for (let missing = bytes; missing > COMMENT.length + MARKER_BYTES; ) {
    const length = Math.min(missing - COMMENT.length, MAX_COMMENT_LENGTH)
    const content = Buffer.alloc(length, FILL)
    content.writeUInt16BE(length)
    comments.push(COMMENT, content)
    missing -= COMMENT.length + length
  }
  return Buffer.concat(comments)
}
