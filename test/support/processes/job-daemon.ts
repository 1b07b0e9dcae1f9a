// The service with two jobs that nobody ends, when it is started without any: one that holds a file, and one that
// waits. Nothing of the service is replaced.
import { rmSync, writeFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import * as Effect from 'effect/Effect'
import type { Work } from '../../../actors/jobs/jobs.ts'
import { JOBS } from '../../../actors/jobs/tokens.ts'
import { type Branch, branch } from '../../../supervisors/composition/branch.ts'
import { OPTIONS } from '../../../supervisors/composition/tokens.ts'
import { runService } from '../../../supervisors/process/service.ts'
import { tree } from '../../../supervisors/tree.ts'

const holding =
  (file: string): Work =>
  (report) =>
    Effect.andThen(
      Effect.acquireRelease(
        Effect.sync(() => writeFileSync(file, '')),
        () => Effect.sync(() => rmSync(file)),
      ),
      Effect.suspend(() => {
        report({ percent: 30, stage: 'waiting', message: 'for the end of the world' })
        return Effect.never
      }),
    )

const jobsBranch = branch({
  needs: { jobs: JOBS, options: OPTIONS },
  start: ({ jobs, options: { dataDir } }) =>
    Effect.suspend(() =>
      Effect.forEach(
        jobs.all().length === 0 ? ['first', 'second'] : [],
        (name) =>
          jobs.start({ kind: 'wait', resource_ref: { thing_id: name }, work: holding(join(dataDir, `${name}.held`)) }),
        { discard: true },
      ),
    ),
})
;(tree as Branch[]).splice(-1, 0, jobsBranch)

flushCompileCache() // killed, it has no other chance
process.exitCode = await runService()
process.exit()
