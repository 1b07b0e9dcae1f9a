// A lens while it is computed, and what came of it: the verdict first, then what to do with it.
import { Link } from 'wouter'
import { api, ask, type Documents } from '../../api/client.ts'
import { BackLink } from '../../parts/back-link.tsx'
import { Alert, Button, Card, Empty, Pill, ProblemNote, WriteNote } from '../../parts/parts.tsx'
import { foundBy, SOLVE_JOB } from '../../state/calibration-solve.ts'
import { jobs } from '../../state/device.ts'
import { useKnown } from '../../state/live.ts'
import { useWrite } from '../../state/write.ts'
import { Found } from './found.tsx'
import { SaveCard } from './save-card.tsx'
import { sentence, VerdictPill } from './verdict.tsx'
import { captureAddress, startAddress } from './words.ts'

type Job = Documents['Job']

const backOf = ({ resource_ref: { capture_id, stream_id } }: Job): string => {
  if (capture_id) return captureAddress(capture_id)
  return stream_id ? startAddress(stream_id) : '/calibration'
}

const Progress = ({ job: { id, state, progress } }: { readonly job: Job }) => {
  const { state: written, write } = useWrite()
  const cancel = () => write(() => ask(api.DELETE('/v1/jobs/{id}', { params: { path: { id } }, body: {} })))
  return (
    <Card
      title="The lens is being computed"
      side={<Pill tone="busy">{state === 'queued' ? 'waiting' : 'running'}</Pill>}
    >
      <div className="card-body stack">
        <p role="status">
          {sentence(
            progress.message || (state === 'queued' ? 'it waits for other work' : 'the pictures are looked at'),
          )}
        </p>
        <progress
          className="calibration-progress"
          aria-label="The calibration"
          max={100}
          {...(progress.percent !== null && { value: progress.percent })}
        />
        <p className="hint">This page may be left or loaded again: it goes on, and its address leads back to it.</p>
        <div>
          <Button onClick={() => void cancel()}>Cancel</Button>
        </div>
        {written.state === 'refused' && <WriteNote state={written} />}
      </div>
    </Card>
  )
}

const Ended = ({ job }: { readonly job: Job }) => {
  const { state, fault } = job
  const again = (
    <Link className="button" href={backOf(job)}>
      Back to the pictures
    </Link>
  )
  if (fault)
    return (
      <Alert tone="bad" action={again}>
        <ProblemNote problem={fault} title="It was not solved." />
      </Alert>
    )
  return (
    <Alert tone="quiet" action={again}>
      {state === 'cancelled' ? 'It was cancelled. Nothing was changed.' : 'Nothing came of it.'}
    </Alert>
  )
}

const Solved = ({ job }: { readonly job: Job }) => {
  const found = foundBy(job)
  if (!found) return job.ended_at_ms === null ? <Progress job={job} /> : <Ended job={job} />
  return (
    <Found
      calibration={found}
      captureId={job.resource_ref.capture_id}
      next={found.verdict !== 'refused' && <SaveCard jobId={job.id} calibration={found} />}
    />
  )
}

/** Its page. id: of the job. */
export const JobPage = ({ id }: { readonly id: string }) => {
  const { value, problem } = useKnown(jobs)
  const job = value?.find((each) => each.id === id && each.kind === SOLVE_JOB)
  const found = job && foundBy(job)
  return (
    <>
      <div className="page-head">
        <BackLink href={job ? backOf(job) : '/calibration'} name="Back to the pictures" />
        <h1>{found?.name ?? 'A new calibration'}</h1>
        {found && <VerdictPill verdict={found.verdict} />}
        {found && <span className="hint">not saved yet</span>}
      </div>
      {problem && <ProblemNote problem={problem} />}
      {job && <Solved job={job} />}
      {value && !job && (
        <Card>
          <Empty action={<Link href="/calibration">See all calibrations</Link>}>
            There is no such work (any more). What was saved of it is among the calibrations.
          </Empty>
        </Card>
      )}
      {!value && !problem && <p className="hint">Loading</p>}
    </>
  )
}
