// The numbers of a strip chart: of the last seconds, the newest at the right.

/** One line of it. */
export interface StripSeries {
  readonly key: string
  readonly name: string
  /** The token of its colour: `--good`. */
  readonly colour: string
}

/** One moment: a number for each line, in their order; null: none. */
export interface StripPoint {
  readonly atMs: number
  readonly values: readonly (number | null)[]
}

/** Adds a moment, and leaves out what is older than the span. */
export const addPoint = (points: readonly StripPoint[], point: StripPoint, spanMs: number): readonly StripPoint[] => [
  ...points.filter(({ atMs }) => atMs > point.atMs - spanMs && atMs < point.atMs),
  point,
]

/** As uPlot takes them: seconds before now, then a column for each line. */
export const columnsOf = (points: readonly StripPoint[], lines: number, nowMs: number): (number | null)[][] => [
  points.map(({ atMs }) => (atMs - nowMs) / 1000),
  ...Array.from({ length: lines }, (_, line) => points.map(({ values }) => values[line] ?? null)),
]
