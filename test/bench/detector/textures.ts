// Pictures without a tag that look like many: noise of several grains, random squares, checkerboards, stripes.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { grayPng } from '../../support/media/png.ts'

const WIDTH = 1280
const HEIGHT = 800

type Shade = (x: number, y: number) => number

/** Writes the pictures as PNG files into a folder; returns their paths. Equal for equal seeds. */
export const writeTextures = (folder: string, seed: number): readonly string[] =>
  [1, 2, 3, 5, 9].flatMap((cell) =>
    Object.entries(kinds(cell, seed)).map(([kind, shade]) => {
      const file = join(folder, `${kind}-${cell}-${seed}.png`)
      writeFileSync(file, picture(shade))
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

const picture = (shade: Shade): Buffer =>
  grayPng(WIDTH, HEIGHT, (x, y) => Math.max(0, Math.min(255, Math.round(shade(x, y)))))
