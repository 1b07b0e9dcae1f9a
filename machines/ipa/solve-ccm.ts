// The colour matrix for which a chart in a picture looks as it should: white balance first, then least squares in
// linear light with rows that sum to 1, then as small a difference to the eye as there is near that.
import { type Edition, GREYS, MIDDLE_GREYS, PATCHES } from './chart.ts'
import type { ChartLook } from './chart-look.ts'
import { decoded, difference, labOfLinear, linearOfLab, type Rgb } from './colour-space.ts'

/** How a picture's numbers follow from the light. */
export interface Tone {
  readonly curve: 'linear' | 'srgb' | 'tuning'
  /** Share of the full scale that is no light; of linear pictures. */
  readonly black: number
  /** Pairs of 16 bits; of `tuning`. */
  readonly gammaCurve: readonly number[]
}

/** A patch, measured and as it should be. Colours: linear, of a white balance that is right. */
export interface SolvedPatch {
  readonly name: string
  readonly wanted: Rgb
  readonly before: Rgb
  readonly after: Rgb
  readonly difference_before: number
  readonly difference_after: number
}

/** What came of it. */
export interface CcmSolve {
  /** Row by row; not rounded. */
  readonly ccm: readonly number[]
  readonly patches: readonly SolvedPatch[]
  readonly mean_before: number
  readonly mean_after: number
  /** Of greys, by the light that they send and should: 1 where the curve is right. */
  readonly slope: number
  /** How far a grey is from that, at most: a share. */
  readonly off: number
  /** Red and blue of the greys against their green, before the white balance. */
  readonly red_share: number
  readonly blue_share: number
  /** How much red against green changes from grey to grey: a share. */
  readonly mixed: number
}

/** The light of a value of a picture, 0 to 1. */
export const lightOf = ({ curve, black, gammaCurve }: Tone, value: number): number => {
  if (curve === 'linear') return Math.max(0, (value - black) / (1 - black))
  return curve === 'srgb' ? decoded(value) : beforeCurve(gammaCurve, value * 65_535) / 65_535
}

/** What went into a curve of pairs for this to come out. */
const beforeCurve = (pairs: readonly number[], out: number): number => {
  for (let at = 2; at + 1 < pairs.length; at += 2) {
    const [x0, y0, x1, y1] = pairs.slice(at - 2, at + 2) as [number, number, number, number]
    if (out <= y1 || at + 3 >= pairs.length) return y1 > y0 ? x0 + ((out - y0) / (y1 - y0)) * (x1 - x0) : x0
  }
  return out
}

const timesCcm = (ccm: readonly number[], [r, g, b]: Rgb): Rgb =>
  [0, 3, 6].map(
    (row) => (ccm[row] as number) * r + (ccm[row + 1] as number) * g + (ccm[row + 2] as number) * b,
  ) as unknown as Rgb

/** One matrix after another: what they come to. */
export const timesMatrix = (after: readonly number[], before: readonly number[]): readonly number[] =>
  [0, 3, 6].flatMap((row) =>
    [0, 1, 2].map((column) =>
      [0, 1, 2].reduce((sum, at) => sum + (after[row + at] as number) * (before[3 * at + column] as number), 0),
    ),
  )

/** A row for each colour, of its two free numbers: what is grey stays as it is. */
const ccmOf = (free: readonly number[]): readonly number[] =>
  [0, 2, 4].flatMap((at) => {
    const [red, blue] = [free[at] as number, free[at + 1] as number]
    return [red, 1 - red - blue, blue]
  })

interface Pair {
  readonly seen: Rgb
  readonly wanted: Rgb
}

/** Least squares for one row: wanted - green = red * (r - g) + blue * (b - g). */
const rowOf = (pairs: readonly Pair[], channel: 0 | 1 | 2): readonly [number, number] => {
  let [rr, rb, bb, rt, bt] = [0, 0, 0, 0, 0]
  for (const { seen, wanted } of pairs) {
    const [r, b, t] = [seen[0] - seen[1], seen[2] - seen[1], wanted[channel] - seen[1]]
    rr += r * r
    rb += r * b
    bb += b * b
    rt += r * t
    bt += b * t
  }
  const determinant = rr * bb - rb * rb
  if (!(Math.abs(determinant) > 1e-12)) return channel === 0 ? [1, 0] : channel === 2 ? [0, 1] : [0, 0]
  return [(rt * bb - bt * rb) / determinant, (bt * rr - rt * rb) / determinant]
}

const mean = (all: readonly number[]): number => all.reduce((sum, each) => sum + each, 0) / all.length

const FIRST_STEP = 0.04
const LAST_STEP = 0.0002
const MAX_ROUNDS = 300 // a chart takes 20 to 30

/** Goes down by one number at a time, in ever smaller steps. */
const descend = (start: readonly number[], cost: (free: readonly number[]) => number): readonly number[] => {
  let best = [...start]
  let least = cost(best)
  for (let [step, round] = [FIRST_STEP, 0]; step >= LAST_STEP && round < MAX_ROUNDS; round += 1) {
    const before = least
    for (let at = 0; at < best.length; at += 1)
      for (const by of [step, -step]) {
        const tried = best.with(at, (best[at] as number) + by)
        const found = cost(tried)
        if (found < least) [best, least] = [tried, found]
      }
    if (least >= before) step /= 2
  }
  return best
}

/** Slope and largest distance of the greys from a curve that is right. */
const curveOfGreys = (greys: readonly { readonly seen: number; readonly wanted: number }[]) => {
  const points = greys.map(({ seen, wanted }) => [Math.log(wanted), Math.log(Math.max(seen, 1e-6))] as const)
  const [x0, y0] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))]
  const above = points.reduce((sum, [x, y]) => sum + (x - x0) * (y - y0), 0)
  const below = points.reduce((sum, [x]) => sum + (x - x0) ** 2, 0)
  const off = Math.max(...points.map(([x, y]) => Math.abs(Math.exp(y - x - (y0 - x0)) - 1)))
  return { slope: below > 0 ? above / below : 1, off }
}

/** leftOut: patches of which the picture does not tell the colour. */
export const solveCcm = (
  { patches }: Pick<ChartLook, 'patches'>,
  tone: Tone,
  edition: Edition,
  leftOut: ReadonlySet<number> = new Set(),
): CcmSolve => {
  const wanted = PATCHES.map(({ lab }) => linearOfLab(lab[edition]))
  const light = patches.map(({ rgb }) => rgb.map((each) => lightOf(tone, each)) as unknown as Rgb)
  const used = (at: number) => !leftOut.has(at)
  const middle = MIDDLE_GREYS.filter(used)
  const greyMeans = [0, 1, 2].map((channel) => mean(middle.map((at) => (light[at] as Rgb)[channel] as number)))
  const goal = mean(middle.map((at) => (wanted[at] as Rgb)[1]))
  const gains = greyMeans.map((each) => goal / Math.max(each, 1e-9))
  const seen = light.map((rgb) => rgb.map((each, channel) => each * (gains[channel] as number)) as unknown as Rgb)
  const pairs = seen.map((each, at) => ({ seen: each, wanted: wanted[at] as Rgb }))
  const usedPairs = pairs.filter((_, at) => used(at))
  const labs = usedPairs.map(({ wanted: each }) => labOfLinear(each))
  const cost = (free: readonly number[]) => {
    const ccm = ccmOf(free)
    return mean(usedPairs.map(({ seen: each }, at) => difference(labs[at] as never, labOfLinear(timesCcm(ccm, each)))))
  }
  const start = ([0, 1, 2] as const).flatMap((channel) => rowOf(usedPairs, channel))
  const ccm = ccmOf(descend(start, cost))
  const solved = pairs.map(({ seen: before, wanted: goalOfPatch }, at): SolvedPatch => {
    const after = timesCcm(ccm, before)
    const lab = labOfLinear(goalOfPatch)
    return {
      name: PATCHES[at]?.name ?? '',
      wanted: goalOfPatch,
      before,
      after,
      difference_before: difference(lab, labOfLinear(before)),
      difference_after: difference(lab, labOfLinear(after)),
    }
  })
  const greys = GREYS.filter(used)
  const greySeen = greys.map((at) => ({ seen: (seen[at] as Rgb)[1], wanted: (wanted[at] as Rgb)[1] }))
  const reds = MIDDLE_GREYS.filter(used).map((at) => {
    const [r, g] = light[at] as Rgb
    return r / Math.max(g, 1e-9)
  })
  return {
    ccm,
    patches: solved,
    mean_before: mean(solved.filter((_, at) => used(at)).map((each) => each.difference_before)),
    mean_after: mean(solved.filter((_, at) => used(at)).map((each) => each.difference_after)),
    ...curveOfGreys(greySeen),
    red_share: (greyMeans[0] as number) / Math.max(greyMeans[1] as number, 1e-9),
    blue_share: (greyMeans[2] as number) / Math.max(greyMeans[1] as number, 1e-9),
    mixed: mean(reds) > 0 ? (Math.max(...reds) - Math.min(...reds)) / mean(reds) : 0,
  }
}
