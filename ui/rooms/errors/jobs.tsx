// Work that takes longer than a request: what runs, with a way to cancel it, and what came of what has ended.
import { api, ask, type Documents } from '../../api/client.ts'
import { browserTimeOf } from '../../api/device-clock.ts'
import { Age, Button, Empty, Pill, ProblemNote, WriteNote } from '../../parts/parts.tsx'
import { ResourceLink } from '../../parts/resource-link.tsx'
import { jobs } from '../../state/device.ts'
import { useKnown } from '../../state/live.ts'
import { useWrite } from '../../state/write.ts'
import { type Shown, spanOf } from '../../words.ts'

type Job = Documents['Job']

const STATES: Readonly<Record<Job['state'], Shown>> = {
  queued: { word: 'waiting', tone: 'quiet' },
  running: { word: 'running', tone: 'busy' },
  'waiting-user': { word: 'waits for you', tone: 'busy' },
  done: { word: 'done', tone: 'good' },
  failed: { word: 'failed', tone: 'bad' },
  cancelled: { word: 'cancelled', tone: 'quiet' },
  interrupted: { word: 'interrupted', tone: 'bad' },
}

/** What a job works on, as faults name it. */
const resourceOf = ({ resource_ref }: Job): string => {
  const { stream_id, media_name, peer_id } = resource_ref
  if (stream_id) return `streams/${stream_id}`
  if (media_name) return `media/${media_name}`
  return peer_id ? `peers/${peer_id}` : ''
}

/** `Calibration solve` */
const nameOf = ({ kind }: Job): string => {
  const words = kind.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const Time = ({ job: { created_at_ms, started_at_ms, ended_at_ms } }: { readonly job: Job }) => {
  if (ended_at_ms !== null)
    return (
      <>
        ended <Age sinceMs={browserTimeOf(ended_at_ms)} /> ago
        {started_at_ms !== null && `, took ${spanOf(ended_at_ms - started_at_ms)}`}
      </>
    )
  const isRunning = started_at_ms !== null
  return (
    <>
      {isRunning ? 'for ' : 'waits for '}
      <Age sinceMs={browserTimeOf(isRunning ? started_at_ms : created_at_ms)} />
    </>
  )
}

const Entry = ({ job }: { readonly job: Job }) => {
  const { id, state, progress, result, fault, ended_at_ms } = job
  const { state: written, write } = useWrite()
  const { word, tone } = STATES[state]
  const isOver = ended_at_ms !== null
  return (
    <li className="errors-job">
      <div className="row">
        <strong>{nameOf(job)}</strong>
        <Pill tone={tone}>{word}</Pill>
        <ResourceLink resource={resourceOf(job)} />
        <span className="hint grow">
          <Time job={job} />
        </span>
        <Button
          aria-label={`${isOver ? 'Forget' : 'Cancel'} ${nameOf(job)}`}
          onClick={() => void write(() => ask(api.DELETE('/v1/jobs/{id}', { params: { path: { id } }, body: {} })))}
        >
          {isOver ? 'Forget' : 'Cancel'}
        </Button>
      </div>
      {!isOver && (
        <progress aria-label={nameOf(job)} max={100} {...(progress.percent !== null && { value: progress.percent })} />
      )}
      {!isOver && progress.message !== '' && <p className="hint">{progress.message}</p>}
      {fault && <ProblemNote problem={fault} />}
      {result !== null && (
        <details>
          <summary>Result</summary>
          <pre className="errors-result">{JSON.stringify(result, null, 2)}</pre>
        </details>
      )}
      {written.state === 'refused' && <WriteNote state={written} />}
    </li>
  )
}

/** All of them: those that go on first, then the latest. */
export const Jobs = () => {
  const { value, problem } = useKnown(jobs)
  const isOver = ({ ended_at_ms }: Job) => (ended_at_ms === null ? 0 : 1)
  const sorted = [...(value ?? [])].sort((a, b) => isOver(a) - isOver(b) || b.created_at_ms - a.created_at_ms)
  return (
    <div className="stack">
      {problem && <ProblemNote problem={problem} />}
      <ul>
        {sorted.map((job) => (
          <Entry key={job.id} job={job} />
        ))}
      </ul>
      {value?.length === 0 && (
        <Empty>No work is going on. A calibration or a measurement of a camera shows here while it runs.</Empty>
      )}
      {!value && !problem && <p className="hint">Loading</p>}
    </div>
  )
}
