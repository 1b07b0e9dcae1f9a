// Pictures without a tag that look like many: noise of several grains, random squares, checkerboards, stripes.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'

const WIDTH = 1280
const HEIGHT = 800

type Shade = (x: number, y: number) => number

/** Writes the pictures as PNG files into a folder; returns their paths. Equal for equal seeds. */
export const writeTextures = (folder: string, seed: number): readonly string[] =>
  [1, 2, 3, 5, 9].flatMap((cell) =>
    Object.entries(kinds(cell, seed)).map(([kind, shade]) => {
      const file = join(folder, `${kind}-${cell}-${seed}.png`)
      writeFileSync(file, grayPng(shade))
      return file
    }),
  )

/** cell: edge of the smallest thing, pixels. */
const kinds = (cell: number, seed: number): Readonly<Record<string, Shade>> => {
  const random = hashed(seed * 100 + cell)
  const at = (x: number, y: number) => random(Math.floor(x / cell) * 4099 + Math.floor(y / cell))
  return {
    noise: (x, y) => 128 + 50 * (at(x, y) + at(x + 7 * WIDTH, y) + at(x, y + 7 * HEIGHT) - 1.5) * 2,
    squares: (x, y) => (at(x, y) < 0.5 ? 10 : 245),
    checkerboard: (x, y) => ((Math.floor(x / cell / 2) + Math.floor(y / cell / 2)) % 2 === 0 ? 10 : 245),
    stripes: (x, y) => (Math.floor((x + y / 3) / cell) % 2 === 0 ? 10 : 245),
  }
}

/** A number from 0 to below 1 for each place. */
const hashed = (seed: number) => (place: number) => {
  let bits = Math.imul(place ^ Math.imul(seed, 0x9e3779b1), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 15), 0xc2b2ae35)
  bits = Math.imul(bits ^ (bits >>> 13), 0x27d4eb2f)
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32
}

const grayPng = (shade: Shade): Buffer => {
  const rows = Buffer.alloc((WIDTH + 1) * HEIGHT) // each row begins with its filter: 0, none
  for (let y = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++) rows[y * (WIDTH + 1) + 1 + x] = Math.max(0, Math.min(255, Math.round(shade(x, y))))
  const size = Buffer.alloc(13)
  size.writeUInt32BE(WIDTH, 0)
  size.writeUInt32BE(HEIGHT, 4)
  size.writeUInt8(8, 8) // bits; the zeros that follow: grey, deflated, not interlaced
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const data = deflateSync(rows, { level: 1 })
  return Buffer.concat([signature, chunk('IHDR', size), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))])
}

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const out = Buffer.alloc(body.length + 8)
  out.writeUInt32BE(data.length, 0)
  body.copy(out, 4)
  out.writeUInt32BE(crc32(body), body.length + 4)
  return out
}
