// What a check of a lens comes to, in words.
import { oneLine } from '../schema/one-line.ts'
import { type CheckedLens, type LensDeviation, RADIUS } from './lens-check.ts'

/** gathering: not enough was seen. fits: the lens is as it was calibrated. off: it is not. */
export type LensState = 'gathering' | 'fits' | 'off'

/** What a check comes to. */
export interface LensVerdict {
  readonly state: LensState
  /** In words, with what to do. */
  readonly detail: string
}

/** With fewer, what tags hang beside their places may look like a lens. */
const MIN_FRAMES = 30
const MIN_TAGS = 4

/** Below that nobody notices, and no calibration is better: shares. */
const MAX_OFF = { focal: 0.005, aspect: 0.005, radial: 0.004 } as const
/** It has to stand out of what is not known by so much. */
const MIN_SIGMAS = 4
/** Known so well, it may be said that it fits. */
const MAX_STD = { focal: 0.0025, aspect: 0.0025, radial: 0.002 } as const

type Part = keyof typeof MAX_OFF
const PARTS: readonly Part[] = ['focal', 'radial', 'aspect']

/** By what a lens was found to be off, the gravest first. */
export const partsOff = (deviation: LensDeviation): readonly Part[] =>
  PARTS.filter((part) => {
    const off = Math.abs(deviation[part])
    return off > MAX_OFF[part] && off > MIN_SIGMAS * deviation[`${part}Std`]
  }).sort((a, b) => Math.abs(deviation[b]) / MAX_OFF[b] - Math.abs(deviation[a]) / MAX_OFF[a])

/** checked: undefined: nothing was seen. */
export const lensVerdict = (checked: CheckedLens | undefined): LensVerdict => {
  const frames = checked?.evidence.frames ?? 0
  const tags = checked?.evidence.tags ?? 0
  const deviation = checked?.deviation
  if (!deviation || frames < MIN_FRAMES || tags < MIN_TAGS)
    return {
      state: 'gathering',
      detail: oneLine`
        ${frames} of ${MIN_FRAMES} places with two tags or more in the picture, and ${tags} of ${MIN_TAGS} different
        tags: drive about where several tags are in view
      `,
    }
  const [first, ...others] = partsOff(deviation)
  if (first)
    return {
      state: 'off',
      detail: oneLine`
        ${[first, ...others].map((part) => IN_WORDS[part](deviation)).join('; ')}. Calibrate this camera again, at its
        mode and focus
      `,
    }
  const unsure = PARTS.filter((part) => deviation[`${part}Std`] > MAX_STD[part])
  if (unsure.length > 0 || PARTS.some((part) => Math.abs(deviation[part]) > MAX_OFF[part]))
    return {
      state: 'gathering',
      detail: oneLine`
        the focal length is known to ${percent(2 * deviation.focalStd)} so far: drive on, near to tags and far from
        them, and turn so that they come to the sides of the picture
      `,
    }
  return {
    state: 'fits',
    detail: oneLine`
      the focal length is right within ${percent(Math.abs(deviation.focal) + 2 * deviation.focalStd)}, by ${frames}
      places and ${tags} tags
    `,
  }
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`

const IN_WORDS: Readonly<Record<Part, (deviation: LensDeviation) => string>> = {
  focal: ({ focal, focalStd }) => oneLine`
    the focal length is ${percent(Math.abs(focal))} ${focal > 0 ? 'larger' : 'smaller'} than the calibration says
    (deviation ${percent(focalStd)}): distances come out too ${focal > 0 ? 'short' : 'long'} by as much
  `,
  radial: ({ radial, radialStd }) => oneLine`
    the distortion is another one: ${(Math.atan(RADIUS) * (180 / Math.PI)).toFixed(0)} degrees from the axis things are
    seen ${percent(Math.abs(radial))} further ${radial > 0 ? 'out' : 'in'} than the calibration says (deviation
    ${percent(radialStd)})
  `,
  aspect: ({ aspect, aspectStd }) => oneLine`
    widths are ${percent(Math.abs(aspect))} ${aspect > 0 ? 'larger' : 'smaller'} against heights than the calibration
    says (deviation ${percent(aspectStd)}): the picture is stretched
  `,
}
