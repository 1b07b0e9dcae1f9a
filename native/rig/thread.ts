// Solves each survey in a thread of its own.
import { Worker } from 'node:worker_threads'
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { Proposal } from '../../machines/localization/rig-and-map/proposal.ts'
import type { SurveySolver } from './port.ts'
import type { SurveyReport } from './worker.ts'

// In a bundle this file is part of a larger one.
const WORKER = new URL(import.meta.url.endsWith('.ts') ? 'worker.ts' : '../rig/worker.mjs', import.meta.url)

/** Matrices of a thousand tags are far below it. */
const MAX_OLD_MB = 256

export const solveInThread: SurveySolver = (input, report) =>
  Effect.flatMap(
    Effect.acquireRelease(
      Effect.sync(() => {
        const resourceLimits = { maxOldGenerationSizeMb: MAX_OLD_MB }
        return new Worker(WORKER, { workerData: input, name: 'survey', resourceLimits })
      }),
      (worker) => Effect.promise(() => worker.terminate()),
    ),
    (worker) =>
      Effect.callback<Proposal | undefined, Fault>((resume) => {
        worker.on('message', (said: SurveyReport) => {
          if (said.type === 'share') report(said.share)
          else resume(Effect.succeed(said.proposal))
        })
        worker.once('error', (error) => resume(Effect.fail(broken(String(error)))))
        worker.once('exit', () => resume(Effect.fail(broken('it ended early'))))
      }),
  )

const broken = (why: string): Fault => ({
  code: 'survey.failed',
  detail: `the thread that solves the survey broke: ${why}; survey a smaller part of the field`,
})
