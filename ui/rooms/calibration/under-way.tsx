// What goes on: captures, and lenses that are being computed, or were and are not saved.
import { Link } from 'wouter'
import type { Documents } from '../../api/client.ts'
import { Card, Pill } from '../../parts/parts.tsx'
import { foundBy, SOLVE_JOB } from '../../state/calibration-solve.ts'
import { type Capture, captures, forgottenCaptures } from '../../state/captures.ts'
import { jobs } from '../../state/device.ts'
import { useForgotten } from '../../state/forgotten.ts'
import { useKnownOf } from '../../state/live.ts'
import { counted } from '../../words.ts'
import { VerdictPill } from './verdict.tsx'
import { captureAddress, jobAddress } from './words.ts'

type Job = Documents['Job']

const MAX_SHOWN = 3

/** Those that go on, or have found something; the newest first. */
const solvesIn = (all: readonly Job[]): readonly Job[] =>
  all
    .filter((job) => job.kind === SOLVE_JOB && (job.ended_at_ms === null || foundBy(job) !== undefined))
    .toSorted((one, other) => other.created_at_ms - one.created_at_ms)
    .slice(0, MAX_SHOWN)

const CaptureRow = ({ capture: { id, spec, status } }: { readonly capture: Capture }) => (
  <li>
    <div className="grow">
      <Link href={captureAddress(id)}>
        <strong>Capture of {spec.stream_id}</strong>
      </Link>
      <div className="hint">{counted(status.pictures_count, 'picture')} taken</div>
    </div>
  </li>
)

const SolveRow = ({ job }: { readonly job: Job }) => {
  const found = foundBy(job)
  return (
    <li>
      <div className="grow">
        <Link href={jobAddress(job.id)}>
          <strong>{found?.name ?? 'A lens is being computed'}</strong>
        </Link>
        <div className="hint">{found ? 'computed' : job.progress.message}</div>
      </div>
      {found ? <VerdictPill verdict={found.verdict} /> : <Pill tone="busy">running</Pill>}
    </li>
  )
}

/** Nothing, where nothing goes on. */
export const UnderWay = () => {
  const { ids } = useForgotten(forgottenCaptures)
  const going = useKnownOf(captures, ({ value }) => value)?.filter(({ id }) => !ids.includes(id)) ?? []
  const solves = solvesIn(useKnownOf(jobs, ({ value }) => value) ?? [])
  if (going.length + solves.length === 0) return null
  return (
    <Card title="Begun">
      <ul className="list" aria-label="Begun">
        {going.map((capture) => (
          <CaptureRow key={capture.id} capture={capture} />
        ))}
        {solves.map((job) => (
          <SolveRow key={job.id} job={job} />
        ))}
      </ul>
    </Card>
  )
}
