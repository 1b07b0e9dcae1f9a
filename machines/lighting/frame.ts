// What an animation looks like at a moment: a function of the document and the time, and of nothing else. The player
// shows its rows on the device, and the page draws the same rows: it imports nothing, so that both may have it.

/** How a value gets from one keyframe to the next: `step` stays until there. */
export type Easing = 'step' | 'linear' | 'ease_in' | 'ease_out' | 'ease_in_out'

/** What comes after the end. */
export type Loop = 'once' | 'repeat' | 'bounce'

/** What a track shows at a place of the time line. */
export interface Keyframe {
  /** The share of the duration that is over, 0..1. */
  readonly at: number
  /** `#rrggbb`, as on a screen. */
  readonly colour: string
  /** 0..1: 1 is the colour as it is, 0 dark. */
  readonly level: number
  /** The way to the next keyframe. */
  readonly easing: Easing
}

/** What happens on pixels of a group. */
export interface Track {
  /** null: on each group on which the animation is played. */
  readonly group: string | null
  /** The first pixel. */
  readonly from: number
  /** null: up to the last pixel. */
  readonly count: number | null
  /**
   * By how many durations the pixel after the last would lag behind the first: 0 has all show the same, 1 runs along
   * the pixels once in each duration, -1 from the last to the first.
   */
  readonly spread: number
  /** In the order of their places. */
  readonly keyframes: readonly Keyframe[]
}

/** What is drawn; the document has a name and a title beside it. */
export interface Picture {
  readonly duration_ms: number
  readonly loop: Loop
  /** A later one covers what earlier ones show on its pixels. */
  readonly tracks: readonly Track[]
}

/** On what it is drawn. */
export interface FrameGroup {
  readonly group: string
  readonly pixels: number
}

/**
 * What the pixels of a group show `at_ms` after the start: red, green and blue of each pixel, 0..1, as on a screen
 * (no gamma in them yet). Pixels that no track covers are dark.
 */
export const frameOf = (picture: Picture, { group, pixels }: FrameGroup, at_ms: number): Float64Array => {
  const frame = new Float64Array(3 * pixels)
  for (const track of picture.tracks) {
    if (track.group !== null && track.group !== group) continue
    const { from, count, spread } = track
    const end = Math.min(pixels, count === null ? pixels : from + count)
    const keyframes = readKeyframes(track.keyframes)
    for (let pixel = from; pixel < end; pixel++) {
      const step = spread < 0 ? end - 1 - pixel : pixel - from
      const lag_ms = (picture.duration_ms * Math.abs(spread) * step) / (end - from)
      writeColour(frame, 3 * pixel, keyframes, placeOf(picture, at_ms - lag_ms))
    }
  }
  return frame
}

/** How long after its start an animation changes nothing any more, ms; undefined: it never ends. */
export const endOf = ({ duration_ms, loop, tracks }: Picture): number | undefined => {
  if (loop !== 'once') return tracks.every(({ keyframes }) => keyframes.length === 1) ? 0 : undefined
  return duration_ms * (1 + Math.max(0, ...tracks.map(({ spread }) => Math.abs(spread))))
}

/** Where on the time line it is, 0..1. */
const placeOf = ({ duration_ms, loop }: Picture, at_ms: number): number => {
  const turns = at_ms / duration_ms
  if (loop === 'once') return Math.min(1, Math.max(0, turns))
  if (loop === 'repeat') return turns - Math.floor(turns)
  const there = turns - 2 * Math.floor(turns / 2)
  return there <= 1 ? there : 2 - there
}

interface ReadKeyframe {
  readonly at: number
  readonly red: number
  readonly green: number
  readonly blue: number
  readonly level: number
  readonly easing: Easing
}

/** Documents do not change: each is read once. */
const read = new WeakMap<readonly Keyframe[], readonly ReadKeyframe[]>()

const readKeyframes = (keyframes: readonly Keyframe[]): readonly ReadKeyframe[] => {
  const known = read.get(keyframes) ?? keyframes.map(readKeyframe)
  read.set(keyframes, known)
  return known
}

const readKeyframe = ({ at, colour, level, easing }: Keyframe): ReadKeyframe => {
  const value = Number.parseInt(colour.slice(1), 16)
  return {
    at,
    red: ((value >> 16) & 255) / 255,
    green: ((value >> 8) & 255) / 255,
    blue: (value & 255) / 255,
    level,
    easing,
  }
}

/** Colour and level each go their way from one keyframe to the next. */
const writeColour = (frame: Float64Array, at: number, keyframes: readonly ReadKeyframe[], place: number): void => {
  const index = keyframes.findLastIndex((each) => each.at <= place)
  const before = keyframes[Math.max(0, index)]
  if (!before) return
  const after = index < 0 ? before : (keyframes[index + 1] ?? before)
  const way = after.at > before.at ? eased(before.easing, (place - before.at) / (after.at - before.at)) : 0
  const level = between(before.level, after.level, way)
  frame[at] = level * between(before.red, after.red, way)
  frame[at + 1] = level * between(before.green, after.green, way)
  frame[at + 2] = level * between(before.blue, after.blue, way)
}

const between = (a: number, b: number, way: number): number => a + (b - a) * way

const eased = (easing: Easing, way: number): number => {
  if (easing === 'step') return 0
  if (easing === 'ease_in') return way * way
  if (easing === 'ease_out') return way * (2 - way)
  return easing === 'ease_in_out' ? way * way * (3 - 2 * way) : way
}
