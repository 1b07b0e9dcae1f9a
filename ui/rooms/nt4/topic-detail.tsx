// One topic: its value in full, and a plot of the last ones.
import { useEffect, useRef, useState } from 'react'
import { type Answer, api, ask, type Documents } from '../../api/client.ts'
import { Age, Button, Empty, Pill, ProblemNote } from '../../parts/parts.tsx'
import { useTopic } from '../../state/topics.ts'
import { type PlotPoint, ValuePlot } from './value-plot.tsx'
import { numberIn, wholeValue } from './value-words.ts'

const SPAN_MS = 30_000
const MIN_AGE_MS = 1000

/** How long ago something was written; of what is written all the time, that it is now. */
export const WrittenAgo = ({ atMs }: { readonly atMs: number }) => {
  const isNow = Date.now() - atMs < MIN_AGE_MS
  const [, setTurn] = useState(0)
  useEffect(() => {
    const timer = setTimeout(() => setTurn((turn) => turn + 1), Math.max(0, atMs + MIN_AGE_MS - Date.now()))
    return () => clearTimeout(timer)
  }, [atMs])
  if (isNow) return <>now</>
  return (
    <>
      <Age sinceMs={atMs} /> ago
    </>
  )
}

const ROLES = { published: 'published by this device', read: 'read by this device' } as const

/** The values that have come since the topic was chosen, of the last seconds. */
const usePoints = (value: number | undefined, atMs: number | null): readonly PlotPoint[] => {
  const points = useRef<readonly PlotPoint[]>([])
  const last = points.current.at(-1)
  if (value !== undefined && atMs !== null && (last === undefined || atMs > last.atMs))
    points.current = [...points.current.filter((point) => point.atMs > atMs - SPAN_MS), { atMs, value }]
  return points.current
}

/** What was asked for, as it was then. writtenAtMs: of the newest value when it was asked for. */
interface Asked {
  readonly answer: Answer<Documents['Nt4Value']>
  readonly writtenAtMs: number | null
}

interface WholeValueProps {
  readonly name: string
  /** Of the newest value. */
  readonly writtenAtMs: number | null
}

const WholeValue = ({ name, writtenAtMs }: WholeValueProps) => {
  const [asked, setAsked] = useState<Asked>()
  const look = async () =>
    setAsked({ answer: await ask(api.POST('/v1/nt4/value', { body: { topic: name } })), writtenAtMs })
  const answer = asked?.answer
  const isOld = asked?.writtenAtMs !== writtenAtMs
  return (
    <div className="stack">
      <div className="row">
        <Button onClick={() => void look()}>Show all of it</Button>
        {answer?.ok && isOld && <Pill tone="busy">may be old by now</Pill>}
      </div>
      {answer && !answer.ok && <ProblemNote problem={answer.problem} />}
      {answer?.ok && (
        <pre className="nt4-whole">
          {answer.value.base64 === null || answer.value.value !== null
            ? JSON.stringify(answer.value.value, null, 2)
            : answer.value.base64}
        </pre>
      )}
    </div>
  )
}

/** What is shown of the topic that was chosen. */
export const TopicDetail = ({ name, onClose }: { readonly name: string; readonly onClose: () => void }) => {
  const topic = useTopic(name)
  const number = topic && numberIn(topic)
  const points = usePoints(number, topic?.writtenAtMs ?? null)
  return (
    <section className="nt4-detail" aria-label={`Topic ${name}`}>
      <div className="row">
        <h3>{name}</h3>
        {topic && <Pill tone="quiet">{topic.type}</Pill>}
        {topic?.role && <Pill tone="peer">{ROLES[topic.role]}</Pill>}
        <Button onClick={onClose}>Close</Button>
      </div>
      {!topic && <Empty>It is not there now.</Empty>}
      {topic && (
        <>
          <p className="nt4-large">{wholeValue(topic)}</p>
          <p className="hint">
            {topic.writtenAtMs === null ? (
              'nothing was written yet'
            ) : (
              <>
                written <WrittenAgo atMs={topic.writtenAtMs} />
              </>
            )}
            {topic.count !== null && topic.not_decoded === null && `, ${topic.count} elements`}
            {topic.not_decoded !== null && `, ${topic.not_decoded}`}
          </p>
          {points.length > 1 && <ValuePlot points={points} spanMs={SPAN_MS} label={`Plot of ${name}`} />}
          {topic.is_cut && <WholeValue name={name} writtenAtMs={topic.writtenAtMs} />}
        </>
      )}
    </section>
  )
}
