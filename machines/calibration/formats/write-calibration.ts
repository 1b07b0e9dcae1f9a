// Calibrations in the formats of others, for their programs.
import { slug } from '../../schema/slug.ts'
import { writeCalibdb } from './calibdb.ts'
import { writeFileStorage, writeNorthstar } from './file-storage.ts'
import { writeKalibr } from './kalibr.ts'
import type { CalibrationFormat } from './lens-draft.ts'
import { writeLimelight } from './limelight.ts'
import { writePhotonvision } from './photonvision.ts'
import { writeRos } from './ros.ts'
import { writeWpical } from './wpical.ts'
import type { Written, WrittenLens } from './written-lens.ts'

/** A file for others. */
export interface CalibrationFile {
  readonly name: string
  readonly mediaType: string
  readonly text: string
}

const WRITERS: Readonly<Record<Exclude<CalibrationFormat, 'vedette'>, (lens: WrittenLens) => Written>> = {
  photonvision: writePhotonvision,
  opencv_yaml: writeFileStorage('opencv_yaml'),
  opencv_json: writeFileStorage('opencv_json'),
  opencv_xml: writeFileStorage('opencv_xml'),
  ros: writeRos,
  kalibr: writeKalibr,
  wpical: writeWpical,
  northstar: writeNorthstar,
  limelight: writeLimelight,
  calibdb: writeCalibdb,
}

const ENDINGS: Readonly<Partial<Record<CalibrationFormat, 'yaml' | 'xml'>>> = {
  opencv_yaml: 'yaml',
  opencv_xml: 'xml',
  ros: 'yaml',
  kalibr: 'yaml',
  northstar: 'yaml',
}

const MEDIA_TYPES = { json: 'application/json', yaml: 'application/yaml', xml: 'application/xml' } as const
const MAX_NAME_LENGTH = 60

/** A file in a format, or in a sentence why the format has no room for the lens. document: of ours. */
export const writeCalibration = (
  lens: WrittenLens,
  format: CalibrationFormat,
  document: object,
): CalibrationFile | { readonly detail: string } => {
  const written = format === 'vedette' ? { text: JSON.stringify(document) } : WRITERS[format](lens)
  if ('detail' in written) return written
  const ending = ENDINGS[format] ?? 'json'
  const { width_px, height_px } = lens.intrinsics
  const name = slug(lens.name, MAX_NAME_LENGTH) || 'calibration'
  return {
    name: `${name}-${width_px}x${height_px}-${format.replace(/_.*/, '')}.${ending}`,
    mediaType: MEDIA_TYPES[ending],
    text: written.text,
  }
}
