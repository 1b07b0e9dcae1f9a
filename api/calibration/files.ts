// The rows by which calibrations come and go as files of other programs.
import { randomBytes } from 'node:crypto'
import type { Static, TObject } from 'typebox'
import { askNow, DISK_LIMIT } from '../../actors/ask.ts'
import { type Calibration, CalibrationName, calibrationExample } from '../../machines/calibration/calibration.ts'
import { calibrationCollection, calibrationIdFrom, keepOrders } from '../../machines/calibration/collection.ts'
import { calibrationChanged } from '../../machines/calibration/events.ts'
import { type ImportedFor, importedCalibration } from '../../machines/calibration/formats/imported-calibration.ts'
import { CALIBRATION_FORMATS, type CalibrationFormat } from '../../machines/calibration/formats/lens-draft.ts'
import { readCalibration } from '../../machines/calibration/formats/read-calibration.ts'
import { writeCalibration } from '../../machines/calibration/formats/write-calibration.ts'
import { matrixOf } from '../../machines/calibration/formats/written-lens.ts'
import { cameraCollection } from '../../machines/cameras/unit.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { about } from '../../machines/schema/about.ts'
import { enumOf } from '../../machines/schema/enum-of.ts'
import { firstError } from '../../machines/schema/errors.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { StreamId } from '../../machines/schema/stream-id.ts'
import Type from '../../machines/schema/type.ts'
import { severalOrder } from '../../machines/settings/commit.ts'
import { documentOf, documentsOf } from '../../machines/settings/store.ts'
import { Intrinsics } from '../../machines/stream/manifest.ts'
import { ownCameraOf, sizeOfSource } from '../../machines/stream/sources/traits.ts'
import type { Given } from '../../machines/token.ts'
import { CALIBRATION } from '../../native/calibration/port.ts'
import { blob } from '../endpoints/blob.ts'
import { upload } from '../endpoints/upload.ts'
import { fault } from '../problems/problem.ts'
import { ofStream } from '../stream/of-stream.ts'
import { calibrationsOf, keptExample, keptNeeds, lensesOf } from './kept.ts'

/** The needs of the rows. */
export const fileNeeds = { ...keptNeeds, calibration: CALIBRATION }
type Parts = Given<typeof fileNeeds>

const Format = enumOf(CALIBRATION_FORMATS, 'CalibrationFormat')

const { width_px, height_px } = Intrinsics.properties

const query = {
  stream_id: Type.Optional(about(StreamId, 'The stream whose lens it is. Default: none is noted.')),
  name: Type.Optional(about(CalibrationName, 'For people. Default: as the file says, with its format.')),
  width_px: Type.Optional({ ...width_px, description: 'Of the pictures, where the file does not say it.' }),
  height_px: Type.Optional({ ...height_px, description: 'Of the pictures, where the file does not say it.' }),
  camera: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 999,
      description: 'Which of the cameras of a file of Kalibr that has several: 1 for its cam1.',
      examples: [0],
    }),
  ),
  repair: Type.Optional(
    Type.Enum(['half_pixel'], {
      description: oneLine`
        half_pixel: takes half a pixel from the centre, of files that were made with charuco boards by OpenCV 4.5.4 to
        4.12.
      `,
    }),
  ),
}

const { intrinsics } = calibrationExample

const photonvisionExample = {
  resolution: { width: intrinsics.width_px, height: intrinsics.height_px },
  cameraIntrinsics: { rows: 3, cols: 3, type: 6, data: matrixOf(intrinsics) },
  distCoeffs: { rows: 1, cols: 5, type: 6, data: intrinsics.distortion },
}

const importedExample: Calibration = {
  ...calibrationExample,
  name: "HD Cam (PhotonVision's JSON)",
  origin: 'imported',
  deviations: null,
  rms_px: null,
  board: null,
  bend_mm: null,
  stretch: null,
  map: null,
  verdict: 'unknown',
  pictures: [],
  source: { format: 'photonvision' },
}

const AnyObject = Type.Record(Type.String(), Type.Unknown(), {
  title: 'CalibrationFile',
  description: 'A file of one of the formats in JSON.',
})

/** The rows. */
export const fileRows = (parts: Parts) => {
  const calibrations = calibrationsOf(parts)
  return [
    upload('POST', '/v1/calibrations/import', {
      summary: 'Take a calibration of another program',
      about: oneLine`
        The body is the file: ${Object.values(CALIBRATION_FORMATS).join('; ')}. Which it is is told from its content. At
        most 4 MiB of JSON, or 128 KiB of YAML or XML. Fisheye lenses are converted to eight coefficients. What was
        changed, or is not known, stands in \`reasons\` of the answer; what is wrong in \`errors\`, each with its place
        in the file. It is kept, and in force nowhere until it is applied. Its verdict is \`unknown\`, but for a file of
        ours.
      `,
      query,
      mediaTypes: ['application/json', 'application/yaml', 'application/xml', 'application/octet-stream'],
      described: { 'application/json': { schema: AnyObject, example: photonvisionExample } },
      upload: Buffer.from(JSON.stringify(photonvisionExample)),
      publishes: [calibrationChanged],
      answer: {
        status: 'created',
        schema: calibrations.document,
        example: { ...keptExample, revision: 1, spec: importedExample, status: { in_force_on: [], reasons: [] } },
        location: ({ id }: { readonly id: string }) => `/v1/calibrations/${id}`,
      },
      take: async (call, bytes) => {
        const body = await parts.calibration.receive(bytes)
        if (isFault(body)) return body
        const calibration = calibrationIn(body, call.query, parts)
        if (isFault(calibration)) return calibration
        const id = calibrationIdFrom(randomBytes(8))
        const kept = await keep(id, calibration, parts)
        return kept ?? calibrations.viewAt(call, id)
      },
      faults: ['calibration.invalid', 'stream.not_found', 'document.too_many', 'storage.full', 'storage.failed'],
    }),

    blob('GET', '/v1/calibrations/:id/export', {
      summary: 'A calibration as a file for another program',
      about: oneLine`
        Coefficients that the format has no room for are not left away: it is refused. \`vedette\` has all that is known
        of it.
      `,
      params: { id: calibrationCollection.id },
      query: { format: Type.Optional({ ...Format, default: 'vedette' }) },
      headers: { 'Content-Disposition': 'A name for the file.' },
      mediaType: 'application/octet-stream',
      get: ({ params: { id }, query: { format = 'vedette' }, directory }) => {
        const stored = documentOf(directory.settings, calibrationCollection, id)
        return stored ? fileOf(stored.value, format as CalibrationFormat) : calibrationCollection.notFound(id)
      },
      faults: ['calibration.not_found', 'calibration.no_room'],
    }),
  ]
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

const textOf = (body: Uint8Array): string | undefined => {
  try {
    return utf8.decode(body)
  } catch {
    return undefined
  }
}

type ImportQuery = Static<TObject<typeof query>>

const calibrationIn = (
  body: Uint8Array,
  { stream_id, name, ...hints }: ImportQuery,
  parts: Parts,
): Calibration | Fault => {
  const lens = stream_id === undefined ? NO_LENS : ofStream(parts, stream_id, (stream) => lensOf(stream, parts))
  if (isFault(lens)) return lens
  const text = textOf(body)
  const read = text === undefined ? NO_TEXT : readCalibration(text, hints)
  if (!read.ok) return fault('calibration.invalid', firstError(read.errors, 'the file'), { errors: [...read.errors] })
  return importedCalibration(read, { name, now_ms: parts.directory.clock.nowMs(), ...lens })
}

const NO_TEXT = {
  ok: false,
  errors: [{ pointer: '', message: 'is no text in UTF-8; save it as that' }],
} as const

const NO_LENS = { stream_id: null, camera_uid: null, camera_name: null, pixel_format: null, picture: null }

const lensOf = (
  { id, manifest }: NonNullable<ReturnType<Parts['streams']['get']>>,
  { directory }: Parts,
): Omit<ImportedFor, 'name' | 'now_ms'> => {
  const camera = ownCameraOf(manifest.source)
  const unit = camera && documentOf(directory.settings, cameraCollection, camera.camera_uid)
  return {
    stream_id: id,
    camera_uid: camera?.camera_uid ?? null,
    camera_name: unit?.value.name ?? null,
    pixel_format: camera?.pixel_format ?? null,
    picture: sizeOfSource(manifest.source) ?? null,
  }
}

/** Why it is not kept; undefined: it is. The oldest of its unit and mode makes room. */
const keep = async (id: string, value: Calibration, parts: Parts): Promise<Fault | undefined> => {
  const { settings } = parts.directory
  const actor = parts.directory.actor('settings')
  if (!actor) return fault('actor.unavailable', 'the settings are being restarted; try again in a second')
  const orders = keepOrders(documentsOf(settings, calibrationCollection), { id, value }, lensesOf(parts))
  const reply = await askNow(actor, severalOrder(orders), DISK_LIMIT)
  return reply.outcome === 'done' ? undefined : reply.fault
}

const fileOf = (calibration: Calibration, format: CalibrationFormat) => {
  const { intrinsics, rms_px, name } = calibration
  const file = writeCalibration({ intrinsics, rms_px, name }, format, calibration)
  if ('detail' in file) return fault('calibration.no_room', file.detail)
  return { bytes: file.text, headers: { 'content-disposition': `attachment; filename="${file.name}"` } }
}
