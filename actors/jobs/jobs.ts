// All jobs of this device: what is known of each, for readers; the way to start one, for other rooms; and the work
// itself, until its turn comes.
import * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import type { Fault } from '../../machines/errors/fault.ts'
import { jobChanged } from '../../machines/jobs/events.ts'
import { type Ending, hasEnded, type Job, type Progress } from '../../machines/jobs/job.ts'
import type { JobWork } from '../../machines/jobs/job-keeper-machine.ts'
import { createJobStore, type JobStore } from '../../machines/jobs/job-list.ts'
import type { OnBug } from '../../machines/listeners.ts'
import type { Command } from '../../machines/supervision/actors.ts'
import { ask, DISK_LIMIT } from '../ask.ts'
import type { Directory } from '../directory.ts'

/**
 * What a job does. report: tells how far it is, as often as it likes. whileWaiting: does something that ends when a
 * person has done their part; the job is `waiting-user` meanwhile.
 *
 * It runs in the control process: what computes belongs into a process that the work starts and waits for. It is run
 * once. Cancelling interrupts it; what it acquired in its scope is released before the next job starts. A fault or a
 * throw is the end of this job and of nothing else. The result is JSON.
 */
export type Work = (
  report: (progress: Partial<Progress>) => void,
  whileWaiting: WhileWaiting,
) => Effect.Effect<unknown, Fault, Scope.Scope>

/** Waits for a person. */
export type WhileWaiting = <Value, Failure, Needs>(
  effect: Effect.Effect<Value, Failure, Needs>,
) => Effect.Effect<Value, Failure, Needs>

/** A kind of jobs that compute nothing: they take no turn, and are found again after a restart. */
export interface KindWithoutTurn {
  readonly kind: string
  /** The work of one that had not ended when the service did; it says how that ended. */
  readonly resume: (job: Job) => Work
}

/** A job to be started. kind: `calibration_solve`. resource_ref: what it works on, as `{ stream_id: 'front' }`. */
export interface WantedJob extends Pick<Job, 'kind' | 'resource_ref'> {
  readonly work: Work
}

/** What jobs need. */
export interface JobsParts {
  readonly directory: Pick<Directory, 'identity' | 'clock' | 'events' | 'actor'>
  /** Enters a fault in the error history. */
  readonly record: (fault: Fault) => void
  /** Told of what a listener threw. */
  readonly onBug: OnBug
}

const DOWN: Fault = { code: 'actor.unavailable', detail: 'the jobs are being restarted; try again in a second' }
const RUN_CHARACTERS = 8 // of the epoch; two runs that share them are as likely as a broken disk

export class Jobs {
  readonly store: JobStore
  readonly #parts: JobsParts
  readonly #works = new Map<string, Work>()
  readonly #resumed = new Map<string, KindWithoutTurn['resume']>()
  #seen: ReadonlyMap<string, Job> = new Map()
  #count = 0

  constructor(parts: JobsParts) {
    this.#parts = parts
    this.store = createJobStore(parts.onBug)
    this.store.subscribe(() => this.#follow())
  }

  /** In the order in which they were accepted. */
  all(): readonly Job[] {
    return this.store.getSnapshot().context.jobs
  }

  get(id: string): Job | undefined {
    return this.all().find((job) => job.id === id)
  }

  /**
   * Starts a job: it is on disk when this succeeds, and runs when its turn comes. Fails with `job.too_many`,
   * `storage.*`, `actor.*`.
   */
  start(wanted: WantedJob): Effect.Effect<Job, Fault> {
    return Effect.suspend(() => {
      const keeper = this.#parts.directory.actor('job-keeper')
      if (!keeper) return Effect.fail(DOWN)
      return Effect.flatMap(ask(keeper, this.order(wanted), DISK_LIMIT), (reply) =>
        reply.outcome === 'done' ? Effect.succeed(reply.value as Job) : Effect.fail(reply.fault),
      )
    })
  }

  /** The order that starts a job, for callers that ask the keeper directly: a row of the API (api/jobs/answer.ts). */
  order({ kind, resource_ref, work }: WantedJob) {
    return { type: 'job.start', kind, resource_ref, work: work as unknown as JobWork } satisfies Command<'job-keeper'>
  }

  /** Says of a kind that it takes no turn; before the keeper is started, which loads the jobs of earlier runs. */
  declare({ kind, resume }: KindWithoutTurn): void {
    this.#resumed.set(kind, resume)
    this.store.trigger.declared({ kind })
  }

  /** Whether a job of an earlier run, which had not ended, is found again. */
  isResumed({ kind }: Pick<Job, 'kind'>): boolean {
    return this.#resumed.has(kind)
  }

  /** An id that no other job has or had. */
  newId(): string {
    this.#count += 1
    return `${this.#parts.directory.identity.epoch.slice(0, RUN_CHARACTERS)}-${this.#count}`
  }

  /** Keeps the work of a job that is about to be accepted. */
  keep(id: string, work: JobWork): void {
    this.#works.set(id, work as unknown as Work)
  }

  /** Says that a job's turn has come, and hands out its work; once, since then it does not wait any more. */
  begin(id: string): Work | undefined {
    const job = this.get(id)
    if (job?.state !== 'queued') return undefined
    const work = this.#works.get(id) ?? this.#resumed.get(job.kind)?.(job)
    if (!work) return undefined
    this.store.trigger.started({ id, at_ms: this.#parts.directory.clock.nowMs() })
    return work
  }

  /** Says of a job that it waits for a person, or goes on. */
  wait(id: string, isWaiting: boolean): void {
    this.store.trigger.waited({ id, isWaiting })
  }

  /** The first end of a job counts. */
  end(id: string, ending: Ending): void {
    this.store.trigger.ended({ id, ending, at_ms: this.#parts.directory.clock.nowMs() })
  }

  /** Calls back once, when a job has ended or is forgotten, which may be at once; returns the way to stop that. */
  onEnded(id: string, ended: () => void): () => void {
    const look = () => {
      const job = this.get(id)
      if (job && !hasEnded(job)) return
      subscription.unsubscribe()
      ended()
    }
    const subscription = this.store.subscribe(look)
    look()
    return () => subscription.unsubscribe()
  }

  isCancelled(id: string): boolean {
    return this.store.getSnapshot().context.cancelling.includes(id)
  }

  /** Tells of what has changed. What was loaded is no news. */
  #follow(): void {
    const before = this.#seen
    this.#seen = new Map(this.all().map((job) => [job.id, job]))
    for (const [id, job] of before) if (!this.#seen.has(id)) this.#tell(job, true)
    for (const [id, job] of this.#seen) {
      if (before.get(id) === job || (!before.has(id) && hasEnded(job))) continue
      this.#tell(job, false)
      if (!hasEnded(job)) continue
      this.#works.delete(id)
      if (job.fault) this.#parts.record({ resource: `jobs/${id}`, ...job.fault })
    }
  }

  #tell({ id, kind, state, progress }: Job, deleted: boolean): void {
    this.#parts.directory.events.publish(jobChanged, {
      resource_ref: { job_id: id },
      data: { kind, state, progress, deleted },
    })
  }
}
