// Whether a matrix that was solved is to be kept: what speaks against it, in words with the way out.
import { oneLine } from '../schema/one-line.ts'
import { GREYS, MIDDLE_GREYS, PATCHES } from './chart.ts'
import type { ChartLook } from './chart-look.ts'
import type { CcmSolve } from './solve-ccm.ts'

/** By its code: what it means. */
export const CCM_REASONS = {
  printed: 'the chart is one that this service has drawn, which is no reference',
  clipped: 'patches are brighter than the picture can hold',
  dark: 'patches are too dark to be measured',
  greys: 'the greys do not fall from white to black',
  mixed_light: 'the light is not the same everywhere on the chart',
  curve: 'the picture was made with another curve than was said, so that its numbers are not in proportion to light',
  adaptive: 'the curve of the tuning file follows the picture, so that it cannot be undone',
  large_entries: 'the matrix has entries that no camera needs',
  no_better: 'colours are no better with it',
  still_off: 'colours are far off with it too',
  no_light: 'the temperature of the light is not known',
  no_file: 'there is no tuning file for it',
} as const
export type CcmReasonCode = keyof typeof CCM_REASONS

/** What speaks against writing a matrix. */
export interface CcmReason {
  readonly code: CcmReasonCode
  readonly detail: string
}

const MAX_VALUE = 0.97
const MAX_CLIPPED_SHARE = 0.02
const MIN_VALUE = 0.02
const MAX_MIXED = 0.1
const MAX_SLOPE_ERROR = 0.1
const MAX_GREY_ERROR = 0.15
const MAX_ENTRY = 4
const MAX_DIFFERENCE = 5

/** The patches of which a channel is at its end. */
export const clippedPatches = ({ patches }: Pick<ChartLook, 'patches'>): ReadonlySet<number> =>
  new Set(
    patches.flatMap(({ rgb, clipped }, at) =>
      Math.max(...rgb) > MAX_VALUE || clipped > MAX_CLIPPED_SHARE ? [at] : [],
    ),
  )

/**
 * The patches of which a channel is at nothing. A colour that is beyond what the matrix in the picture can show was cut
 * off there; of a picture without a matrix there are none.
 */
export const emptyPatches = ({ patches }: Pick<ChartLook, 'patches'>): ReadonlySet<number> =>
  new Set(patches.flatMap(({ rgb }, at) => (Math.min(...rgb) < EMPTY_VALUE ? [at] : [])))

const EMPTY_VALUE = 1.5 / 255

/**
 * Why a chart cannot be solved at all; undefined: it can. leftOut: patches of which the picture does not tell the
 * colour.
 */
export const flawOfChart = (leftOut: ReadonlySet<number>): string | undefined => {
  const greys = MIDDLE_GREYS.filter((at) => !leftOut.has(at))
  if (greys.length >= MIN_GREYS && PATCHES.length - leftOut.size >= MIN_PATCHES) return undefined
  return oneLine`
    ${leftOut.size} of the 24 patches are too bright for the picture, or too dark, so that too little is left to go by;
    take it with another exposure
  `
}

const MIN_GREYS = 2
const MIN_PATCHES = 12

const namesOf = (all: Iterable<number>): string => [...all].map((at) => PATCHES[at]?.name ?? '').join(', ')

/** What is known when a matrix is judged. */
export interface CcmFacts {
  readonly look: ChartLook
  readonly solve: CcmSolve
  /** As it would be written. */
  readonly ccm: readonly number[]
  readonly clipped: ReadonlySet<number>
  readonly ct: number | null
  /** Why the curve of the tuning file cannot be undone, or there is none: a sentence without a full stop. */
  readonly curveFlaw: string | null
  /** Why there is no file to write to: a sentence without a full stop. */
  readonly fileFlaw: string | null
}

/** All that speaks against it, the weightiest first. */
export const judgeCcm = (facts: CcmFacts): readonly CcmReason[] => {
  const { look, solve, ccm, clipped, ct, curveFlaw, fileFlaw } = facts
  const dark = look.patches.flatMap(({ rgb }, at) => (Math.max(...rgb) < MIN_VALUE ? [at] : []))
  const greys = GREYS.map((at) => look.patches[at]?.rgb[1] ?? 0)
  const isFalling = greys.every((each, at) => at === 0 || each < (greys[at - 1] as number) || clipped.has(18 + at - 1))
  const white = GREYS[0] as number
  const colours = [...clipped].filter((at) => at !== white)
  const found: readonly (readonly [CcmReasonCode, boolean, string])[] = [
    ['greys', !isFalling, 'The greys do not fall from white to black: is the chart whole, and nothing glossy on it?'],
    [
      'clipped',
      colours.length > 0,
      `${namesOf(colours)}: brighter than the picture can hold. Take it again with a shorter exposure.`,
    ],
    ['dark', dark.length > 0, `${namesOf(dark)}: too dark to be measured. Take it again with more light.`],
    [
      'mixed_light',
      solve.mixed > MAX_MIXED,
      oneLine`
        Red against green changes by ${Math.round(100 * solve.mixed)} % from grey to grey: two kinds of light fall on
        the chart, or one is not even. Leave one on.
      `,
    ],
    [
      'curve',
      clipped.size === 0 && (Math.abs(solve.slope - 1) > MAX_SLOPE_ERROR || solve.off > MAX_GREY_ERROR),
      oneLine`
        The greys are up to ${Math.round(100 * solve.off)} % from where this curve would have them, so the picture was
        made with another. Take a raw picture, or name the tuning file's curve.
      `,
    ],
    ['adaptive', curveFlaw !== null, `${curveFlaw}. Switch off ce_enable of rpi.contrast, or take a raw picture.`],
    [
      'large_entries',
      ccm.some((each) => Math.abs(each) > MAX_ENTRY),
      `An entry of the matrix is above ${MAX_ENTRY}, which no camera needs: light or exposure are wrong.`,
    ],
    [
      'no_better',
      solve.mean_after >= solve.mean_before,
      `Colours are off by ${solve.mean_after.toFixed(1)} with it, and by ${solve.mean_before.toFixed(1)} without.`,
    ],
    [
      'still_off',
      solve.mean_after > MAX_DIFFERENCE,
      oneLine`
        Colours are off by ${solve.mean_after.toFixed(1)} in the mean with it too; more than ${MAX_DIFFERENCE} says that
        something else is wrong: the light, the edition, the place of the chart.
      `,
    ],
    [
      'printed',
      look.found_by === 'markers',
      'This chart was drawn by this device: inks and screens are no reference. It shows that the procedure works.',
    ],
    ['no_light', ct === null, 'Say the colour temperature of the light: a matrix is of one light.'],
    ['no_file', fileFlaw !== null, `There is no file for it: ${fileFlaw}.`],
  ]
  return found.flatMap(([code, speaksAgainst, detail]) => (speaksAgainst ? [{ code, detail }] : []))
}

/** Of pairs of a file: where a grey's colour lies nearest. curve: triples of temperature, red and blue. */
export const ctOf = (curve: readonly number[], red: number, blue: number): number | null => {
  let best: { readonly far: number; readonly ct: number } | null = null
  for (let at = 0; at + 5 < curve.length; at += 3) {
    const [t0, r0, b0, t1, r1, b1] = curve.slice(at, at + 6) as [number, number, number, number, number, number]
    const [dr, db] = [r1 - r0, b1 - b0]
    const long = dr * dr + db * db
    const share = long > 0 ? Math.max(0, Math.min(1, ((red - r0) * dr + (blue - b0) * db) / long)) : 0
    const far = Math.hypot(red - r0 - share * dr, blue - b0 - share * db)
    if (!best || far < best.far) best = { far, ct: t0 + share * (t1 - t0) }
  }
  return best && best.far < FAR_FROM_CURVE ? Math.round(best.ct) : null
}

const FAR_FROM_CURVE = 0.1
