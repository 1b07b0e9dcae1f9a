// Pictures that cost a detector the most, and have no tag: noise, checkerboards, stripes, blocks, rings, and borders
// without an end. Those of textures.ts are among them.
import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { grayPng } from '../../support/media/png.ts'
import { writeTextures } from './textures.ts'

const WIDTH = 1280
const HEIGHT = 800

type Shade = (x: number, y: number) => number

export interface HardPicture {
  readonly name: string
  readonly file: string
}

/** Writes them as PNG files into a folder. Equal for equal seeds. */
export const writeHardPictures = (folder: string, seed: number): readonly HardPicture[] => {
  const textures = writeTextures(folder, seed).map((file) => ({ name: basename(file, '.png'), file }))
  const others = Object.entries(shades(seed)).map(([name, shade]) => {
    const file = join(folder, `${name}-${seed}.png`)
    writeFileSync(file, grayPng(WIDTH, HEIGHT, shade))
    return { name: basename(file, '.png'), file }
  })
  return [...textures, ...others]
}

const black = 0
const white = 255

const shades = (seed: number): Readonly<Record<string, Shade>> => {
  const random = noise(seed)
  const fromMiddle = (x: number, y: number) => Math.hypot(x - WIDTH / 2, y - HEIGHT / 2)
  const turned = (x: number, y: number) => Math.atan2(y - HEIGHT / 2, x - WIDTH / 2) / Math.PI
  const isOdd = (value: number) => Math.floor(value) % 2 === 1
  return {
    ...Object.fromEntries([1, 2, 5, 6].map((cell) => [`squares-of-${cell}`, checkered(cell)])),
    ...Object.fromEntries(
      [1, 2, 3].map((wide) => [`upright-stripes-${wide}`, (x) => (isOdd(x / wide) ? white : black)]),
    ),
    ...Object.fromEntries(
      [1, 2, 3].map((high) => [`level-stripes-${high}`, (_, y) => (isOdd(y / high) ? white : black)]),
    ),
    'noise-of-all-greys': (x, y) => Math.floor(256 * random(x, y)),
    'noise-of-12-greys': (x, y) => 100 + Math.floor(12 * random(x, y)),
    'smooth-noise': smooth(random, 4),
    blocks: (x, y) => blockOf(Math.floor(x / 7), Math.floor(y / 5)),
    rings: (x, y) => (isOdd(fromMiddle(x, y) / 6) ? white : black),
    spiral: (x, y) => ((fromMiddle(x, y) / 8 + turned(x, y) + 2) % 2 >= 1 ? white : black),
    comb: (x, y) => (y <= 10 || (isOdd(x / 6) && y < HEIGHT - 10) ? white : black),
    black: () => black,
    white: () => white,
  } satisfies Record<string, Shade>
}

const checkered =
  (cell: number): Shade =>
  (x, y) =>
    (Math.floor(x / cell) + Math.floor(y / cell)) % 2 === 0 ? black : white

/** Rectangles that touch at their corners, without a period that the eye finds. */
const blockOf = (column: number, row: number): number =>
  (column * row * 31 + column * 17 + row * 5) % 7 < 3 ? white : black

/** Between the values at every `cell`th pixel. */
const smooth =
  (random: (x: number, y: number) => number, cell: number): Shade =>
  (x, y) => {
    const [left, top] = [Math.floor(x / cell), Math.floor(y / cell)]
    const [across, down] = [x / cell - left, y / cell - top]
    const upper = (1 - across) * random(left, top) + across * random(left + 1, top)
    const lower = (1 - across) * random(left, top + 1) + across * random(left + 1, top + 1)
    return Math.floor(256 * ((1 - down) * upper + down * lower))
  }

/** A number from 0 to below 1 for each place. */
const noise =
  (seed: number) =>
  (x: number, y: number): number => {
    let bits = Math.imul((y * 4_099 + x) ^ Math.imul(seed, 0x9e3779b1), 0x85ebca6b)
    bits = Math.imul(bits ^ (bits >>> 15), 0xc2b2ae35)
    bits = Math.imul(bits ^ (bits >>> 13), 0x27d4eb2f)
    return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32
  }
