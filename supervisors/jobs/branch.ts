// The jobs: their keeper, and one child for each that runs.
import * as Effect from 'effect/Effect'
import { DIRECTORY } from '../../actors/directory.ts'
import { jobKeeperActor } from '../../actors/jobs/job-keeper-actor.ts'
import { Jobs } from '../../actors/jobs/jobs.ts'
import { JOBS } from '../../actors/jobs/tokens.ts'
import { jobChanged } from '../../machines/jobs/events.ts'
import type { jobKeeperMachine } from '../../machines/jobs/job-keeper-machine.ts'
import { type Documents, OPEN_DOCUMENTS } from '../../native/documents/port.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'
import { ON_BUG, RECORD, supervision } from '../composition/tokens.ts'
import { whenClockIsSet } from '../composition/when-clock-is-set.ts'
import { keepAsWanted } from '../supervision/keep-as-wanted.ts'
import { startAndWait } from '../supervision/start-and-wait.ts'
import { jobChildren } from './children.ts'

export const jobBranch = branch({
  events: [jobChanged],
  offers: [
    offer(
      JOBS,
      { directory: DIRECTORY, record: RECORD, onBug: ON_BUG },
      ({ onBug, ...parts }) => new Jobs({ ...parts, onBug: onBug('jobs') }),
    ),
  ],
  needs: { ...supervision, jobs: JOBS, documents: OPEN_DOCUMENTS, directory: DIRECTORY, record: RECORD },
  start: ({ jobs, documents, directory: { clock }, record, ...supervised }) =>
    Effect.gen(function* () {
      yield* whenClockIsSet(clock, (byMs) => jobs.store.trigger.clockSet({ by_ms: byMs }))
      const parts = { jobs, documents: documents.value as Documents, clock, record }
      const incarnate = Effect.sync((): { logic: typeof jobKeeperMachine } => ({ logic: jobKeeperActor(parts) }))
      const keeper = { id: 'job-keeper', incarnate }
      yield* Effect.ignore(startAndWait(supervised, keeper, (snapshot) => !snapshot.matches('loading')))
      yield* keepAsWanted(supervised, jobChildren(jobs, supervised.onBug))
    }),
})
