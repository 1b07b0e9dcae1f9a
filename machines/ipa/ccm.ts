// The colour matrices of a tuning file: which ones libcamera takes, and where a new one stands among them.
import { oneLine } from '../schema/one-line.ts'

/** A matrix for the light of a temperature. */
export interface Ccm {
  /** Of the light, kelvin. */
  readonly ct: number
  /** Row by row: red, green and blue after, from those before. */
  readonly ccm: readonly number[]
}

/** What libcamera keeps an entry within. */
export const MIN_ENTRY = -8

/** What libcamera keeps an entry within. */
export const MAX_ENTRY = 7.9999

/** Entries as the makers of tuning files write them. */
const DIGITS = 5

/** A row that is further from 1 tints what is grey. */
export const MAX_ROW_ERROR = 0.001

/** One that is as near as this is of the same light. */
export const SAME_LIGHT_K = 150

/** The sums of the three rows. */
export const rowSums = (ccm: readonly number[]): readonly number[] =>
  [0, 3, 6].map((from) => ccm.slice(from, from + 3).reduce((sum, each) => sum + each, 0))

/** Why a matrix is not written; undefined: nothing speaks against it. */
export const flawOfCcm = (ccm: readonly number[]): string | undefined => {
  if (ccm.length !== 9) return `a matrix has 9 numbers, row by row, and this one has ${ccm.length}`
  const outside = ccm.find((each) => !(each >= MIN_ENTRY && each <= MAX_ENTRY))
  if (outside !== undefined) return `${outside} lies beyond what libcamera keeps: ${MIN_ENTRY} to ${MAX_ENTRY}`
  const sums = rowSums(ccm)
  const wrong = sums.findIndex((sum) => Math.abs(sum - 1) > MAX_ROW_ERROR)
  if (wrong < 0) return undefined
  return oneLine`
    row ${wrong + 1} sums to ${(sums[wrong] as number).toFixed(4)}; each has to sum to 1, else what is grey is tinted
  `
}

/** The same with as many digits as are written; each row sums to 1 by its largest entry. */
export const roundedCcm = (ccm: readonly number[]): readonly number[] =>
  [0, 3, 6].flatMap((from) => {
    const units = ccm.slice(from, from + 3).map((each) => Math.round(each * 10 ** DIGITS))
    const largest = units.indexOf(Math.max(...units))
    const missing = 10 ** DIGITS - units.reduce((sum, each) => sum + each, 0)
    // 0 is added to what is -0
    return units.map((each, at) => (at === largest ? each + missing : each) / 10 ** DIGITS + 0)
  })

/** Whether each is of a higher temperature than the one before: with anything else the camera is gone. */
export const isRising = (all: readonly Ccm[]): boolean =>
  all.every(({ ct }, at) => Number.isFinite(ct) && (at === 0 || ct > (all[at - 1] as Ccm).ct))

/**
 * The list with a matrix in it: in place of the nearest of the same light, else at its place. all: rising; so is what
 * comes of it.
 */
export const withCcm = (all: readonly Ccm[], added: Ccm): readonly Ccm[] => {
  const far = ({ ct }: Ccm) => Math.abs(ct - added.ct)
  const nearest = all.reduce<Ccm | undefined>((best, each) => (best && far(best) <= far(each) ? best : each), undefined)
  const others = nearest && far(nearest) <= SAME_LIGHT_K ? all.filter((each) => each !== nearest) : all
  return [...others, added].sort((one, other) => one.ct - other.ct)
}

/** What libcamera makes of a list at a temperature: between two in proportion, beyond them the nearest. */
export const ccmAt = (all: readonly Ccm[], ct: number): readonly number[] | undefined => {
  const [first, last] = [all[0], all.at(-1)]
  if (!first || !last) return undefined
  if (ct <= first.ct) return first.ccm
  if (ct >= last.ct) return last.ccm
  const above = all.findIndex((each) => each.ct >= ct)
  const [low, high] = [all[above - 1] as Ccm, all[above] as Ccm]
  const share = (ct - low.ct) / (high.ct - low.ct)
  return low.ccm.map((each, at) => each + share * ((high.ccm[at] as number) - each))
}
