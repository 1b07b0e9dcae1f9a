// Lines of the last seconds, drawn on a canvas; their newest values stand beside their names.
import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import { columnsOf, type StripPoint, type StripSeries } from './strip-chart.ts'

const HEIGHT_PX = 110
const AXIS_PX = 42
const FONT = '12px system-ui, sans-serif'

interface StripChartProps {
  /** What it shows, for those who do not see it. */
  readonly label: string
  readonly series: readonly StripSeries[]
  readonly points: readonly StripPoint[]
  readonly spanMs: number
  /** Whether values go below 0 as well: 0 is in the middle then. */
  readonly isSigned?: boolean
}

/** A token of the look as a canvas takes it: what it is in this very place, light or dark. */
const colourOf = (element: HTMLElement, token: string): string => {
  const probe = document.createElement('span')
  probe.style.color = `var(${token})`
  element.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

const MIN_RANGE = 1

/** From where to where the values go. */
const rangeOf = (isSigned: boolean, min: number, max: number): uPlot.Range.MinMax => {
  if (!isSigned) return [0, Math.max(MIN_RANGE, max * 1.15)]
  const farthest = Math.max(MIN_RANGE, 1.15 * Math.max(Math.abs(min), Math.abs(max)))
  return [-farthest, farthest]
}

const plotOf = (element: HTMLElement, series: readonly StripSeries[], spanMs: number, isSigned: boolean): uPlot => {
  const [ink, line] = [colourOf(element, '--ink-2'), colourOf(element, '--line')]
  const axis = { stroke: ink, font: FONT, grid: { stroke: line, width: 1 }, ticks: { show: false } }
  return new uPlot(
    {
      width: Math.max(1, element.clientWidth),
      height: HEIGHT_PX,
      legend: { show: false },
      cursor: { show: false },
      padding: [8, 16, 0, 0],
      scales: {
        x: { time: false, range: [-spanMs / 1000, 0] },
        y: { range: (_, min, max) => rangeOf(isSigned, min, max) },
      },
      axes: [
        {
          ...axis,
          size: 24,
          space: 60,
          values: (_, splits) => splits.map((at) => (at === 0 ? 'now' : `\u2212${-at} s`)),
        },
        {
          ...axis,
          size: AXIS_PX,
          space: 26,
          values: (_, splits) => splits.map((at) => (at < 0 ? `\u2212${-at}` : `${at}`)),
        },
      ],
      series: [
        {},
        ...series.map(({ colour }) => ({
          stroke: colourOf(element, colour),
          width: 2,
          points: { show: false },
          spanGaps: false,
        })),
      ],
    },
    [[], ...series.map(() => [])] as unknown as uPlot.AlignedData,
    element,
  )
}

const draw = (plot: uPlot, points: readonly StripPoint[], lines: number): void => {
  const newestMs = points.at(-1)?.atMs ?? 0
  plot.setData(columnsOf(points, lines, newestMs) as unknown as uPlot.AlignedData)
}

/**
 * The canvas; drawn again for each new moment, for another size, and when light and dark change. With other lines it
 * has to be another one: give it a `key`.
 */
export const StripChart = ({ label, series, points, spanMs, isSigned = false }: StripChartProps) => {
  const host = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const latest = useRef({ series, points })
  latest.current = { series, points }

  useEffect(() => {
    const element = host.current
    if (!element) return undefined
    const make = () => {
      const { series: lines, points: moments } = latest.current
      plot.current?.destroy()
      plot.current = plotOf(element, lines, spanMs, isSigned)
      draw(plot.current, moments, lines.length)
    }
    make()
    const size = new ResizeObserver(() =>
      plot.current?.setSize({ width: Math.max(1, element.clientWidth), height: HEIGHT_PX }),
    )
    size.observe(element)
    const theme = matchMedia('(prefers-color-scheme: dark)')
    theme.addEventListener('change', make)
    return () => {
      size.disconnect()
      theme.removeEventListener('change', make)
      plot.current?.destroy()
      plot.current = undefined
    }
  }, [spanMs, isSigned])

  useEffect(() => {
    if (plot.current) draw(plot.current, points, latest.current.series.length)
  }, [points])

  return <div className="strip-chart" ref={host} role="img" aria-label={label} />
}
