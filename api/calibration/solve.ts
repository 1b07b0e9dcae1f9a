// The row that solves for a lens.
import { CALIBRATION_SOLVE } from '../../actors/calibration/tokens.ts'
import { calibrationExample, SolvedCalibration, type SolveResult } from '../../machines/calibration/calibration.ts'
import { CalibrationSolveRequest, flawsOfRequest, SOLVE_KIND } from '../../machines/calibration/solve-request.ts'
import type { ClientCode } from '../../machines/errors/catalogue.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { hasEnded, Job, JobId, jobExample } from '../../machines/jobs/job.ts'
import { firstError } from '../../machines/schema/errors.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import type { Given } from '../../machines/token.ts'
import { command } from '../endpoints/command.ts'
import type { Call } from '../endpoints/endpoint.ts'
import { jobNeeds } from '../jobs/answer.ts'
import { fault } from '../problems/problem.ts'

/** The needs of the row. */
export const solveNeeds = { ...jobNeeds, solve: CALIBRATION_SOLVE }
type Parts = Given<typeof solveNeeds>
type Jobs = Parts['jobs']

const WAIT_MS = 240_000 // both programs at their limits, and no other job before them

const CalibrationSolved = Type.Object(
  {
    job_id: JobId,
    state: Job.properties.state,
    calibration: Type.Union([SolvedCalibration, Type.Null()], {
      description: oneLine`
        What was found, also where it is refused. null: it is not done yet, or was cancelled; \`GET /v1/jobs/{job_id}\`
        has it as \`result.calibration\` when it is.
      `,
    }),
  },
  {
    additionalProperties: false,
    title: 'CalibrationSolved',
    description: 'What came of solving. It is kept by `POST /v1/streams/{id}/calibration/save`.',
  },
)

const FAILS = [
  'calibration.not_solvable',
  'calibration.child_died',
  'calibration.too_slow',
  'internal',
] as const satisfies readonly ClientCode[]

/** The row. */
export const solveRows = (parts: Parts) => [
  command('POST', '/v1/calibration/solve', {
    summary: 'Solve for the lens of a camera',
    about: oneLine`
      Of a capture, of pictures among the media, or of corners that were found elsewhere. It is a job: who does not
      wait, or loses the connection, finds it at \`GET /v1/jobs/{job_id}\`, and \`DELETE\` there ends it. Nothing is
      changed by it; what was found is kept by \`POST /v1/streams/{id}/calibration/save\`. Dictionary, size and layout
      of a charuco board are found from the pictures; how large a square is has to be said.
    `,
    body: {
      schema: CalibrationSolveRequest,
      example: { media_ids: ['front-20260131-142501.jpg'], square_width_mm: 24, stream_id: 'front' },
      maxBytes: MAX_BODY_BYTES,
    },
    to: 'job-keeper',
    send: async ({ body }) => {
      const flaws = flawsOfRequest(body)
      if (flaws.length > 0) return fault('body.invalid', firstError(flaws, 'the body'), { errors: flaws })
      const wanted = await parts.solve(body)
      return isFault(wanted) ? wanted : parts.jobs.order({ kind: SOLVE_KIND, ...wanted })
    },
    answer: {
      schema: CalibrationSolved,
      example: { job_id: jobExample.id, state: 'done', calibration: calibrationExample },
      canBeGone: true,
      of: async (call, { id }) => {
        if (call.body.wait ?? true) await ended(parts.jobs, id, call)
        return answerFor(parts.jobs, id)
      },
      location: ({ job_id }: { readonly job_id: string }) => `/v1/jobs/${job_id}`,
    },
    faults: [
      ...FAILS,
      'stream.not_found',
      'media.not_found',
      'media.not_ready',
      'calibration.capture_not_found',
      'calibration.not_found',
      'job.too_many',
    ],
  }),
]

const MAX_BODY_BYTES = 8_388_608 // 100,000 corners take 4 MB

const answerFor = (jobs: Jobs, id: string): object | Fault | undefined => {
  const job = jobs.get(id)
  if (!job) return undefined
  const { state, fault: why, result } = job
  if (why && hasEnded(job)) return (FAILS as readonly string[]).includes(why.code) ? why : { ...why, code: 'internal' }
  return { job_id: id, state, calibration: (result as SolveResult | null)?.calibration ?? null }
}

/** Until it has ended, whoever asked has gone, or it takes too long to be waited for. */
const ended = (jobs: Jobs, id: string, { request }: Pick<Call, 'request'>): Promise<void> =>
  new Promise((resolve) => {
    const { socket } = request
    let stop = () => {}
    const leave = () => {
      clearTimeout(timer)
      socket.off('close', leave)
      stop()
      resolve()
    }
    const timer = setTimeout(leave, WAIT_MS)
    socket.once('close', leave)
    stop = jobs.onEnded(id, leave)
  })
