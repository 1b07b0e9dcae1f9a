// One supervised child for each job that runs. It is run once: whatever ends its incarnation ends the job.
import * as Cause from 'effect/Cause'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import { jobActor } from '../../actors/jobs/job-actor.ts'
import type { Jobs } from '../../actors/jobs/jobs.ts'
import { faultOf } from '../../machines/errors/fault.ts'
import { cancelled, type Ending, failed, interrupted } from '../../machines/jobs/job.ts'
import { wantedJobs } from '../../machines/jobs/job-list.ts'
import type { jobMachine } from '../../machines/jobs/job-machine.ts'
import type { RecordBugs } from '../supervision/bugs.ts'
import { Crash, type Incarnate } from '../supervision/incarnation.ts'
import type { WantedChildren } from '../supervision/reconciler.ts'
import { anyChild } from '../supervision/supervisor.ts'

/** The name of the reconciler of jobs, and what the ids of its children begin with. */
const JOBS = 'jobs'

/** Which jobs are to run, and how. */
export const jobChildren = (jobs: Jobs, onBug: RecordBugs): WantedChildren<string> => ({
  name: JOBS,
  watch: (changed) => {
    const subscription = jobs.store.subscribe(changed)
    return () => subscription.unsubscribe()
  },
  wanted: () => new Map(wantedJobs(jobs.store.getSnapshot().context).map(({ id }) => [`${JOBS}/${id}`, id])),
  isSame: () => true,
  start: (child, id) => anyChild({ id: child, incarnate: incarnateJob(jobs, id, onBug(child)) }),
})

const incarnateJob = (jobs: Jobs, id: string, onBug: (bug: unknown) => void): Incarnate<typeof jobMachine> =>
  Effect.gen(function* () {
    const work = jobs.begin(id)
    if (!work) return yield* Effect.never // it has been run, or was cancelled: it is about to be stopped
    // Runs when the actor has ended and all that the work held is released.
    yield* Effect.addFinalizer((exit) =>
      Effect.sync(() => {
        const isCancelled = jobs.isCancelled(id)
        const job = jobs.get(id)
        // the service ends: the next run finds it again, and says how it ended
        if (!isCancelled && isInterrupted(exit) && job && jobs.isResumed(job)) return
        jobs.end(id, endOf(exit, isCancelled))
      }),
    )
    return { logic: jobActor({ id, work, jobs, onBug }) }
  })

const isInterrupted = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)

/** How a job ends that has not said so itself. */
const endOf = (exit: Exit.Exit<unknown, unknown>, isCancelled: boolean): Ending => {
  if (isCancelled) return cancelled
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return interrupted
  const reason = Cause.squash(exit.cause)
  return failed(reason instanceof Crash ? reason.fault : faultOf(reason))
}
