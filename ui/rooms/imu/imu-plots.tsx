// The latest seconds of what the IMU says: angles, turns, forces.
import { useMemo } from 'react'
import type { StripPoint, StripSeries } from '../../drawing/strip-chart.ts'
import { StripChart } from '../../drawing/strip-chart.tsx'
import { Card } from '../../parts/parts.tsx'
import { IMU_SPAN_MS } from '../../state/imu.ts'
import { figureOf } from '../../words.ts'

interface Plot {
  readonly title: string
  readonly unit: string
  readonly digits: number
  /** The first of its values in a point. */
  readonly first: number
  readonly lines: readonly StripSeries[]
}

const AXES = [
  { key: 'x', name: 'x, forward', colour: '--bad' },
  { key: 'y', name: 'y, left', colour: '--good' },
  { key: 'z', name: 'z, up', colour: '--peer' },
] as const

const PLOTS: readonly Plot[] = [
  {
    title: 'Roll and pitch',
    unit: '°',
    digits: 1,
    first: 0,
    lines: [
      { key: 'roll', name: 'roll', colour: '--bad' },
      { key: 'pitch', name: 'pitch', colour: '--good' },
    ],
  },
  { title: 'Turns', unit: '°/s', digits: 1, first: 2, lines: AXES },
  { title: 'Forces', unit: 'g', digits: 2, first: 5, lines: AXES },
]

const PlotCard = ({ plot, points }: { readonly plot: Plot; readonly points: readonly StripPoint[] }) => {
  const { title, unit, digits, first, lines } = plot
  const own = useMemo(
    () => points.map(({ atMs, values }) => ({ atMs, values: values.slice(first, first + lines.length) })),
    [points, first, lines],
  )
  const newest = own.at(-1)
  return (
    <Card title={title}>
      <div className="card-body">
        <ul className="health-legend">
          {lines.map(({ key, name, colour }, line) => (
            <li key={key}>
              <span className="health-line" style={{ background: `var(${colour})` }} aria-hidden />
              {name}{' '}
              <strong>
                {figureOf(newest?.values[line], digits)}
                <span className="unit">{unit}</span>
              </strong>
            </li>
          ))}
        </ul>
        <StripChart
          label={`${title} over the last ${IMU_SPAN_MS / 1000} seconds, in ${unit}`}
          series={lines}
          points={own}
          spanMs={IMU_SPAN_MS}
          isSigned
        />
      </div>
    </Card>
  )
}

/** The plots. */
export const ImuPlots = ({ points }: { readonly points: readonly StripPoint[] }) =>
  points.length > 0 && PLOTS.map((plot) => <PlotCard key={plot.title} plot={plot} points={points} />)
