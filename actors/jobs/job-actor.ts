// One run of a job: its work, in the scope of its incarnation.
import * as Cause from 'effect/Cause'
import * as Effect from 'effect/Effect'
import { type Fault, faultOf } from '../../machines/errors/fault.ts'
import { type Ending, endingWith, failed, progressOf } from '../../machines/jobs/job.ts'
import { type JobActions, type JobEffects, type JobEvent, jobMachine } from '../../machines/jobs/job-machine.ts'
import type { OnBug } from '../../machines/listeners.ts'
import { fromScoped } from '../run.ts'
import type { Jobs, WhileWaiting, Work } from './jobs.ts'

/** What a run works with. */
export interface JobParts {
  /** Of the job. */
  readonly id: string
  readonly work: Work
  readonly jobs: Jobs
  /** Told of what the work threw. */
  readonly onBug: OnBug
}

export const jobActor = ({ id, work, jobs, onBug }: JobParts) =>
  jobMachine.provide({
    actors: {
      runWork: fromScoped<Ending, void, JobEvent>((_, { send }) =>
        Effect.suspend(() =>
          work(
            (progress) => send({ type: 'progress.reported', progress: progressOf(progress) }),
            whileWaiting(id, jobs),
          ),
        ).pipe(
          Effect.map(endingWith),
          Effect.scoped, // released before the end is told
          Effect.catchCause((cause) => Effect.sync(() => failed(reasonOf(cause, onBug)))),
        ),
      ),
    } satisfies Required<JobEffects>,
    actions: {
      showProgress: (_, progress) => jobs.store.trigger.progressed({ id, progress }),
      showEnd: (_, ending) => jobs.end(id, ending),
    } satisfies Required<JobActions>,
  })

const whileWaiting =
  (id: string, jobs: Jobs): WhileWaiting =>
  (effect) =>
    Effect.acquireUseRelease(
      Effect.sync(() => jobs.wait(id, true)),
      () => effect,
      () => Effect.sync(() => jobs.wait(id, false)),
    )

/** A throw is recorded as a bug, and is a fault of this job. */
const reasonOf = (cause: Cause.Cause<Fault>, onBug: OnBug): Fault => {
  const reason = Cause.squash(cause)
  if (Cause.hasDies(cause)) onBug(reason)
  return faultOf(reason)
}
