// The job of a change of the network: it shows what the machine of the networks does, and ends as that ends.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { Latest } from '../../machines/latest.ts'
import { type ChangeNews, type ChangeRecord, type DatedNews, undoneFault } from '../../machines/network/record.ts'
import type { Work } from '../jobs/jobs.ts'
import { untilHeard } from '../until-heard.ts'

/** The kind of such jobs. */
export const NETWORK_JOB = 'network_change'

/** What the job works with. */
export interface ChangeWorkParts {
  readonly news: Latest<DatedNews>
  /** The last change on the disk. */
  readonly load: Effect.Effect<ChangeRecord | null>
  /** Undoes the change of a job, which was cancelled. */
  readonly cancel: (jobId: string) => void
  readonly isCancelled: (jobId: string) => boolean
}

const PROGRESS: Readonly<Record<Exclude<ChangeNews['step'], 'ended'>, string>> = {
  ordered: 'is about to begin',
  applying: 'the new settings come into force',
  waiting: 'waits to be confirmed over the new address; then it is kept, and else undone',
  keeping: 'it was confirmed, and is kept',
  undoing: 'everything becomes as it was before',
}

/** The work of a job. id: of the job, which may not be known before it begins. */
export const changeWork =
  (parts: ChangeWorkParts, id: Promise<string>): Work =>
  (report, whileWaiting) =>
    Effect.flatMap(
      Effect.promise(() => id),
      (jobId) => workOf(parts, jobId)(report, whileWaiting),
    )

/** The work of a job that an earlier run had begun. A change that is not on the disk was never ordered. */
export const resumedWork =
  (parts: ChangeWorkParts, jobId: string): Work =>
  (report, whileWaiting) =>
    Effect.flatMap(parts.load, (kept) =>
      kept?.job_id === jobId ? workOf(parts, jobId)(report, whileWaiting) : Effect.fail(NEVER_ORDERED),
    )

const NEVER_ORDERED: Fault = {
  code: 'job.interrupted',
  detail: 'the service ended before the change of the network was written down, or that was lost; order it again',
}

const workOf = ({ news, load, cancel, isCancelled }: ChangeWorkParts, jobId: string): Work => {
  const isOurs = (each: ChangeNews | undefined): each is ChangeNews => each?.record.job_id === jobId
  /** The next news of this change that fits; what there is counts. */
  const next = (fits: (each: ChangeNews) => boolean) =>
    untilHeard<ChangeNews>((done) => {
      const look = (each: ChangeNews | undefined) => {
        if (isOurs(each) && fits(each)) done(Effect.succeed(each))
      }
      const stop = news.subscribe(look)
      look(news.value)
      return stop
    })
  return (report, whileWaiting) =>
    Effect.gen(function* () {
      yield* Effect.addFinalizer(() => Effect.sync(() => isCancelled(jobId) && cancel(jobId)))
      const kept = yield* load
      if (kept?.job_id === jobId && kept.outcome) return yield* ending(kept)
      for (let now = yield* next(() => true); now.step !== 'ended'; ) {
        const { step, record } = now
        report({ stage: step, message: `${record.change.interface}: ${PROGRESS[step as keyof typeof PROGRESS]}` })
        const moved = next((each) => each.step !== step)
        now = yield* step === 'waiting' ? whileWaiting(moved) : moved
        if (now.step === 'ended') return yield* ending(now.record)
      }
      return yield* ending((news.value as ChangeNews).record)
    })
}

const ending = (record: ChangeRecord): Effect.Effect<unknown, Fault> => {
  const outcome = record.outcome ?? { kept: false, reason: 'nobody knows how it ended' }
  return outcome.kept ? Effect.succeed(outcome) : Effect.fail(undoneFault(record, outcome))
}
