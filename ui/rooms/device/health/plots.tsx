// Ten minutes of the figures of the device, each with its newest value beside its name.
import { useMemo } from 'react'
import type { StripSeries } from '../../../drawing/strip-chart.ts'
import { StripChart } from '../../../drawing/strip-chart.tsx'
import { Card } from '../../../parts/parts.tsx'
import type { Metrics, Moment } from '../../../state/system.ts'
import { figureOf } from '../../../words.ts'

const SPAN_MS = 600_000
const PERCENT = 100
const KILOBYTE = 1_000

interface PlotLine extends StripSeries {
  readonly of: (moment: Moment) => number | null
  /** What stands beside its name; default the newest figure. */
  readonly wordOf?: (figure: number | null) => string
}

interface Plot {
  readonly title: string
  readonly unit: string
  readonly digits: number
  readonly lines: readonly PlotLine[]
}

const times = (factor: number, value: number | null): number | null => (value === null ? null : value * factor)

const plotsOf = ({ temperature, memory, pressure, cpu, throttling }: Metrics): readonly Plot[] => {
  const { total_bytes } = memory
  const { limit_celsius } = temperature
  const cores = Math.max(1, cpu.cores.length)
  const limit: readonly PlotLine[] =
    limit_celsius === null ? [] : [{ key: 'limit', name: 'limit', colour: '--bad', of: () => limit_celsius }]
  const slowed: readonly PlotLine[] =
    throttling.now === null
      ? []
      : [
          {
            key: 'slowed',
            name: 'slowed down',
            colour: '--bad',
            of: ({ slowed: is }) => times(PERCENT, is),
            wordOf: (figure) => (figure ? 'yes' : 'no'),
          },
        ]
  return [
    {
      title: 'Processor',
      unit: '%',
      digits: 0,
      lines: [
        { key: 'all', name: 'in all', colour: '--busy', of: ({ cpu_load }) => times(PERCENT, cpu_load) },
        {
          key: 'service',
          name: 'this service',
          colour: '--peer',
          of: ({ service_cpu_load }) => times(PERCENT / cores, service_cpu_load),
        },
        ...slowed,
      ],
    },
    {
      title: 'Temperature',
      unit: '°C',
      digits: 1,
      lines: [{ key: 'cpu', name: 'processor', colour: '--busy', of: ({ celsius }) => celsius }, ...limit],
    },
    {
      title: 'Memory',
      unit: '%',
      digits: 0,
      lines: [
        {
          key: 'used',
          name: 'in use',
          colour: '--busy',
          of: ({ memory_available_bytes }) =>
            memory_available_bytes === null || !total_bytes
              ? null
              : PERCENT * (1 - memory_available_bytes / total_bytes),
        },
      ],
    },
    ...(pressure
      ? [
          {
            title: 'Programs wait',
            unit: '%',
            digits: 1,
            lines: [
              { key: 'cpu', name: 'for the processor', colour: '--busy', of: (at: Moment) => at.cpu_some_avg10 },
              { key: 'memory', name: 'for memory', colour: '--bad', of: (at: Moment) => at.memory_some_avg10 },
              { key: 'io', name: 'for the disk', colour: '--peer', of: (at: Moment) => at.io_some_avg10 },
            ],
          },
        ]
      : []),
    {
      title: 'Network',
      unit: 'kB/s',
      digits: 0,
      lines: [
        { key: 'tx', name: 'sent', colour: '--busy', of: (at) => times(1 / KILOBYTE, at.tx_bytes_per_s) },
        { key: 'rx', name: 'received', colour: '--peer', of: (at) => times(1 / KILOBYTE, at.rx_bytes_per_s) },
      ],
    },
  ]
}

const isKnown = ({ lines }: Plot, moments: readonly Moment[]): boolean =>
  lines.some(({ of }) => moments.some((moment) => of(moment) !== null))

const PlotCard = ({ plot, moments }: { readonly plot: Plot; readonly moments: readonly Moment[] }) => {
  const { title, unit, digits, lines } = plot
  const newest = moments.at(-1)
  const points = useMemo(
    () => moments.map((moment) => ({ atMs: moment.atMs, values: lines.map(({ of }) => of(moment)) })),
    [moments, lines],
  )
  return (
    <Card title={title}>
      <div className="card-body">
        <ul className="health-legend">
          {lines.map(({ key, name, colour, of, wordOf }) => (
            <li key={key}>
              <span className="health-line" style={{ background: `var(${colour})` }} aria-hidden />
              {name}{' '}
              <strong>
                {wordOf ? (
                  wordOf(newest ? of(newest) : null)
                ) : (
                  <>
                    {figureOf(newest && of(newest), digits)}
                    <span className="unit">{unit}</span>
                  </>
                )}
              </strong>
            </li>
          ))}
        </ul>
        <StripChart
          key={lines.map(({ key }) => key).join(' ')}
          label={`${title} over the last ten minutes, in ${unit}`}
          series={lines}
          points={points}
          spanMs={SPAN_MS}
        />
      </div>
    </Card>
  )
}

/** The plots of what this device tells. */
export const Plots = ({ metrics, moments }: { readonly metrics: Metrics; readonly moments: readonly Moment[] }) => (
  <div className="health-cards">
    {plotsOf(metrics)
      .filter((plot) => isKnown(plot, moments))
      .map((plot) => (
        <PlotCard key={plot.title} plot={plot} moments={moments} />
      ))}
  </div>
)
