// Calibrations in words.
import type { CalibrationFormat } from '../../state/calibration-files.ts'
import type { Calibration } from '../../state/calibrations.ts'
import { figureOf, type Shown } from '../../words.ts'

/** What is to be thought of one. */
export const VERDICTS: Readonly<Record<Calibration['verdict'], Shown>> = {
  good: { word: 'good', tone: 'good' },
  usable: { word: 'usable', tone: 'busy' },
  poor: { word: 'poor', tone: 'bad' },
  refused: { word: 'refused', tone: 'bad' },
  unknown: { word: 'not judged', tone: 'quiet' },
}

/** What a verdict means for who drives. */
export const MEANINGS: Readonly<Record<Calibration['verdict'], string>> = {
  good: 'As good as it gets by pictures.',
  usable: 'Good enough to drive by. It can be better.',
  poor: 'Poses will be off with it. Better take other pictures, as is said below.',
  refused: 'It says nothing about the lens: it is neither kept nor put in force.',
  unknown: 'It was brought from elsewhere without its pictures, so nobody can say how good it is.',
}

/** Where one came from. */
export const describeOrigin = ({ origin, source }: Pick<Calibration, 'origin' | 'source'>): string => {
  if (origin === 'solved') return 'made here of pictures'
  if (origin === 'derived') return 'computed from that of another mode, and checked by pictures'
  return source?.format ? `imported: ${formatName(source.format)}` : 'imported'
}

/** What the formats of files are called, in the order in which they are offered. */
export const FORMATS = {
  vedette: 'Vedette’s own',
  photonvision: 'PhotonVision’s JSON',
  opencv_yaml: 'OpenCV’s FileStorage, YAML',
  opencv_json: 'OpenCV’s FileStorage, JSON',
  opencv_xml: 'OpenCV’s FileStorage, XML',
  ros: 'ROS’s camera_info, YAML',
  kalibr: 'Kalibr’s camchain, YAML',
  wpical: 'WPIcal’s JSON',
  northstar: 'Northstar’s YAML',
  limelight: 'the vendor’s JSON',
  calibdb: 'CalibDB’s JSON',
} as const satisfies Readonly<Record<CalibrationFormat, string>>

/** What a format of files is called. */
export const formatName = (format: string): string => FORMATS[format as CalibrationFormat] ?? format

/** `1280×720`. */
export const sizeIn = ({ width_px, height_px }: Pick<Calibration, 'width_px' | 'height_px'>): string =>
  `${width_px}×${height_px}`

/** `1280×720 mjpeg`: the mode of the camera. */
export const describeMode = (calibration: Pick<Calibration, 'width_px' | 'height_px' | 'pixel_format'>): string =>
  calibration.pixel_format === null ? sizeIn(calibration) : `${sizeIn(calibration)} ${calibration.pixel_format}`

/** `0.6 %` */
export const percentOf = (share: number | null | undefined, digits = 1): string =>
  share === null || share === undefined ? '–' : `${figureOf(100 * share, digits)} %`

/** When it was made, as this browser writes it. */
export const madeAt = ({ made_at_ms }: Pick<Calibration, 'made_at_ms'>): string =>
  new Date(made_at_ms).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** The address of one. */
export const addressOf = (id: string): string => `/calibration/${encodeURIComponent(id)}`

/** The address where the camera of a stream is calibrated. */
export const startAddress = (streamId: string): string => `/calibration/new?stream=${encodeURIComponent(streamId)}`

/** The address of a capture. */
export const captureAddress = (id: string): string => `/calibration/captures/${encodeURIComponent(id)}`

/** The address where a lens is computed, and what came of it. */
export const jobAddress = (id: string): string => `/calibration/jobs/${encodeURIComponent(id)}`
