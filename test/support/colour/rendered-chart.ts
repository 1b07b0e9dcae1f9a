// Pictures of a colour chart with a known truth: a chart somewhere in front of something, as a camera with a known
// colour matrix sees it.

import type { Fill, Sheet } from '../../../machines/calibration/board/pdf.ts'
import { type Edition, PATCHES } from '../../../machines/ipa/chart.ts'
import { drawChart } from '../../../machines/ipa/chart-drawing.ts'
import { encoded, linearOfLab, type Rgb } from '../../../machines/ipa/colour-space.ts'
import { colourPng } from '../media/png.ts'
import { mulberry32 } from '../mulberry32.ts'

/** How a picture is made. */
export interface ChartScene {
  readonly seed: number
  readonly width?: number
  readonly height?: number
  /** Of the picture's width. */
  readonly share?: number
  /** From the front, about an axis that chance chooses. */
  readonly tiltDeg?: number
  /** About the line of sight. */
  readonly rollDeg?: number
  readonly hasClutter?: boolean
  /** Nothing of a chart is in it. */
  readonly isEmpty?: boolean
  /** Of 255, in what is written. */
  readonly noise?: number
  /** What the camera would need to see as it should, row by row; default: none. */
  readonly ccm?: readonly number[]
  /** Red and blue of a grey against its green. */
  readonly light?: readonly [red: number, blue: number]
  /** How much darker its corners are: a share. */
  readonly vignetting?: number
  /** Of the light of a white of 1. */
  readonly exposure?: number
  /** What is written for a share of the light. */
  readonly curve?: (linear: number) => number
  readonly edition?: Edition
  /** Our own sheet, with its markers; else a bought chart. */
  readonly isPrint?: boolean
  /** From left to right the light becomes redder: a share. */
  readonly mixedLight?: number
  /** 16 bits in place of 8. */
  readonly isDeep?: boolean
}

/** A picture and the truth of it. */
export interface RenderedChart {
  readonly png: Buffer
  readonly width: number
  readonly height: number
  /** Of the lattice, from that of the first patch on, clockwise. */
  readonly corners: readonly (readonly [x: number, y: number])[]
}

/** As a camera with broad filters sees it, as one of them has it: rows sum to 1. */
export const CAMERA_CCM = [1.83, -0.61, -0.22, -0.31, 1.55, -0.24, 0.02, -0.6, 1.58]

type Homography = readonly number[]

/** Of three rows. */
export const inverse = ([a, b, c, d, e, f, g, h, i]: Homography | readonly number[]): readonly number[] => {
  const [A, B, C, D, E, F, G, H, I] = [a, b, c, d, e, f, g, h, i] as unknown as Record<number, number> &
    [number, number, number, number, number, number, number, number, number]
  const determinant = A * (E * I - F * H) - B * (D * I - F * G) + C * (D * H - E * G)
  return [
    E * I - F * H,
    C * H - B * I,
    B * F - C * E,
    F * G - D * I,
    A * I - C * G,
    C * D - A * F,
    D * H - E * G,
    B * G - A * H,
    A * E - B * D,
  ].map((each) => each / determinant)
}

const moved = (m: readonly number[], x: number, y: number): [number, number] => {
  const [a, b, c, d, e, f, g, h, i] = m as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const w = g * x + h * y + i
  return [(a * x + b * y + c) / w, (d * x + e * y + f) / w]
}

const times = (m: readonly number[], [r, g, b]: Rgb): [number, number, number] =>
  [0, 3, 6].map((row) => (m[row] as number) * r + (m[row + 1] as number) * g + (m[row + 2] as number) * b) as [
    number,
    number,
    number,
  ]

const FRAME: Rgb = [0.012, 0.012, 0.012]
const SIDE = 1 / 1.15

interface Surface {
  /** How far it reaches beyond the lattice, steps. */
  readonly beyond: readonly [aside: number, above: number]
  /** Colour at a place of the lattice; undefined: beyond the sheet. */
  readonly at: (x: number, y: number) => Rgb | undefined
}

const bought = (edition: Edition): Surface => {
  const colours = PATCHES.map(({ lab }) => linearOfLab(lab[edition]))
  return {
    beyond: [0.3, 0.3],
    at: (x, y) => {
      if (x < -0.3 || y < -0.3 || x > 6.3 || y > 4.3) return undefined
      const [column, row] = [Math.floor(x), Math.floor(y)]
      const isPatch =
        column >= 0 &&
        row >= 0 &&
        column < 6 &&
        row < 4 &&
        Math.abs(x - column - 0.5) < SIDE / 2 &&
        Math.abs(y - row - 0.5) < SIDE / 2
      return isPatch ? colours[row * 6 + column] : FRAME
    },
  }
}

const boxAt = (fills: readonly Fill[], x: number, y: number): Fill | undefined =>
  fills.findLast(({ left, top, width, height }) => x >= left && y >= top && x < left + width && y < top + height)

/** Our own sheet, of which the lattice is where its patches are. */
const printed = (edition: Edition): Surface => {
  const sheet: Sheet = drawChart('a4', edition)
  const patches = sheet.fills.filter(({ colour }) => colour)
  const [first, last] = [patches[0] as Fill, patches.at(-1) as Fill]
  const step = (last.left - first.left) / 5
  const [left, top] = [first.left - ((1 - SIDE) / 2) * step, first.top - ((1 - SIDE) / 2) * step]
  const lights = new Map(patches.map((each) => [each, (each.colour ?? []).map(decodedByte) as unknown as Rgb]))
  return {
    beyond: [1.25, 0.5],
    at: (x, y) => {
      const [mmX, mmY] = [left + x * step, top + y * step]
      if (mmX < 0 || mmY < 0 || mmX > sheet.width || mmY > sheet.height) return undefined
      const box = boxAt(sheet.fills, mmX, mmY)
      return box ? (lights.get(box) ?? FRAME) : [0.85, 0.85, 0.85]
    },
  }
}

const decodedByte = (value: number): number => {
  const share = value / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

interface Clutter {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly cos: number
  readonly sin: number
  readonly colour: Rgb
}

/** The plane of the chart as the camera sees it: lattice to pixels. */
const poseOf = (
  scene: Required<Pick<ChartScene, 'width' | 'height' | 'share' | 'tiltDeg' | 'rollDeg'>>,
  { beyond }: Surface,
  chance: () => number,
) => {
  const { width, height, share, tiltDeg, rollDeg } = scene
  const focal = width
  const far = (6 * focal) / (share * width)
  const [tilt, about, roll] = [(tiltDeg * Math.PI) / 180, chance() * 2 * Math.PI, (rollDeg * Math.PI) / 180]
  const [ux, uy] = [Math.cos(about), Math.sin(about)]
  const [c, s] = [Math.cos(tilt), Math.sin(tilt)]
  // turned about (ux, uy, 0), then about the line of sight
  const right = [c + ux * ux * (1 - c), ux * uy * (1 - c), -uy * s]
  const down = [ux * uy * (1 - c), c + uy * uy * (1 - c), ux * s]
  const turn = ([x = 0, y = 0, z = 0]: readonly number[]) => [
    x * Math.cos(roll) - y * Math.sin(roll),
    x * Math.sin(roll) + y * Math.cos(roll),
    z,
  ]
  const [r, d] = [turn(right) as [number, number, number], turn(down) as [number, number, number]]
  const place = (offX: number, offY: number) => {
    const at = (n: 0 | 1 | 2) => [r[n], d[n], -3 * r[n] - 2 * d[n]] as const
    const [x, y, z] = [at(0), at(1), at(2)]
    const [cx, cy] = [width / 2 + offX, height / 2 + offY]
    const deep = [z[0], z[1], z[2] + far]
    return [
      ...x.map((each, n) => focal * each + cx * (deep[n] as number)),
      ...y.map((each, n) => focal * each + cy * (deep[n] as number)),
      ...deep,
    ]
  }
  const [aside, above] = beyond
  const cells = [
    [-aside, -above],
    [6 + aside, -above],
    [6 + aside, 4 + above],
    [-aside, 4 + above],
  ] as const
  const middle = cells.map(([x, y]) => moved(place(0, 0), x, y))
  const room = (axis: 0 | 1, size: number) => {
    const all = middle.map((each) => each[axis])
    return [-Math.min(...all) + 4, size - 4 - Math.max(...all)] as const
  }
  const [fromX, toX] = room(0, width)
  const [fromY, toY] = room(1, height)
  const off = (from: number, to: number) => (to > from ? from + chance() * (to - from) : (from + to) / 2)
  return place(off(fromX, toX), off(fromY, toY))
}

/** Renders it; chance has a seed. */
export const renderChart = (scene: ChartScene): RenderedChart => {
  const { seed, width = 1280, height = 800, share = 0.5, tiltDeg = 0, rollDeg = 0, hasClutter = false } = scene
  const { noise = 2, ccm = [1, 0, 0, 0, 1, 0, 0, 0, 1], light = [1, 1], vignetting = 0, exposure = 0.85 } = scene
  const { curve = encoded, edition = 'after_2014', isPrint = false, mixedLight = 0, isDeep = false } = scene
  const chance = mulberry32(seed)
  const empty: Surface = { beyond: [0, 0], at: () => undefined }
  const surface = scene.isEmpty ? empty : isPrint ? printed(edition) : bought(edition)
  const map = poseOf({ width, height, share, tiltDeg, rollDeg }, surface, chance)
  const back = inverse(map)
  const camera = inverse(ccm)
  const background: Rgb = [0.1 + 0.3 * chance(), 0.1 + 0.3 * chance(), 0.1 + 0.3 * chance()]
  const clutter: Clutter[] = Array.from({ length: hasClutter ? 70 : 0 }, () => {
    const [size, angle] = [width * (0.01 + 0.06 * chance()), chance() * Math.PI]
    return {
      x: chance() * width,
      y: chance() * height,
      width: size * (0.6 + chance()),
      height: size * (0.6 + chance()),
      cos: Math.cos(angle),
      sin: Math.sin(angle),
      colour: [chance(), chance(), chance()],
    }
  })
  const behind = (x: number, y: number): Rgb => {
    const found = clutter.findLast((each) => {
      const [dx, dy] = [x - each.x, y - each.y]
      return (
        Math.abs(dx * each.cos + dy * each.sin) < each.width / 2 &&
        Math.abs(dy * each.cos - dx * each.sin) < each.height / 2
      )
    })
    return found?.colour ?? background
  }
  const STEPS = 2
  const top = isDeep ? 65_535 : 255
  const pixel = (column: number, row: number): [number, number, number] => {
    let [r, g, b] = [0, 0, 0]
    for (let n = 0; n < STEPS * STEPS; n += 1) {
      const [x, y] = [column + ((n % STEPS) + 0.5) / STEPS, row + (Math.floor(n / STEPS) + 0.5) / STEPS]
      const [u, v] = moved(back, x, y)
      const seen = surface.at(u, v) ?? behind(x, y)
      r += seen[0]
      g += seen[1]
      b += seen[2]
    }
    const n = STEPS * STEPS
    const raw = times(camera, [r / n, g / n, b / n])
    const radius2 = ((column - width / 2) ** 2 + (row - height / 2) ** 2) / (width ** 2 / 4 + height ** 2 / 4)
    const bright = exposure * (1 - vignetting * radius2)
    const redder = 1 + mixedLight * (column / width - 0.5)
    const sensed = [raw[0] * light[0] * redder, raw[1], raw[2] * light[1]].map((each) => Math.max(0, each * bright))
    return sensed.map((each) => {
      // the sum of four is near enough to a bell
      const random = (chance() + chance() + chance() + chance() - 2) * 1.73
      return Math.max(0, Math.min(top, Math.round(top * curve(Math.min(1, each)) + (top / 255) * noise * random)))
    }) as [number, number, number]
  }
  const corners = [
    [0, 0],
    [6, 0],
    [6, 4],
    [0, 4],
  ].map(([x, y]) => moved(map, x as number, y as number))
  return { png: colourPng(width, height, pixel, isDeep), width, height, corners }
}
