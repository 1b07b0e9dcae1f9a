// How previews are made cheaper when the bandwidth does not suffice: one small step after the other, always in the same
// order. What a budget buys is then nothing but how many of the steps have to be taken, so that more of it never makes
// anybody worse.

/** One kind of picture of one stream that is watched over the network. */
export interface Preview {
  readonly id: string
  readonly priority: number
  /** What its camera gives. */
  readonly source_fps: number
  /** How many pictures a second each of them wants at most. */
  readonly viewers: readonly number[]
  /** Of one picture, as it was asked for and then at each smaller size; never more than the one before. */
  readonly sizes_bytes: readonly [number, ...number[]]
}

/** What the viewers of a preview get: so many pictures a second at most, of a size by its place in `sizes_bytes`. */
export interface Grant {
  readonly fps: number
  readonly size: number
}

/** Nothing is taken away. */
export const EVERYTHING: Grant = { fps: Number.POSITIVE_INFINITY, size: 0 }

/**
 * Down to 10 a second a driver still steers by them; each is about a tenth less than the one before, which hardly
 * anybody sees.
 */
const SLOWER_FPS = [
  ...[200, 160, 140, 120, 105, 90, 80, 70, 60, 55, 50, 45, 40, 36, 33],
  ...[30, 27, 25, 23, 21, 19, 17, 16, 15, 14, 13, 12, 11, 10],
]

/** When they cannot be made smaller either: one a second still shows that the camera works, and where it looks. */
const SLOWEST_FPS = [9, 8, 7, 6, 5, 4, 3, 2, 1]

const FLOOR_FPS = 10

/** One step down: this preview gets that. */
interface Step {
  readonly id: string
  readonly grant: Grant
}

/**
 * All steps: the ones of the lowest priority first, to their end; among equals in turn. Each preview is first made
 * slower, then smaller, then slower again. They depend on nothing that changes from one second to the next.
 */
export const stepsOf = (previews: readonly Preview[]): readonly Step[] => {
  const byPriority = Map.groupBy(previews, ({ priority }) => priority)
  return [...byPriority.keys()]
    .sort((one, other) => one - other)
    .flatMap((priority) => stepsOfEquals((byPriority.get(priority) ?? []).toSorted(byId)))
}

const byId = (one: Preview, other: Preview): number => (one.id < other.id ? -1 : 1)

const stepsOfEquals = (previews: readonly Preview[]): readonly Step[] => {
  const most = Math.max(...previews.map(({ sizes_bytes }) => sizes_bytes.length)) - 1
  const smaller = Array.from({ length: most }, (_, n) => n + 1)
  const rungs: readonly Grant[] = [
    ...SLOWER_FPS.map((fps) => ({ fps, size: 0 })),
    ...smaller.map((size) => ({ fps: FLOOR_FPS, size })),
    ...SLOWEST_FPS.map((fps) => ({ fps, size: most })),
  ]
  return rungs.flatMap(({ fps, size }) =>
    previews.map(({ id, sizes_bytes }) => ({ id, grant: { fps, size: Math.min(size, sizes_bytes.length - 1) } })),
  )
}

/** What is around each picture: the headers of its part and the boundary. */
const PART_BYTES = 150

/** Of every 1448 bytes that TCP takes, with the headers of Ethernet, IP and TCP, and the acknowledgements. */
export const OVERHEAD = 1.06

/** Bytes a second that a preview takes with a grant, as the network sees them. */
export const rateOf = ({ source_fps, viewers, sizes_bytes }: Preview, { fps, size }: Grant): number => {
  const pictures = viewers.reduce((sum, wanted) => sum + Math.min(wanted, fps, source_fps), 0)
  return pictures * ((sizes_bytes[size] ?? sizes_bytes[0]) + PART_BYTES) * OVERHEAD
}
