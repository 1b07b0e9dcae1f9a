// What is kept of a calibration that came as a file.
import { schemaErrors } from '../../schema/errors.ts'
import { Calibration, MAX_CALIBRATION_NAME_LENGTH } from '../calibration.ts'
import { CALIBRATION_FORMATS } from './lens-draft.ts'
import type { ReadCalibration } from './read-calibration.ts'
import { specOf } from './vedette.ts'

/** What is known of it beside the file. */
export interface ImportedFor {
  /** What people shall call it; undefined: as the file says. */
  readonly name: string | undefined
  readonly now_ms: number
  /** The stream that it is for; null: none was named. */
  readonly stream_id: string | null
  readonly camera_uid: string | null
  readonly camera_name: string | null
  readonly pixel_format: string | null
  /** Of the pictures that the stream has; null: nobody knows. */
  readonly picture: { readonly width_px: number; readonly height_px: number } | null
}

/**
 * The calibration as it is kept. Nobody knows how good it is, but for one of ours, which says all that a verdict needs.
 */
export const importedCalibration = (read: ReadCalibration, to: ImportedFor): Calibration => {
  const { intrinsics, format } = read
  const { width_px, height_px } = intrinsics
  const ours = ownOf(read)
  const said = to.name ?? ours?.name ?? `${read.name ?? to.camera_name ?? 'Imported'} (${CALIBRATION_FORMATS[format]})`
  return {
    name: [...said].slice(0, MAX_CALIBRATION_NAME_LENGTH).join(''),
    origin: 'imported',
    made_at_ms: ours?.made_at_ms ?? to.now_ms,
    stream_id: to.stream_id,
    camera_uid: to.camera_uid,
    camera_name: to.camera_name ?? ours?.camera_name ?? null,
    width_px,
    height_px,
    pixel_format: to.pixel_format,
    lens_controls: ours?.lens_controls ?? [],
    intrinsics,
    deviations: ours?.deviations ?? null,
    covariance: ours?.covariance ?? null,
    rms_px: read.rms_px,
    board: ours?.board ?? null,
    bend_mm: ours?.bend_mm ?? null,
    stretch: ours?.stretch ?? null,
    map: ours?.map ?? null,
    verdict: ours?.verdict ?? 'unknown',
    reasons: [
      ...(ours?.reasons ?? []),
      ...read.notes.map((note) => ({ ...note, allows: 'good' as const })),
      ...otherSize(read, to),
    ].slice(0, MAX_REASONS),
    // the pictures stayed where they were taken
    pictures: (ours?.pictures ?? []).map((picture) => ({ ...picture, media_id: null })),
    leave_out: ours?.leave_out ?? [],
    source: { format },
  }
}

const MAX_REASONS = 40

/** undefined: it is none of ours, or not all of it is there. */
const ownOf = ({ format, fields }: ReadCalibration): Calibration | undefined => {
  if (format !== 'vedette') return undefined
  const spec = specOf(fields)
  return schemaErrors(Calibration, spec).length === 0 ? (spec as unknown as Calibration) : undefined
}

const otherSize = (
  { intrinsics: { width_px, height_px } }: ReadCalibration,
  { picture }: ImportedFor,
): Calibration['reasons'] => {
  if (!picture || (picture.width_px === width_px && picture.height_px === height_px)) return []
  const [here, there] = [`${picture.width_px}x${picture.height_px}`, `${width_px}x${height_px}`]
  return [
    {
      code: 'other_size',
      allows: 'good',
      values: { width_px, height_px, stream_width_px: picture.width_px, stream_height_px: picture.height_px },
      detail: `It is of pictures of ${there}, and the stream has ${here}: it can be put in force when the mode fits.`,
    },
  ]
}
