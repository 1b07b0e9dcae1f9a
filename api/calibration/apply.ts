// The rows that keep a calibration and put one in force on a stream.
import { randomBytes } from 'node:crypto'
import type { StreamRuntime } from '../../actors/stream/stream-runtime.ts'
import { refusalToApply, refusalToKeep, type StreamToCalibrate } from '../../machines/calibration/applying.ts'
import {
  type Calibration,
  CalibrationId,
  CalibrationName,
  calibrationExample,
  GivenCalibration,
  type SolvedCalibration,
  type SolveResult,
} from '../../machines/calibration/calibration.ts'
import { calibrationCollection, calibrationIdFrom, keepOrders } from '../../machines/calibration/collection.ts'
import { calibrationChanged } from '../../machines/calibration/events.ts'
import { SOLVE_KIND } from '../../machines/calibration/solve-request.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { JobId, jobNotFound } from '../../machines/jobs/job.ts'
import { about } from '../../machines/schema/about.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import { type Expected, type PartOrder, severalOrder, staleFault } from '../../machines/settings/commit.ts'
import { documentOf, documentsOf } from '../../machines/settings/store.ts'
import { streamCollection } from '../../machines/stream/collection.ts'
import { streamChanged } from '../../machines/stream/events.ts'
import { CanonicalManifest } from '../../machines/stream/manifest.ts'
import { shownManifest } from '../../machines/stream/shown-manifest.ts'
import { ownCameraOf, sizeOfSource } from '../../machines/stream/sources/traits.ts'
import type { Command } from '../../machines/supervision/actors.ts'
import type { Given } from '../../machines/token.ts'
import { command } from '../endpoints/command.ts'
import { jobNeeds } from '../jobs/answer.ts'
import { fault } from '../problems/problem.ts'
import { changeNeeds, manifestChange } from '../stream/manifest-change.ts'
import { ofStream } from '../stream/of-stream.ts'
import { specExample, streamParams } from '../stream/wire.ts'
import { lensesOf } from './kept.ts'

/** The needs of the rows. */
export const applyNeeds = { ...changeNeeds, ...jobNeeds }
type Parts = Given<typeof applyNeeds>

const strict = { additionalProperties: false } as const

const Force = Type.Optional(
  Type.Boolean({
    description: oneLine`
      Whether it is put in force though it is poor, or of another unit; a refused one never is. Default: false.
    `,
  }),
)

const SaveBody = Type.Object(
  {
    job_id: Type.Optional(about(JobId, 'The job that solved it.')),
    calibration: Type.Optional(GivenCalibration),
    name: Type.Optional(about(CalibrationName, 'Default: the camera and the day.')),
    apply: Type.Optional(Type.Boolean({ description: 'Whether it is put in force too. Default: false.' })),
    force: Force,
  },
  { ...strict, title: 'CalibrationSave', description: 'A calibration that is to be kept, by one of its two ways.' },
)

const ApplyBody = Type.Object(
  { calibration_id: CalibrationId, force: Force },
  { ...strict, title: 'CalibrationApply', description: 'Which calibration is put in force.' },
)

const CalibratedStream = Type.Object(
  {
    revision: Type.Integer({ minimum: 1, description: 'Of the stream.' }),
    calibration_id: CalibrationId,
    manifest: CanonicalManifest,
  },
  { ...strict, title: 'CalibratedStream', description: 'The manifest of a stream as it is by now.' },
)

const EXAMPLE_ID = 'cal-m4q2ptza'
const { intrinsics } = calibrationExample
const answered = {
  schema: CalibratedStream,
  example: { revision: 2, calibration_id: EXAMPLE_ID, manifest: { ...specExample, intrinsics } },
}

/** The rows. */
export const applyRows = (parts: Parts) => {
  const calibrated = (id: string, calibration_id: string) => {
    const stream = parts.streams.get(id)
    return stream && { revision: stream.stored.revision, calibration_id, manifest: shownManifest(stream.manifest) }
  }
  return [
    command('POST', '/v1/streams/:id/calibration/save', {
      params: streamParams,
      summary: 'Keep a calibration, and put it in force',
      about: oneLine`
        What a job has solved, or what was made elsewhere, is kept with the unit and the mode of this stream; \`apply\`
        puts it in force as well, in one transaction. The newest 20 of a unit and mode are kept, and those that are in
        force. A refused one is not.
      `,
      conditional: true,
      publishes: [calibrationChanged],
      to: 'settings',
      body: { schema: SaveBody, example: { calibration: calibrationExample, apply: true } },
      send: async ({ params, body, administers, expected }) => {
        const stream = ofStream(parts, params.id, (found) => found)
        if (isFault(stream)) return stream
        const given = givenBy(parts, body)
        if (isFault(given)) return given
        const stale = staleFault(`${streamCollection.name}/${params.id}`, stream.stored.revision, expected)
        const why = stale ?? refusalToKeep(given)
        if (why) return why
        const value = asKept(given as Calibration, stream, body.name)
        const id = calibrationIdFrom(randomBytes(8))
        const { settings } = parts.directory
        const keep = keepOrders(documentsOf(settings, calibrationCollection), { id, value }, lensesOf(parts))
        if (!body.apply) return severalOrder(keep)
        const { force = false } = body
        const change = await applied(parts, value, { stream, administers, expected, force })
        return isFault(change) ? change : severalOrder([...keep, change as PartOrder])
      },
      answer: {
        ...answered,
        canBeGone: true,
        of: ({ params }, { id }) => calibrated(params.id, id),
        location: ({ calibration_id }: { readonly calibration_id: string }) => `/v1/calibrations/${calibration_id}`,
      },
      faults: [
        'stream.not_found',
        'job.not_found',
        'calibration.not_done',
        'calibration.refused',
        'calibration.other_size',
        'calibration.needs_force',
        'document.exists',
        'manifest.invalid',
        'camera.in_use',
        'pipeline.refused',
      ],
    }),

    command('POST', '/v1/streams/:id/calibration/apply', {
      params: streamParams,
      summary: 'Put a calibration in force',
      about: oneLine`
        The stream has its intrinsics from the next picture on. Refused for one of another size, and for a refused one;
        one that is poor or of another unit needs \`force\`. The previous one stays among \`/v1/calibrations\`.
      `,
      conditional: true,
      publishes: [streamChanged],
      to: 'settings',
      body: { schema: ApplyBody, example: { calibration_id: EXAMPLE_ID } },
      send: ({ params, body: { calibration_id, force = false }, administers, expected }) => {
        const stream = ofStream(parts, params.id, (found) => found)
        if (isFault(stream)) return stream
        const stored = documentOf(parts.directory.settings, calibrationCollection, calibration_id)
        if (!stored) return calibrationCollection.notFound(calibration_id)
        return applied(parts, stored.value, { stream, administers, expected, force })
      },
      answer: {
        ...answered,
        canBeGone: true,
        of: ({ params, body }) => calibrated(params.id, body.calibration_id),
      },
      faults: [
        'stream.not_found',
        'calibration.not_found',
        'calibration.refused',
        'calibration.other_size',
        'calibration.needs_force',
        'manifest.invalid',
        'camera.in_use',
        'pipeline.refused',
      ],
    }),
  ]
}

interface Applied {
  readonly stream: StreamRuntime
  readonly administers: boolean
  readonly expected: Expected
  readonly force: boolean
}

const applied = async (
  parts: Parts,
  calibration: Calibration,
  { stream, administers, expected, force }: Applied,
): Promise<Command<'settings'> | Fault> => {
  const stale = staleFault(`${streamCollection.name}/${stream.id}`, stream.stored.revision, expected)
  const why = stale ?? refusalToApply(calibration, toCalibrate(stream), force)
  if (why) return why
  return manifestChange(parts, stream.id, {
    patch: { intrinsics: calibration.intrinsics },
    administers,
    expected,
  })
}

const toCalibrate = ({ id, manifest: { source }, engine }: StreamRuntime): StreamToCalibrate => {
  const opened = engine.opened.value
  const seen = opened && (opened.crop?.picture ?? opened)
  const size = sizeOfSource(source) ?? seen
  return {
    id,
    camera_uid: ownCameraOf(source)?.camera_uid ?? null,
    size: size && { width_px: size.width_px, height_px: size.height_px },
  }
}

const givenBy = (
  { jobs }: Parts,
  { job_id, calibration }: { readonly job_id?: string; readonly calibration?: object },
): SolvedCalibration | Fault => {
  if ((job_id === undefined) === (calibration === undefined))
    return fault('body.invalid', 'say what is kept by its `job_id` or as `calibration`, one of them', {
      errors: [{ pointer: '', message: 'has to have one of job_id and calibration' }],
    })
  if (calibration) return asGiven(calibration as Calibration)
  const job = jobs.get(job_id as string)
  if (!job) return jobNotFound(job_id as string)
  const found = job.kind === SOLVE_KIND ? (job.result as SolveResult | null)?.calibration : undefined
  if (found) return found
  return fault(
    'calibration.not_done',
    oneLine`
      the job ${job.id} (${job.kind}) is ${job.state} and has no calibration that could be kept; wait until a
      ${SOLVE_KIND} is done
    `,
  )
}

/** Without what it was judged by its verdict is worth nothing. */
const asGiven = (given: Calibration): Calibration => ({
  ...given,
  lens_controls: given.lens_controls ?? [],
  origin: given.origin === 'derived' ? 'derived' : 'imported',
  verdict: given.map && given.deviations ? given.verdict : 'unknown',
})

/** With the unit of its stream, whose lens it is from now on. */
const asKept = (given: Calibration, { id, manifest: { source } }: StreamRuntime, name: string | undefined) => ({
  ...given,
  stream_id: id,
  camera_uid: given.camera_uid ?? ownCameraOf(source)?.camera_uid ?? null,
  ...(name !== undefined && { name }),
})
