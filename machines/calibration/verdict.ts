// Whether a calibration is to be trusted, and why not: a pure function of what was solved. rms is no part of it: it
// does not see pictures that say nothing about the lens. Thresholds: docs/decisions/0330-a-verdict-with-reasons.md.
import { oneLine } from '../schema/one-line.ts'
import { median } from './median.ts'
import type { Solution, SolvedPictures, SolvedView } from './solution.ts'

/** From the best to the worst. */
export const VERDICTS = ['good', 'usable', 'poor', 'refused'] as const
export type Verdict = (typeof VERDICTS)[number]

/** What can be said against a calibration, the gravest cause first. */
export const REASONS = [
  ...(['not_finite', 'wrong_layout', 'two_boards'] as const),
  ...(['same_view', 'frontal', 'not_square', 'one_axis', 'small', 'focal_length', 'centre'] as const),
  ...(['folds', 'few_pictures', 'uncertain', 'residuals', 'halves_differ', 'model', 'left_out', 'bent'] as const),
] as const
export type ReasonCode = (typeof REASONS)[number]

/** One thing to know of a calibration. */
export interface Reason {
  readonly code: ReasonCode
  /** What is left of the verdict because of it; `good`: it is told, and costs nothing. */
  readonly allows: Verdict
  /** What was found, by name, with its unit in the name. */
  readonly values: Readonly<Record<string, number>>
  /** In words, with what to do. */
  readonly detail: string
}

/** What is known of the pictures beside what the solver has found. */
export interface Evidence {
  /** Of each picture that is used: markers of the board, and of something else. */
  readonly markers?: readonly { readonly fitting: number; readonly strays: number }[]
  /** Of the board's squares, where it was turned, so that it shows whatever the camera does. */
  readonly stretch?: Stretch | null
}

/** What is to be thought of a calibration. */
export interface Judgement {
  readonly verdict: Verdict
  /** The gravest first; of the same gravity, causes before figures. */
  readonly reasons: readonly Reason[]
  /** By which widths would be seen too large; null: there are no numbers. */
  readonly stretch: Stretch | null
}

/** By which share widths would be seen too large. */
export interface Stretch {
  readonly share: number
  /** Standard deviation of it. */
  readonly deviation: number
}

/** Up to where a figure is good, usable and poor; beyond the last it is refused. */
export const VERDICT_LIMITS = {
  /** Of the mean predicted error, in shares of the picture's width. */
  mean: [0.001, 0.002, 0.004],
  /** Of the deviation of fx, in shares of it. */
  focal: [0.003, 0.006, 0.012],
  condition: [2e3, 1e4, 5e4],
} as const

const MAX_CENTRE_OFF = 0.25 // of the size: beyond that the pictures say nothing of the centre
const FOCAL_WIDTHS = [0.3, 5] as const
const ASPECT_TOLD = 0.005
const ASPECT_POOR = 0.02
const SURE_DEVIATIONS = 3
const FRONTAL_DEG = 12
const MIN_SPREAD_DEG = 15
const SMALL_SHARE = 0.35
const SAME_PLACE = 0.1 // of the distance, and radians
const ENOUGH_PICTURES = 10
const BENT_SHARE = 0.0025 // of the board's larger side
const MAX_HELD_OUT = 1.25
const HALVES_BEYOND = 2.5 // times what is predicted of two halves
const LARGE_RESIDUAL_PX = 1
const MISFIT_OF_NOISE = 0.01
const OUTLANDISH = 10 // times what is usual in the set
const WRONG_BOARD = 0.03 // of what the board spans; 3 px of noise are 1.5 %, a column off is 6 %

/** Judges a solved calibration. */
export const judge = (solution: Solution, pictures: SolvedPictures, evidence: Evidence = {}): Judgement => {
  const isStretched = evidence.stretch ? isSure(evidence.stretch) : false
  const all = impossibleReasons(solution, pictures)
  // a lens that makes up for a stretched board may be an impossible one
  const impossible = isStretched ? all.filter(({ code }) => code === 'not_finite') : all
  const isRefused = all.length > 0
  const figures = figuresOf(solution, pictures)
  const level = isRefused ? 'refused' : worst(Object.values(figures.levels))
  const isNonsense = impossible.some(({ code }) => code === 'not_finite')
  const reasons = [
    ...impossible,
    ...(isNonsense ? [] : boardReasons(solution, pictures, evidence)),
    ...(isNonsense ? [] : squareReasons(solution, evidence, isRefused && isStretched)),
    ...(level === 'good' || isNonsense ? [] : causesOf(solution.views, level)),
    ...(isNonsense ? [] : countReasons(solution.views, level)),
    ...(level === 'good' || isRefused ? [] : [uncertain(figures, level)]),
    ...doubts(solution),
    ...told(solution, pictures),
  ].sort(byGravity)
  const stretch = isNonsense ? null : (evidence.stretch ?? stretchOf(solution))
  return { verdict: worst([level, ...reasons.map(({ allows }) => allows)]), reasons, stretch }
}

const rankOf = (verdict: Verdict): number => VERDICTS.indexOf(verdict)

const worst = (verdicts: readonly Verdict[]): Verdict => VERDICTS[Math.max(0, ...verdicts.map(rankOf))] as Verdict

const byGravity = (one: Reason, other: Reason): number =>
  rankOf(other.allows) - rankOf(one.allows) || REASONS.indexOf(one.code) - REASONS.indexOf(other.code)

const levelOf = (value: number, [good, usable, poor]: readonly [number, number, number]): Verdict => {
  if (value <= good) return 'good'
  if (value <= usable) return 'usable'
  return value <= poor ? 'poor' : 'refused' // also what is no number
}

interface Figures {
  readonly meanShare: number
  readonly focalShare: number
  readonly condition: number
  readonly levels: Readonly<Record<'mean' | 'focal' | 'condition', Verdict>>
}

const figuresOf = ({ lens, deviations, mean_px, condition }: Solution, { width_px }: SolvedPictures): Figures => {
  const meanShare = (mean_px ?? Number.NaN) / width_px
  const focalShare = (deviations[0] ?? Number.NaN) / (lens[0] ?? Number.NaN)
  const conditionNumber = condition ?? Number.NaN
  return {
    meanShare,
    focalShare,
    condition: conditionNumber,
    levels: {
      mean: levelOf(meanShare, VERDICT_LIMITS.mean),
      focal: levelOf(focalShare, VERDICT_LIMITS.focal),
      condition: levelOf(conditionNumber, VERDICT_LIMITS.condition),
    },
  }
}

/** What makes it useless, whatever the rest. */
const impossibleReasons = (solution: Solution, { width_px, height_px }: SolvedPictures): Reason[] => {
  const { lens, deviations, map_px, rms_px, is_one_to_one } = solution
  const [fx, fy, cx, cy] = lens as readonly number[] as [number, number, number, number]
  const refused = (code: ReasonCode, values: Reason['values'], detail: string): Reason => ({
    code,
    allows: 'refused',
    values,
    detail,
  })
  if ([...lens, ...deviations, ...map_px, rms_px].some((each) => each === null))
    return [refused('not_finite', {}, 'the calculation gave no finite numbers: take other pictures')]
  const widths = fx / width_px
  if (!(widths >= FOCAL_WIDTHS[0] && widths <= FOCAL_WIDTHS[1] && fy > 0))
    return [
      refused(
        'focal_length',
        { focal_widths: round(widths, 2) },
        oneLine`
          the focal length came out as ${round(widths, 1)} picture widths, and no lens of a robot has that: the pictures
          say nothing about it; tilt the board by 30 degrees, each time another way
        `,
      ),
    ]
  const off = Math.max(Math.abs(cx - (width_px - 1) / 2) / width_px, Math.abs(cy - (height_px - 1) / 2) / height_px)
  return [
    ...(is_one_to_one
      ? []
      : [
          refused(
            'folds',
            {},
            oneLine`
              the lens that came out shows the same thing twice within the picture: corners near the edges of the
              picture are missing; hold the board there too
            `,
          ),
        ]),
    ...(off > MAX_CENTRE_OFF
      ? [
          refused(
            'centre',
            { off_share: round(off, 3) },
            oneLine`
              the optical centre came out ${percent(off)} of the picture off its middle: hold the board in all parts of
              the picture, tilted each time another way
            `,
          ),
        ]
      : []),
  ]
}

/** As fx and fy have it, which are the same in nearly all cameras. */
const stretchOf = ({ lens, covariance }: Solution): Stretch => {
  const [fx, fy] = lens as readonly number[] as [number, number]
  const side = lens.length
  const [xx, xy, yy] = [covariance[0], covariance[1], covariance[side + 1]] as [number, number, number]
  const ratio = fx / fy
  const deviation = Math.sqrt(Math.max(0, xx + ratio * ratio * yy - 2 * ratio * xy)) / fy
  return { share: round(ratio - 1, 5), deviation: round(deviation, 5) }
}

const isSure = ({ share, deviation }: Stretch): boolean =>
  Math.abs(share) > ASPECT_TOLD && Math.abs(share) > SURE_DEVIATIONS * deviation

/** A board that a printer has stretched. */
const squareReasons = (solution: Solution, { stretch = null }: Evidence, isRefused: boolean): Reason[] => {
  const [found, ...others] = [stretchOf(solution), ...(stretch ? [stretch] : [])].filter(isSure)
  if (!found) return []
  const worse = others.reduce((one, other) => (Math.abs(other.share) > Math.abs(one.share) ? other : one), found)
  const ratio = 1 + worse.share
  const off = Math.abs(worse.share)
  const what =
    worse === stretch
      ? `the squares of the board are ${percent(off)} ${ratio > 1 ? 'wider' : 'higher'} than was said`
      : oneLine`
          the camera would see ${ratio > 1 ? 'widths' : 'heights'} ${percent(off)} too large, which hardly any camera
          does: the board is not square as printed
        `
  return [
    {
      code: 'not_square',
      allows: isRefused ? 'refused' : off > ASPECT_POOR ? 'poor' : 'usable',
      values: { aspect: round(ratio, 4), deviation: round(worse.deviation, 4) },
      detail: `${what}; measure a square in both directions and say both sizes`,
    },
  ]
}

/** By how much of what a board spans in a picture its corners are off. */
const misfitOf = ({ rms_px, width_share, height_share }: SolvedView, { width_px, height_px }: SolvedPictures): number =>
  rms_px / Math.max(width_share * width_px, height_share * height_px)

/** Another board than was said, or more than one. */
const boardReasons = (
  { views }: Solution,
  pictures: SolvedPictures,
  { markers = [], stretch = null }: Evidence,
): Reason[] => {
  const misfits = views.map((view) => misfitOf(view, pictures))
  const usual = median(misfits)
  const limit = Math.min(WRONG_BOARD, Math.max(MISFIT_OF_NOISE, OUTLANDISH * usual))
  const wrong = views.flatMap((_, at) => {
    const { fitting = 0, strays = 0 } = markers[at] ?? {}
    return !((misfits[at] as number) <= limit) || strays > fitting ? [at] : []
  })
  const values = { pictures: views.length, wrong_pictures: wrong.length, misfit_share: round(usual, 4) }
  if (wrong.length > views.length / 2)
    return [
      {
        code: 'wrong_layout',
        allows: 'refused',
        values,
        detail: oneLine`
          in ${wrong.length} of ${views.length} pictures the corners do not lie like those of one board, they are
          ${percent(values.misfit_share)} of it off: it has another number of squares or another layout than was said,
          or the pictures show several boards; say what board it is, and take pictures of that one alone
        `,
      },
    ]
  // one may be read wrongly, and a board that is stretched and turned fits itself as badly
  if (wrong.length < 2 || (stretch && isSure(stretch))) return []
  const isOut = wrong.every((at) => !views[at]?.is_used)
  return [
    {
      code: 'two_boards',
      allows: isOut ? 'usable' : 'poor',
      values,
      detail: oneLine`
        pictures ${wrong.map((at) => at + 1).join(', ')} show another board than the others, or were read wrongly: leave
        them out, and solve again
      `,
    },
  ]
}

/** Degrees out of the plane of the picture. */
const tiltDeg = ({ tilt_x_deg, tilt_y_deg }: SolvedView): number => {
  const [x, y] = [tilt_x_deg, tilt_y_deg].map((each) => Math.tan((each * Math.PI) / 180)) as [number, number]
  return (Math.atan(Math.hypot(x, y)) * 180) / Math.PI
}

const spread = (values: readonly number[]): number => Math.max(...values) - Math.min(...values)

/** All in nearly one place, turned the same way. */
const areSame = (views: readonly SolvedView[]): boolean => {
  const distance = median(views.map(({ pose }) => pose[2] as number))
  const places = [0, 1, 2].map((axis) => spread(views.map(({ pose }) => pose[axis] as number)) / distance)
  const tilts = [
    spread(views.map(({ tilt_x_deg }) => tilt_x_deg)),
    spread(views.map(({ tilt_y_deg }) => tilt_y_deg)),
  ].map((each) => (each * Math.PI) / 180)
  return [...places, ...tilts].every((each) => each < 2 * SAME_PLACE)
}

/** Why the pictures say too little, in the order in which it is to be mended. */
const causesOf = (all: readonly SolvedView[], allows: Verdict): Reason[] => {
  const views = all.filter(({ is_used }) => is_used)
  const reason = (code: ReasonCode, values: Reason['values'], detail: string): Reason => ({
    code,
    allows,
    values,
    detail,
  })
  const frontal = views.filter((view) => tiltDeg(view) < FRONTAL_DEG).length
  const spreads = [
    spread(views.map(({ tilt_x_deg }) => tilt_x_deg)),
    spread(views.map(({ tilt_y_deg }) => tilt_y_deg)),
  ] as const
  const size = median(views.map(({ width_share, height_share }) => Math.max(width_share, height_share)))
  const isFrontal = frontal > views.length / 2 || spreads.every((each) => each < MIN_SPREAD_DEG)
  const isOneAxis = !isFrontal && spreads.some((each) => each < MIN_SPREAD_DEG)
  return [
    views.length > 1 && areSame(views)
      ? reason(
          'same_view',
          { pictures: views.length },
          oneLine`
            all ${views.length} pictures show nearly the same view: move the board through the whole picture, tilted
            each time another way
          `,
        )
      : undefined,
    isFrontal
      ? reason(
          'frontal',
          { pictures: views.length, frontal_pictures: frontal, tilt_deg: round(median(views.map(tiltDeg)), 1) },
          oneLine`
            the board was nearly frontal in ${frontal} of ${views.length} pictures: tilt it by 30 degrees, each time
            another way
          `,
        )
      : undefined,
    isOneAxis
      ? reason(
          'one_axis',
          { upright_spread_deg: round(spreads[0], 1), level_spread_deg: round(spreads[1], 1) },
          oneLine`
            the board was tilted about one axis alone: tilt it
            ${spreads[0] < spreads[1] ? 'to the left and right' : 'up and down'} too, by 30 degrees
          `,
        )
      : undefined,
    size < SMALL_SHARE
      ? reason(
          'small',
          { size_share: round(size, 2) },
          oneLine`
            the board took ${percent(size)} of the picture: hold it nearer, until it fills two thirds
          `,
        )
      : undefined,
  ].filter((each) => each !== undefined)
}

/** Few pictures may agree by chance, and a model that is poor enough is known well by few. */
const countReasons = (views: readonly SolvedView[], level: Verdict): Reason[] => {
  const { length } = views.filter(({ is_used }) => is_used)
  if (length >= ENOUGH_PICTURES) return []
  return [
    {
      code: 'few_pictures',
      allows: worst([level, 'usable']),
      values: { pictures: length },
      detail: `${length} pictures are few: take ${ENOUGH_PICTURES} to 15`,
    },
  ]
}

const uncertain = ({ meanShare, focalShare, condition }: Figures, allows: Verdict): Reason => ({
  code: 'uncertain',
  allows,
  values: {
    mean_share: round(meanShare, 5),
    focal_share: round(focalShare, 5),
    condition: Math.round(condition),
  },
  detail: oneLine`
    points may be seen ${percent(meanShare)} of the picture's width off in the mean, and the focal length is known to
    ${percent(focalShare)} (at 5 m that is ${round(focalShare * 500, 1)} cm): more pictures, tilted and near, make it
    better
  `,
})

/** What says that the model does not fit, however well it is known. */
const doubts = ({ sigma_px, mean_px, halves_px, tried, coefficients }: Solution): Reason[] => {
  const chosen = tried.find((each) => each.coefficients === coefficients)
  const heldOut = chosen?.held_out_px != null && chosen.rms_px > 0 ? chosen.held_out_px / chosen.rms_px : 0
  const apart = halves_px !== null && mean_px ? halves_px / (2 * mean_px) : 0
  return [
    ...(sigma_px !== null && sigma_px > LARGE_RESIDUAL_PX
      ? [
          {
            code: 'residuals',
            allows: 'poor',
            values: { sigma_px: round(sigma_px, 2) },
            detail: oneLine`
              corners lie ${round(sigma_px, 1)} px off in the mean, and 0.2 px is usual: the pictures are blurred, the
              board moved, or it is another board than was said
            `,
          } as const,
        ]
      : []),
    ...(apart > HALVES_BEYOND
      ? [
          {
            code: 'halves_differ',
            allows: 'usable',
            values: { halves_px: round(halves_px as number, 2), times_predicted: round(apart, 1) },
            detail: oneLine`
              every other picture alone gives another lens, ${round(apart, 1)} times as far off as is predicted:
              something changed meanwhile; fix focus and zoom, keep the board flat, and hold it still
            `,
          } as const,
        ]
      : []),
    ...(heldOut > MAX_HELD_OUT
      ? [
          {
            code: 'model',
            allows: 'usable',
            values: { held_out_ratio: round(heldOut, 2) },
            detail: oneLine`
              pictures that were held out fit ${percent(heldOut - 1)} worse: there are too few pictures for this model
            `,
          } as const,
        ]
      : []),
  ]
}

/** What costs nothing and is good to know. */
const told = ({ views, has_bend, bend_m, bend_deviations_m }: Solution, { board_m }: SolvedPictures): Reason[] => {
  const out = views.flatMap(({ is_used }, at) => (is_used ? [] : [at + 1]))
  const bends = bend_m.map((bend, at) => ({ bend: Math.abs(bend), deviation: bend_deviations_m[at] as number }))
  const largest = bends.reduce((one, other) => (other.bend > one.bend ? other : one))
  const isBent = has_bend && largest.bend > BENT_SHARE * board_m && largest.bend > SURE_DEVIATIONS * largest.deviation
  return [
    ...(out.length > 0
      ? [
          {
            code: 'left_out',
            allows: 'good',
            values: { pictures: out.length },
            detail: oneLine`
              ${out.length === 1 ? `picture ${out[0]} does` : `pictures ${out.join(', ')} do`} not fit the others and
              ${out.length === 1 ? 'is' : 'are'} left out: blurred, or read wrongly
            `,
          } as const,
        ]
      : []),
    ...(isBent
      ? [
          {
            code: 'bent',
            allows: 'good',
            values: { bend_mm: round(largest.bend * 1000, 2), deviation_mm: round(largest.deviation * 1000, 2) },
            detail: oneLine`
              the board is bent by ${round(largest.bend * 1000, 1)} mm, which is reckoned with: glue it to glass or
              metal before the next time
            `,
          } as const,
        ]
      : []),
  ]
}

const round = (value: number, digits: number): number => Number(value.toFixed(digits))

const percent = (share: number): string => `${round(100 * share, Math.abs(share) < 0.01 ? 2 : 1)} %`
