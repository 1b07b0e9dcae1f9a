// The keeper of jobs, with its effects: orders and ends of jobs go to disk.
import * as Effect from 'effect/Effect'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { hasEnded, interrupted, type Job, newJob } from '../../machines/jobs/job.ts'
import {
  type JobKeeperEffects,
  type JobKeeperEvent,
  type JobOrder,
  jobKeeperMachine,
} from '../../machines/jobs/job-keeper-machine.ts'
import { decide, type JobChange } from '../../machines/jobs/job-list.ts'
import type { Clock } from '../../native/clock/port.ts'
import type { Documents } from '../../native/documents/port.ts'
import { fromEffect, fromScoped } from '../run.ts'
import type { Jobs } from './jobs.ts'

/** What the keeper works with. record: enters a fault in the error history. */
export interface JobKeeperParts {
  readonly jobs: Jobs
  readonly documents: Pick<Documents, 'loadJobs' | 'saveJobs'>
  readonly clock: Pick<Clock, 'nowMs'>
  readonly record: (fault: Fault) => void
}

/** Takes `job.start`, which is done when the job is on disk, and `job.remove`. */
export const jobKeeperActor = ({ jobs, documents, clock, record }: JobKeeperParts) => {
  const { store } = jobs
  const recorded = <Value>(effect: Effect.Effect<Value, Fault>) =>
    Effect.tapError(effect, (fault) => Effect.sync(() => record(fault)))
  return jobKeeperMachine.provide({
    actors: {
      loadJobs: fromEffect(() =>
        Effect.gen(function* () {
          if (store.getSnapshot().context.hasKept) return // this keeper is not the first, and jobs run
          const kept = yield* Effect.orElseSucceed(recorded(documents.loadJobs), () => [])
          store.trigger.loaded({ jobs: kept, at_ms: clock.nowMs() })
          for (const { id } of kept.filter((job) => !hasEnded(job) && !jobs.isResumed(job)))
            record({ resource: `jobs/${id}`, ...(interrupted.fault as Fault) })
        }),
      ),
      watchJobs: fromScoped<never, void, JobKeeperEvent>((_, { send, guard }) =>
        Effect.andThen(
          Effect.acquireRelease(
            Effect.sync(() => {
              let before = jobs.all()
              return store.subscribe(
                guard(() => {
                  if (isNews(before, jobs.all())) send({ type: 'jobs.changed' })
                  before = jobs.all()
                }),
              )
            }),
            (subscription) => Effect.sync(() => subscription.unsubscribe()),
          ),
          Effect.never,
        ),
      ),
      carryOut: fromEffect((order: JobOrder) =>
        Effect.suspend(() => {
          const change = changeOf(order, jobs, clock)
          const after = decide(store.getSnapshot().context, change)
          if (isFault(after)) return Effect.fail(after)
          const accepted = change.type === 'accept' ? change.job : undefined
          const ordered = { id: change.type === 'accept' ? change.job.id : change.id, mark: order.request }
          return Effect.map(recorded(documents.saveJobs(after.jobs, ordered)), () => {
            if (accepted && 'work' in order) jobs.keep(accepted.id, order.work)
            store.trigger.ordered({ change })
            return accepted
          })
        }),
      ),
      saveJobs: fromEffect(() => Effect.suspend(() => recorded(documents.saveJobs(jobs.all())))),
    } satisfies Required<JobKeeperEffects>,
  })
}

const changeOf = (order: JobOrder, jobs: Jobs, { nowMs }: Pick<Clock, 'nowMs'>): JobChange => {
  if (order.type === 'job.remove') return { type: 'remove', id: order.id, at_ms: nowMs() }
  const { kind, resource_ref } = order
  return { type: 'accept', job: newJob({ id: jobs.newId(), kind, resource_ref, created_at_ms: nowMs() }) }
}

/** Progress is not worth a write. */
const isNews = (before: readonly Job[], after: readonly Job[]): boolean =>
  before.length !== after.length || after.some((job, n) => newsOf(before[n]) !== newsOf(job))

const newsOf = (job: Job | undefined): string =>
  job ? [job.id, job.state, job.created_at_ms, job.started_at_ms, job.ended_at_ms].join() : ''
