// The resource guard: which streams give way, in which order, by which figures, and what people want of it.
import { useMemo } from 'react'
import { Link } from 'wouter'
import { browserTimeOf } from '../../../api/device-clock.ts'
import { RestoreButton } from '../../../parts/guard-line.tsx'
import { measureWords } from '../../../parts/guard-words.ts'
import { Button, Card, Empty, Figure, Figures, Pill, ProblemNote } from '../../../parts/parts.tsx'
import { type ResourceGuard, resourceGuard } from '../../../state/guard.ts'
import { useKnown } from '../../../state/live.ts'
import { type Tone, timeOf } from '../../../words.ts'
import { GuardSettingsCard } from './settings-card.tsx'

const STATES: Readonly<Record<ResourceGuard['state'], readonly [tone: Tone, word: string]>> = {
  off: ['quiet', 'switched off'],
  asleep: ['quiet', 'no stream runs'],
  watching: ['good', 'all streams have what they want'],
  limiting: ['busy', 'streams give way'],
  blind: ['bad', 'the device does not tell how it does'],
}

const isCut = (guard: ResourceGuard['streams'][number]['guard']): boolean => guard !== null && guard.why !== null

const Streams = ({ streams }: Pick<ResourceGuard, 'streams'>) => {
  if (streams.length === 0) return <Empty action={<Link href="/streams">See the streams</Link>}>No stream runs.</Empty>
  return (
    <ol className="list device-guard-streams">
      {streams.map(({ stream_id, guard, lateness }) => (
        <li key={stream_id}>
          <div>
            <h3>
              <Link href={`/streams/${encodeURIComponent(stream_id)}`}>{stream_id}</Link>
            </h3>
            <p>{guard ? guard.detail : 'It has all that it wants.'}</p>
            {guard?.held_until_ms != null && (
              <p className="hint">Left alone until {timeOf(browserTimeOf(guard.held_until_ms))}.</p>
            )}
            {lateness >= 1 && <p className="hint">Its results are late.</p>}
          </div>
          {isCut(guard) && <RestoreButton id={stream_id} />}
        </li>
      ))}
    </ol>
  )
}

const FiguresCard = ({ guard }: { readonly guard: ResourceGuard }) => {
  const { figures, causes, max_celsius } = guard
  const readMs = useMemo(() => (guard ? Date.now() : 0), [guard])
  return (
    <Card title="What it goes by" side={<Button onClick={resourceGuard.refresh}>Look again</Button>}>
      <div className="card-body stack">
        {figures ? (
          <>
            <Figures>
              <Figure name="processor" value={figures.celsius} digits={1} unit="°C" />
              <Figure name="limit" value={max_celsius} unit="°C" />
              <Figure name="waits for the processor" value={figures.cpu_pressure} digits={1} unit="%" />
              <Figure name="processor load" value={figures.cpu_load} unit="%" />
              <Figure name="memory left" value={figures.memory_available} unit="%" />
              <Figure name="waits for memory" value={figures.memory_some} digits={1} unit="%" />
              <Figure name="waits for the disk" value={figures.io_full} digits={1} unit="%" />
              <Figure name="disk left" value={figures.disk_free} unit="%" />
            </Figures>
            <p className="hint">As of {timeOf(readMs)}.</p>
          </>
        ) : (
          <p>Nothing is measured now.</p>
        )}
        {causes.map((cause) => (
          <p key={`${cause.measure} ${cause.limit}`}>
            <Pill tone={cause.asks === 'cut' ? 'bad' : 'busy'}>{cause.asks === 'cut' ? 'too much' : 'near'}</Pill>{' '}
            {measureWords(cause)}
          </p>
        ))}
      </div>
    </Card>
  )
}

const WHAT = { cut: 'cut', returned: 'given back', restored: 'restored' } as const
const MAX_SHOWN = 20

const Decisions = ({ decisions }: Pick<ResourceGuard, 'decisions'>) => (
  <Card title="Last decisions">
    {decisions.length === 0 ? (
      <p className="card-body hint">Nothing was cut since the start.</p>
    ) : (
      <ul className="list device-guard-decisions">
        {decisions.slice(0, MAX_SHOWN).map(({ at_ms, stream_id, what, detail }) => (
          <li key={`${at_ms} ${stream_id}`}>
            <span className="hint">{timeOf(browserTimeOf(at_ms))}</span>
            <Pill tone={what === 'cut' ? 'busy' : 'good'}>{WHAT[what]}</Pill>
            <span>
              {stream_id}: {detail}
            </span>
          </li>
        ))}
      </ul>
    )}
  </Card>
)

/** The page. */
export const GuardPage = () => {
  const { value, problem } = useKnown(resourceGuard)
  const [tone, word] = value ? STATES[value.state] : []
  return (
    <>
      <div className="page-head">
        <h1>Resource guard</h1>
        {tone && <Pill tone={tone}>{word}</Pill>}
      </div>
      {problem && <ProblemNote problem={problem} />}
      {value ? (
        <div className="device-page">
          <div className="stack">
            <Card title="Streams, who gives way last comes first">
              <Streams streams={value.streams} />
            </Card>
            <Decisions decisions={value.decisions} />
          </div>
          <div className="stack">
            <FiguresCard guard={value} />
            <GuardSettingsCard guard={value} />
          </div>
        </div>
      ) : (
        !problem && <p className="hint">Loading</p>
      )}
    </>
  )
}

export default GuardPage
