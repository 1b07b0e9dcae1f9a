// How long each step of the pipeline takes, over the last half minute. Read only while somebody sees it, when the
// device tells that the figures of streams are others: once a second at most.
import { useEffect, useRef, useState } from 'react'
import { api, ask, type Documents } from '../../api/client.ts'
import { onEvent } from '../../api/feed.ts'
import { addPoint, type StripPoint, type StripSeries } from '../../drawing/strip-chart.ts'
import { StripChart } from '../../drawing/strip-chart.tsx'
import { Card } from '../../parts/parts.tsx'
import type { Stream } from '../../state/streams.ts'
import { figureOf } from '../../words.ts'
import { mainStages } from './stages.ts'

type Metrics = Documents['StreamMetrics']

const SPAN_MS = 30_000
const US = 1000
const COLOURS = ['--good', '--busy', '--peer', '--bad', '--quiet']

/** Whether an element is on the screen. */
const useSeen = () => {
  const ref = useRef<HTMLDivElement>(null)
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    if (!ref.current) return undefined
    const observer = new IntersectionObserver((entries) => setSeen(entries.at(-1)?.isIntersecting ?? false))
    observer.observe(ref.current)
    return () => observer.disconnect()
  }, [])
  return { ref, isSeen }
}

interface Read {
  readonly metrics: Metrics
  readonly atMs: number
}

/** What was read while it was seen. */
const useMetrics = (id: string, isSeen: boolean): readonly Read[] => {
  const [reads, setReads] = useState<readonly Read[]>([])
  useEffect(() => {
    if (!isSeen) return undefined
    let isOver = false
    let isReading = false
    const read = async () => {
      if (isReading || document.hidden) return
      isReading = true
      const answer = await ask(api.GET('/v1/streams/{id}/metrics', { params: { path: { id } } }))
      isReading = false
      if (isOver || !answer.ok) return
      const atMs = Date.now()
      const { value: metrics } = answer
      setReads((before) => [...before.filter((each) => each.atMs > atMs - SPAN_MS), { metrics, atMs }])
    }
    void read()
    const stop = onEvent(({ kind }) => kind === 'stream_figures' && void read())
    return () => {
      isOver = true
      stop()
    }
  }, [id, isSeen])
  return reads
}

/** Above all the time of a frame as a whole, then of its longest steps. */
export const FrameTimes = ({ stream: { id } }: { readonly stream: Stream }) => {
  const { ref, isSeen } = useSeen()
  const reads = useMetrics(id, isSeen)
  const newest = reads.at(-1)?.metrics
  const stages = newest ? mainStages(newest.stages_us) : []
  const series: readonly StripSeries[] = ['in all', ...stages].map((name, index) => ({
    key: name,
    name,
    colour: COLOURS[index] ?? '--quiet',
  }))
  const valuesOf = ({ processing_us, stages_us }: Metrics) => [
    processing_us && processing_us.p50 / US,
    ...stages.map((stage) => {
      const found = stages_us.find((each) => each.id === stage)
      return found ? found.p50 / US : null
    }),
  ]
  const points = reads.reduce<readonly StripPoint[]>(
    (before, { metrics, atMs }) => addPoint(before, { atMs, values: valuesOf(metrics) }, SPAN_MS),
    [],
  )
  const last = points.at(-1)?.values ?? []
  return (
    <div ref={ref}>
      <Card
        title="Time for each frame"
        side={
          <ul className="streams-legend">
            {series.map(({ key, name, colour }, index) => (
              <li key={key}>
                <span className="streams-line" style={{ background: `var(${colour})` }} aria-hidden />
                {name}{' '}
                <strong>
                  {figureOf(last[index], 1)}
                  <span className="unit">ms</span>
                </strong>
              </li>
            ))}
          </ul>
        }
      >
        <div className="card-body">
          <StripChart
            key={series.map(({ key }) => key).join(' ')}
            label="Time for each frame over the last 30 seconds, in milliseconds"
            series={series}
            points={points}
            spanMs={SPAN_MS}
          />
        </div>
      </Card>
    </div>
  )
}
