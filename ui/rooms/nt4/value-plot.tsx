// A small line of the last values of a topic.
import { figureOf } from '../../words.ts'

/** A value, and when it came. */
export interface PlotPoint {
  readonly atMs: number
  readonly value: number
}

const WIDTH = 320
const HEIGHT = 80

const shown = (value: number): string => figureOf(value, Number.isInteger(value) ? 0 : 3)

/** points: in the order of their times; drawn up to the newest, as a step from value to value. */
export const ValuePlot = ({
  points,
  spanMs,
  label,
}: {
  points: readonly PlotPoint[]
  spanMs: number
  label: string
}) => {
  const endMs = points.at(-1)?.atMs ?? 0
  const values = points.map(({ value }) => value)
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const x = (atMs: number) => WIDTH * (1 - (endMs - atMs) / spanMs)
  const y = (value: number) => (high === low ? HEIGHT / 2 : HEIGHT - 4 - ((value - low) / (high - low)) * (HEIGHT - 8))
  const path = points.map(({ atMs, value }, n) => (n === 0 ? `M${x(atMs)} ${y(value)}` : `H${x(atMs)}V${y(value)}`))
  return (
    <figure className="nt4-plot">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
        <path d={path.join('')} />
      </svg>
      <figcaption className="hint">
        the last {spanMs / 1000} s, between {shown(low)} and {shown(high)}
      </figcaption>
    </figure>
  )
}
