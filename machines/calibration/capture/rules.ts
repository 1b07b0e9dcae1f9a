// Which pictures of a board are taken, and why others are not, in words for the person who holds the board.
import { oneLine } from '../../schema/one-line.ts'
import { median } from '../median.ts'
import { type FoundCorner, MIN_PICTURE_CORNERS } from '../task.ts'
import { VERDICT_LIMITS } from '../verdict.ts'
import type { GuideKnown, GuideLook, NearerSide, Place, TimedLook } from './look.ts'

/** Why a picture is not taken. */
export const REFUSALS = {
  few_corners: 'too little of the board is in view',
  moved: 'the board was not held still',
  blurred: 'the board is not sharp',
  duplicate: 'there is such a picture already',
  other_size: 'the pictures have another size than those before',
  not_kept: 'it could not be stored',
} as const
export type RefusalCode = keyof typeof REFUSALS

/** Why a picture is not taken. */
export interface Refusal {
  readonly code: RefusalCode
  /** In words, with what to do. */
  readonly detail: string
}

/** A picture that was taken, as much of it as the rules need. */
export interface TakenView {
  readonly corners: readonly FoundCorner[]
  readonly edge_px: number
}

/** What the rules rest on. */
export interface CaptureMemory {
  readonly taken: readonly TakenView[]
  readonly known: GuideKnown | null
  /** The previous picture with a board in it. */
  readonly before: TimedLook | null
  /**
   * When the board was seen first since a picture was taken, milliseconds of the capture's own clock (TimedLook.at_ms);
   * null: it was not.
   */
  readonly since_ms: number | null
}

/** What is to be thought of a picture. away: the board is not where it was proposed, and this view would add little. */
export type Judged =
  | { readonly kind: 'none' | 'away' | 'fits'; readonly refusal: null }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

// Where each comes from: docs/decisions/0335-which-pictures-are-taken.md.
/** Movement blurs, and a rolling shutter skews all corners alike, which no residual shows. */
const MAX_MOVED_PX = 2 // between two looks that are MIN_LOOK_PERIOD_MS apart
/** The shortest time between two looks. */
export const MIN_LOOK_PERIOD_MS = 200
const MAX_SLOWER = 2 // a slower device gets more, up to so many times
const MAX_LOOK_MS = 2_000 // a board that was seen longer ago says nothing of how still it is held now
/** Corners of a picture that is blurred by 2 px (an edge of 5) err by a third more than those of a sharp one. */
const MAX_EDGE_PX = 6
/** Cameras that sharpen measure less, so pictures are compared with the best of this capture. */
const MAX_EDGE_OF_BEST = 2
const MIN_BEST_EDGE_PX = 1.5 // twice of less is what any camera does
const SAME_SHARE = 0.05 // of the board's size, which every corner is off at most
const MIN_SAME_CORNERS = 6
const OUTLINE_SHARE = 0.1 // of the board's size
/**
 * A view elsewhere than proposed is taken when it lowers the predicted error by this share of what the proposed view
 * would. Halved every HALVED_EACH_MS without a picture, so that nobody who cannot follow the outline is stuck.
 */
const WORTH_SHARE = 0.5
const HALVED_EACH_MS = 5_000
const MIN_LOWERS = 0.005
/** As good as it gets by pictures: what the verdict calls good. */
const TARGETS = {
  mean_share: VERDICT_LIMITS.mean[0],
  focal_share: VERDICT_LIMITS.focal[0],
  condition: VERDICT_LIMITS.condition[0],
} as const
/** Fewer may agree by chance. */
export const MIN_ENOUGH_PICTURES = 10
/** More will not help: what is wrong then is no matter of chance. */
export const MAX_CAPTURE_PICTURES = 30

/** Judges a picture. isLive: it is one of a row of pictures, in which the board may move, and others follow. */
export const judgeLook = (
  look: TimedLook,
  { taken, known, before, since_ms }: CaptureMemory,
  isLive = true,
): Judged => {
  const { corners } = look
  if (corners.length === 0) return NONE
  if (known && taken.length > 0 && (look.width_px !== known.width_px || look.height_px !== known.height_px))
    return refused('other_size', otherSize(look, known))
  if (corners.length < MIN_PICTURE_CORNERS) return refused('few_corners', fewCorners(corners.length))
  const isThere = taken.some((each) => areSame(each.corners, corners))
  if (isLive && !isWanted(look, known, since_ms)) return isThere ? DUPLICATE : AWAY
  if (isLive && !isStill(look, before)) return before && isRecent(look, before) ? MOVED : AWAY
  const blur = blurOf(look, taken)
  if (blur) return blur
  return isThere ? DUPLICATE : FITS
}

const NONE: Judged = { kind: 'none', refusal: null }
const AWAY: Judged = { kind: 'away', refusal: null }
const FITS: Judged = { kind: 'fits', refusal: null }

const refused = (code: RefusalCode, detail: string): Judged => ({ kind: 'refused', refusal: { code, detail } })

const MOVED = refused('moved', 'the board moves: hold it still for a moment, or lean it against something')
const DUPLICATE = refused('duplicate', 'there is such a picture already: move the board to where the outline is')

const fewCorners = (count: number): string => oneLine`
  only ${count} ${count === 1 ? 'corner' : 'corners'} of the board can be made out, and it takes ${MIN_PICTURE_CORNERS}:
  bring more of it into view, without reflections
`

const otherSize = (look: GuideLook, { width_px, height_px }: GuideKnown): string => oneLine`
  the pictures are ${look.width_px}x${look.height_px} now and were ${width_px}x${height_px} before: a calibration is of
  one mode; set the previous one again, or begin another capture
`

const isWanted = (look: TimedLook, known: GuideKnown | null, since_ms: number | null): boolean => {
  const waitedMs = Math.max(0, look.at_ms - (since_ms ?? look.at_ms))
  const share = WORTH_SHARE / 2 ** Math.floor(waitedMs / HALVED_EACH_MS)
  const isWorth = known !== null && look.lowers >= Math.max(MIN_LOWERS, share * known.proposed.lowers)
  return isWorth || isAtOutline(look, known)
}

/** Whether the board is held where it is proposed, be it upside down. */
export const isAtOutline = ({ outline }: Pick<GuideLook, 'outline'>, known: GuideKnown | null): boolean => {
  const wanted = known?.proposed.outline
  if (!wanted || outline?.length !== wanted.length) return false
  const limit = OUTLINE_SHARE * sizeOf(wanted)
  return [0, outline.length / 2].some((turn) =>
    outline.every((place, at) => distance(place, wanted[(at + turn) % wanted.length] as Place) <= limit),
  )
}

const isRecent = (look: TimedLook, before: TimedLook): boolean => {
  const pauseMs = look.at_ms - before.at_ms
  return pauseMs > 0 && pauseMs <= MAX_LOOK_MS
}

const isStill = (look: TimedLook, before: TimedLook | null): boolean => {
  if (!before || !isRecent(look, before)) return false
  const slower = Math.min(MAX_SLOWER, Math.max(1, (look.at_ms - before.at_ms) / MIN_LOOK_PERIOD_MS))
  const moved = distances(before.corners, look.corners)
  return moved.length >= MIN_SAME_CORNERS && median(moved) <= MAX_MOVED_PX * slower
}

const blurOf = ({ edge_px }: GuideLook, taken: readonly TakenView[]): Judged | undefined => {
  if (edge_px <= 0) return undefined
  const best = Math.min(...taken.map((each) => each.edge_px).filter((each) => each > 0))
  const limit = Math.min(MAX_EDGE_PX, MAX_EDGE_OF_BEST * Math.max(best, MIN_BEST_EDGE_PX))
  if (edge_px <= limit) return undefined
  return refused(
    'blurred',
    oneLine`
      the board is blurred: its edges are ${edge_px.toFixed(1)} px wide, and ${limit.toFixed(1)} are allowed; hold it
      still, give it more light, shorten the exposure, or focus the lens
    `,
  )
}

/** Whether every corner that both show is at nearly the same place. */
const areSame = (one: readonly FoundCorner[], other: readonly FoundCorner[]): boolean => {
  const off = distances(one, other)
  return off.length >= MIN_SAME_CORNERS && Math.max(...off) <= SAME_SHARE * sizeOf(placesOf(one))
}

const placesOf = (corners: readonly FoundCorner[]): readonly Place[] => corners.map(([, , u, v]) => [u, v])

/** Whether the board is elsewhere than it was, or came or went: somebody is there. */
export const hasMoved = (look: Pick<GuideLook, 'corners'>, before: Pick<GuideLook, 'corners'> | undefined): boolean => {
  if (!before) return look.corners.length > 0
  const moved = distances(before.corners, look.corners)
  if (moved.length === 0) return look.corners.length !== before.corners.length
  return median(moved) > SAME_SHARE * sizeOf(placesOf(before.corners))
}

/** Between corners that both show. */
const distances = (one: readonly FoundCorner[], other: readonly FoundCorner[]): readonly number[] => {
  const places = new Map(one.map(([column, row, u, v]) => [`${column} ${row}`, [u, v] as const]))
  return other.flatMap(([column, row, u, v]) => {
    const place = places.get(`${column} ${row}`)
    return place ? distance(place, [u, v]) : []
  })
}

const distance = ([u, v]: Place, [otherU, otherV]: Place): number => Math.hypot(u - otherU, v - otherV)

/** The longer side of what encloses them. */
const sizeOf = (places: readonly Place[]): number =>
  Math.max(
    ...[0, 1].map((axis) => {
      const along = places.map((place) => place[axis] as number)
      return Math.max(...along) - Math.min(...along)
    }),
  )

/** How well the lens is known, 0 to 1: 1 is as good as it gets by pictures. By whichever is worst of what counts. */
export const knownShare = (known: GuideKnown | null): number => {
  if (!known || known.pictures === 0) return 0
  const { pictures, mean_px, width_px, focal_share, condition } = known
  const shares = [
    [TARGETS.mean_share * width_px, mean_px],
    [TARGETS.focal_share, focal_share],
    [TARGETS.condition, condition],
  ] as const
  return Math.min(
    1,
    pictures / MIN_ENOUGH_PICTURES,
    ...shares.map(([target, value]) => (value !== null && value > 0 ? target / value : 0)),
  )
}

/** Whether more pictures are not needed, or would not help. wanted: how many there are to be at least. */
export const isEnough = (known: GuideKnown | null, wanted = 0): boolean =>
  known !== null &&
  (known.pictures >= MAX_CAPTURE_PICTURES ||
    (known.pictures >= Math.max(MIN_ENOUGH_PICTURES, wanted) && knownShare(known) >= 1))

const NEARER: Readonly<Record<NearerSide, string>> = {
  none: 'facing the camera squarely, not tilted',
  left: 'tilted, with its left side nearer to the camera',
  right: 'tilted, with its right side nearer to the camera',
  top: 'tilted, with its upper side nearer to the camera',
  bottom: 'tilted, with its lower side nearer to the camera',
}

/** What to do with the board, in words. */
export const proposalWords = ({ proposed, width_px, height_px }: GuideKnown): string => {
  const { outline, nearer } = proposed
  const middle = [0, 1].map((axis) => outline.reduce((sum, place) => sum + (place[axis] as number), 0) / outline.length)
  const third = (share: number, names: readonly [string, string, string]) =>
    names[share < 0.44 ? 0 : share > 0.56 ? 2 : 1]
  const across = third((middle[0] as number) / width_px, ['left', '', 'right'])
  const down = third((middle[1] as number) / height_px, ['upper', '', 'lower'])
  const where = [down, across].filter(Boolean).join(' ') || 'middle'
  const share = sizeOf(outline) / Math.max(width_px, height_px)
  const far = share < 0.5 ? ', farther away' : ', near'
  return `hold the board in the ${where} of the picture${far}, ${NEARER[nearer]}`
}
