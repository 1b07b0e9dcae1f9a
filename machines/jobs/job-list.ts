// All jobs in the order in which they were accepted, and the rules: which of them run, how many wait, how many that
// have ended are kept.
import { createStore } from '@xstate/store'
import type { Fault } from '../errors/fault.ts'
import { isolateSubscribers, type OnBug } from '../listeners.ts'
import {
  cancelled,
  type Ending,
  hasEnded,
  interrupted,
  isBegun,
  type Job,
  jobNotFound,
  newJob,
  type Progress,
} from './job.ts'

/** The device has two cores, and vision goes first. */
const MAX_AT_ONCE = 1
/** More is a mistake in a script. */
export const MAX_WAITING = 16
/** Enough to find out what came of the work of a day; the one that ended first makes room. */
export const MAX_ENDED = 50

/** All jobs, and what is to become of them. */
export interface JobList {
  /** The kinds that compute nothing: they neither wait for a turn nor take one, and are found again after a restart. */
  readonly kindsWithoutTurn: readonly string[]
  /** The jobs of earlier runs are among them. */
  readonly hasKept: boolean
  /** The jobs of earlier runs, by id, with whether they had ended by then. */
  readonly earlier: ReadonlyMap<string, { readonly hadEnded: boolean }>
  readonly jobs: readonly Job[]
  /** The ids of those that run and shall not. */
  readonly cancelling: readonly string[]
}

export const noJobs: JobList = { kindsWithoutTurn: [], hasKept: false, earlier: new Map(), jobs: [], cancelling: [] }

/** What may be ordered. remove: ends a job that has not ended, forgets one that has. */
export type JobChange =
  | { readonly type: 'accept'; readonly job: Job }
  | { readonly type: 'remove'; readonly id: string; readonly at_ms: number }

/**
 * The jobs that are to run: those that do, the next that waits when there is room, and those that take no turn. One
 * that is being cancelled keeps its room until it has released all; one that waits for a person has none.
 */
export const wantedJobs = ({ jobs, cancelling, kindsWithoutTurn }: JobList): readonly Job[] => {
  const takesTurn = ({ kind }: Job) => !kindsWithoutTurn.includes(kind)
  const taken = jobs.filter((job) => job.state === 'running' && takesTurn(job)).length
  const queued = jobs.filter(({ state }) => state === 'queued')
  const next = queued.filter(takesTurn).slice(0, Math.max(0, MAX_AT_ONCE - taken))
  return [
    ...jobs.filter((job) => isBegun(job) && !cancelling.includes(job.id)),
    ...next,
    ...queued.filter((job) => !takesTurn(job)),
  ]
}

/** The list after a change, or why it is refused. */
export const decide = (list: JobList, change: JobChange): JobList | Fault => {
  if (change.type === 'accept') {
    const waiting = list.jobs.filter(({ state }) => state === 'queued').length
    return waiting < MAX_WAITING ? changed(list, [...list.jobs, change.job]) : TOO_MANY
  }
  const { id, at_ms } = change
  const job = list.jobs.find((each) => each.id === id)
  if (!job) return jobNotFound(id)
  if (isBegun(job)) return { ...list, cancelling: [...new Set([...list.cancelling, id])] }
  if (!hasEnded(job)) return withEnd(list, id, cancelled, at_ms)
  return changed(
    list,
    list.jobs.filter((each) => each !== job),
  )
}

const TOO_MANY: Fault = {
  code: 'job.too_many',
  detail: `${MAX_WAITING} jobs are waiting already; wait until some are done, or cancel one (DELETE /v1/jobs/{id})`,
}

const changed = (list: JobList, jobs: readonly Job[]): JobList => {
  const surplus = jobs
    .filter(hasEnded)
    .toSorted((a, b) => Number(a.ended_at_ms) - Number(b.ended_at_ms))
    .slice(0, -MAX_ENDED)
  return { ...list, jobs: jobs.filter((job) => !surplus.includes(job)) }
}

const withJob = (
  list: JobList,
  id: string,
  fits: (job: Job) => boolean,
  change: (job: Job) => Partial<Job>,
): JobList =>
  list.jobs.some((job) => job.id === id && fits(job))
    ? changed(
        list,
        list.jobs.map((job) => (job.id === id ? { ...job, ...change(job) } : job)),
      )
    : list

const isIn = (state: Job['state']) => (job: Job) => job.state === state

/** The first end counts. */
const withEnd = (list: JobList, id: string, ending: Ending, at_ms: number): JobList => {
  const after = withJob(
    list,
    id,
    (job) => !hasEnded(job),
    () => ({ ...ending, ended_at_ms: at_ms }),
  )
  return after === list ? list : { ...after, cancelling: list.cancelling.filter((each) => each !== id) }
}

/** at_ms: Unix time. onBug: told of what a subscriber threw. */
export const createJobStore = (onBug?: OnBug) =>
  isolateSubscribers(
    createStore({
      context: noJobs,
      on: {
        /** Jobs of a kind take no turn. Said before those of earlier runs are loaded. */
        declared: (list, { kind }: { kind: string }): JobList => ({
          ...list,
          kindsWithoutTurn: [...new Set([...list.kindsWithoutTurn, kind])],
        }),
        /**
         * Puts what was kept before what came since the start, once. Nobody works any more on those that have not
         * ended.
         */
        loaded: (list, { jobs, at_ms }: { jobs: readonly Job[]; at_ms: number }): JobList =>
          list.hasKept
            ? list
            : {
                ...changed(list, [...afterRestart(list, jobs, at_ms), ...list.jobs]),
                hasKept: true,
                earlier: new Map(jobs.map((job) => [job.id, { hadEnded: hasEnded(job) }])),
              },
        ordered: (list, { change }: { change: JobChange }): JobList => {
          const after = decide(list, change)
          return 'code' in after ? list : after
        },
        started: (list, { id, at_ms }: { id: string; at_ms: number }): JobList =>
          withJob(list, id, isIn('queued'), ({ started_at_ms }) => ({
            state: 'running',
            started_at_ms: started_at_ms ?? at_ms, // one that was found again has been started before
          })),
        /** It waits for a person, or goes on. */
        waited: (list, { id, isWaiting }: { id: string; isWaiting: boolean }): JobList =>
          withJob(list, id, isIn(isWaiting ? 'running' : 'waiting-user'), () => ({
            state: isWaiting ? 'waiting-user' : 'running',
          })),
        progressed: (list, { id, progress }: { id: string; progress: Progress }): JobList =>
          withJob(list, id, isBegun, () => ({ progress })),
        ended: (list, { id, ending, at_ms }: { id: string; ending: Ending; at_ms: number }): JobList =>
          withEnd(list, id, ending, at_ms),
        /** The clock was set: what happened in this run happened so much later. */
        clockSet: (list, { by_ms }: { by_ms: number }): JobList => ({
          ...list,
          jobs: list.jobs.map((job) => moved(list, job, by_ms)),
        }),
      },
    }),
    onBug,
  )
export type JobStore = ReturnType<typeof createJobStore>

/** Of one that was found unfinished at the start only its end is of this run. */
const moved = ({ earlier }: JobList, job: Job, by_ms: number): Job => {
  const kept = earlier.get(job.id)
  const later = (at_ms: number) => Math.max(0, at_ms + by_ms)
  const laterIfAny = (at_ms: number | null) => (at_ms === null ? null : later(at_ms))
  if (kept?.hadEnded) return job
  const end = { ended_at_ms: laterIfAny(job.ended_at_ms) }
  if (kept) return { ...job, ...end }
  return { ...job, ...end, created_at_ms: later(job.created_at_ms), started_at_ms: laterIfAny(job.started_at_ms) }
}

/** Of those that take no turn the work is found again, and says how it ended. */
const afterRestart = (list: JobList, jobs: readonly Job[], at_ms: number): readonly Job[] =>
  jobs.map((job) => {
    if (hasEnded(job)) return job
    return list.kindsWithoutTurn.includes(job.kind)
      ? { ...newJob(job), started_at_ms: job.started_at_ms }
      : { ...job, ...interrupted, ended_at_ms: at_ms }
  })
