// Long work: a job is accepted, waits for its turn, runs and ends. Its document tells how far it is and what came of
// it.

import type { Static, TSchema } from 'typebox'
import type { Fault } from '../errors/fault.ts'
import { FaultDocument } from '../errors/fault-document.ts'
import { enumOf } from '../schema/enum-of.ts'
import { schemaErrors } from '../schema/errors.ts'
import { oneLine } from '../schema/one-line.ts'
import { quote } from '../schema/quote.ts'
import Type from '../schema/type.ts'

const strict = { additionalProperties: false } as const

/** What each state means. */
const STATES = {
  queued: 'it waits for its turn',
  running: 'it is being done',
  'waiting-user': 'it goes on when a person has done what its progress says; others have their turn meanwhile',
  done: 'it has a result',
  failed: 'its fault says why',
  cancelled: 'somebody ended it before it was done',
  interrupted: 'the service stopped or lost its power before it was done; it is not started again by itself',
} as const
export type JobState = keyof typeof STATES

/** The state of a job on the wire. */
const JobState = enumOf(STATES, 'JobState')

const EXAMPLE_ID = '3f9a12bc-7'

/** `3f9a12bc-7`: of the run of the service, and a number; never given twice. */
export const JobId = Type.String({
  pattern: '^[0-9a-z]{1,16}-[1-9][0-9]{0,8}$',
  examples: [EXAMPLE_ID],
  description: 'Lower-case letters and digits, a hyphen and a number. Of the job; no other job ever has it.',
})

const MAX_STAGE_LENGTH = 64
const MAX_MESSAGE_LENGTH = 200

/** How far a job is, as the work itself says. */
export const Progress = Type.Object(
  {
    percent: Type.Union([Type.Number({ minimum: 0, maximum: 100 }), Type.Null()], {
      description: '0 to 100; null: nobody can tell.',
    }),
    stage: Type.String({
      maxLength: MAX_STAGE_LENGTH,
      description: 'What is being done now, for programs; may be empty.',
    }),
    message: Type.String({ maxLength: MAX_MESSAGE_LENGTH, description: 'The same for people; may be empty.' }),
  },
  { ...strict, title: 'Progress', description: 'How far a job is.' },
)
export type Progress = Static<typeof Progress>

/** Progress as it may be shown, whatever the work says of itself. What it leaves out is not known. */
export const progressOf = ({ percent = null, stage = '', message = '' }: Partial<Progress>): Progress => ({
  percent: percent === null || !Number.isFinite(percent) ? null : Math.min(100, Math.max(0, percent)),
  stage: stage.slice(0, MAX_STAGE_LENGTH),
  message: message.slice(0, MAX_MESSAGE_LENGTH),
})

const TimeMs = (what: string) => Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description: what })

const jobSchema = <Kind extends TSchema, Result extends TSchema>(
  kind: Kind,
  result: Result,
  title: string,
  description: string,
) =>
  Type.Object(
    {
      id: JobId,
      kind,
      resource_ref: Type.Record(Type.String(), Type.String(), {
        description: 'What it works on, by fields such as `stream_id`; empty: the device as a whole.',
      }),
      state: JobState,
      progress: Progress,
      result,
      fault: Type.Union([FaultDocument, Type.Null()], {
        description: 'Why it failed or was interrupted; null: it did not.',
      }),
      created_at_ms: Type.Integer({ minimum: 0, description: 'When it was accepted, Unix time.' }),
      started_at_ms: TimeMs('When its turn came, Unix time; null: it has not.'),
      ended_at_ms: TimeMs('Unix time; null: it has not.'),
    },
    { ...strict, title, description },
  )

/** A job, whatever it does. */
export const Job = jobSchema(
  Type.String({ pattern: '^[a-z][a-z0-9_]{0,63}$', description: 'What it does, as `calibration_solve`.' }),
  Type.Unknown({ description: 'Of a kind of its own for each kind of job; null until it is done.' }),
  'Job',
  'Long work: how far it is, and what came of it.',
)
export type Job = Static<typeof Job>

/** Whether it is over, however it ended. */
export const hasEnded = ({ ended_at_ms }: Pick<Job, 'ended_at_ms'>): boolean => ended_at_ms !== null

/** Whether what was kept is a job. One that runs and has ended would hold its room for ever. */
export const isJob = (kept: unknown): kept is Job =>
  schemaErrors(Job, kept).length === 0 && hasEnded(kept as Job) !== isOpen(kept as Job)

const isOpen = (job: Job): boolean => job.state === 'queued' || isBegun(job)

/** Whether its turn has come and it is not over. */
export const isBegun = ({ state }: Pick<Job, 'state'>): boolean => state === 'running' || state === 'waiting-user'

/** The schema of the jobs of one kind, with the result that those have. title: its name in the documents. */
export const jobOf = (kind: string, result: TSchema, title: string): TSchema =>
  jobSchema(
    Type.Literal(kind, { description: 'What it does.' }),
    Type.Union([result, Type.Null()], { description: 'null until it is done.' }),
    title,
    `Long work of the kind ${kind}: how far it is, and what came of it.`,
  )

/** A job as the references show one. */
export const jobExample: Job = {
  id: EXAMPLE_ID,
  kind: 'calibration_solve',
  resource_ref: { stream_id: 'front' },
  state: 'done',
  progress: { percent: 100, stage: 'solving', message: '12 of 12 pictures' },
  result: { reprojection_error_px: 0.21 },
  fault: null,
  created_at_ms: 1_767_225_600_000,
  started_at_ms: 1_767_225_600_010,
  ended_at_ms: 1_767_225_604_200,
}

/** What the starter of a job says of it. */
export type NewJob = Pick<Job, 'id' | 'kind' | 'resource_ref' | 'created_at_ms'>

/** A job that was just accepted. */
export const newJob = ({ id, kind, resource_ref, created_at_ms }: NewJob): Job => ({
  id,
  kind,
  resource_ref,
  state: 'queued',
  progress: progressOf({}),
  result: null,
  fault: null,
  created_at_ms,
  started_at_ms: null,
  ended_at_ms: null,
})

/** How a job ends. */
export type Ending = Pick<Job, 'result' | 'fault'> & {
  readonly state: Exclude<JobState, 'queued' | 'running' | 'waiting-user'>
  readonly progress?: Progress
}

const ended = (state: Ending['state'], fault: Fault | null = null): Ending => ({
  state,
  result: null,
  fault: fault && { code: fault.code, detail: fault.detail.slice(0, MAX_DETAIL_LENGTH) },
})

const MAX_DETAIL_LENGTH = 2_000 // as in the error history

export const failed = (fault: Fault): Ending => ended('failed', fault)

export const cancelled: Ending = ended('cancelled')

/** Of a job that was accepted and whose end nobody has seen. */
export const interrupted: Ending = ended('interrupted', {
  code: 'job.interrupted',
  detail: 'the service stopped, or the device lost its power, before this job was done; start it again',
})

/** Fifty results of this length are a twentieth of what the store may hold. What is longer belongs into a file. */
export const MAX_RESULT_CHARACTERS = 64 * 1024

/** How a job ends whose work succeeded. Throws for what is no JSON. */
export const endingWith = (result: unknown): Ending => {
  const text = JSON.stringify(result ?? null)
  if (text.length <= MAX_RESULT_CHARACTERS) return { ...ended('done'), result: JSON.parse(text) }
  return failed({
    code: 'job.result_too_long',
    detail: oneLine`
      the result has ${text.length} characters, and ${MAX_RESULT_CHARACTERS} are kept of a job; please report this
    `,
  })
}

export const jobNotFound = (id: string): Fault => ({
  code: 'job.not_found',
  detail: `there is no job ${quote(id)}, or it was forgotten; GET /v1/jobs lists them`,
})
