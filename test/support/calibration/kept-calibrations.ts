// Calibrations as a device has them that was used for a while: a good one, a poor one with its reasons, and one that
// came as a file.
import { type Calibration, calibrationExample } from '../../../machines/calibration/calibration.ts'
import { calibrationCollection } from '../../../machines/calibration/collection.ts'
import { FakeDocuments } from '../../../native/documents/fake.ts'

const COLUMNS = 12
const ROWS = 8

/** Least in the middle, most in the corners. */
const errorsOf = (middlePx: number, cornerPx: number) =>
  Array.from({ length: COLUMNS * ROWS }, (_, at) => {
    const [x, y] = [(2 * (at % COLUMNS)) / (COLUMNS - 1) - 1, (2 * Math.floor(at / COLUMNS)) / (ROWS - 1) - 1]
    return Number((middlePx + ((cornerPx - middlePx) * (x * x + y * y)) / 2).toFixed(3))
  })

const mapOf = (middlePx: number, cornerPx: number) => {
  const error_px = errorsOf(middlePx, cornerPx)
  const mean_px = error_px.reduce((sum, each) => sum + each, 0) / error_px.length
  return { columns: COLUMNS, rows: ROWS, error_px, mean_px: Number(mean_px.toFixed(3)), max_px: cornerPx }
}

const pictureOf = (at: number, tilt: number): Calibration['pictures'][number] => ({
  media_id: null,
  name: `board-${String(at + 1).padStart(2, '0')}.jpg`,
  is_used: at !== 4,
  rms_px: at === 4 ? 3.1 : 0.2 + 0.01 * at,
  worst_px: at === 4 ? 9.4 : 0.6 + 0.02 * at,
  adds: at === 4 ? 0 : 0.02 * (at % 5),
  tilt_x_deg: tilt * Math.sin(at),
  tilt_y_deg: tilt * Math.cos(at),
  width_share: 0.4 + 0.02 * at,
  height_share: 0.5 + 0.02 * at,
  detail: at === 4 ? 'its corners do not fit those of the others: blurred, or read wrongly' : null,
})

const picturesOf = (count: number, tilt: number) => Array.from({ length: count }, (_, at) => pictureOf(at, tilt))

/** In force on the stream `front` where that has its lens. */
export const goodCalibration: Calibration = {
  ...calibrationExample,
  map: mapOf(0.3, 1.6),
  pictures: picturesOf(12, 32),
  reasons: [
    {
      code: 'bent',
      allows: 'good',
      values: { bend_mm: 0.8 },
      detail: 'the board is bent by 0.8 mm, which is reckoned with: glue it to glass or metal before the next time',
    },
  ],
  bend_mm: [0.82, -0.02],
}

/** Of the same camera, older. */
export const poorCalibration: Calibration = {
  ...calibrationExample,
  name: 'At the workshop',
  made_at_ms: calibrationExample.made_at_ms - 40 * 86_400_000,
  intrinsics: { ...calibrationExample.intrinsics, fx_px: 931.4, fy_px: 929.9 },
  verdict: 'poor',
  map: mapOf(2.2, 9.5),
  pictures: picturesOf(15, 8),
  leave_out: [7],
  reasons: [
    {
      code: 'frontal',
      allows: 'poor',
      values: { pictures: 15, frontal_pictures: 13 },
      detail: 'the board was nearly frontal in 13 of 15 pictures: tilt it by 30 degrees, each time another way',
    },
    {
      code: 'small',
      allows: 'usable',
      values: { size_share: 0.3 },
      detail: 'the board took 30 % of the picture: hold it nearer, until it fills two thirds',
    },
  ],
}

/** Of no camera of this device. */
export const importedCalibration: Calibration = {
  ...calibrationExample,
  name: 'Back, of last year',
  origin: 'imported',
  stream_id: null,
  camera_uid: null,
  camera_name: null,
  pixel_format: null,
  intrinsics: { ...calibrationExample.intrinsics, fx_px: 872 },
  deviations: null,
  rms_px: null,
  board: null,
  bend_mm: null,
  stretch: null,
  map: null,
  verdict: 'unknown',
  pictures: [],
  source: { format: 'photonvision', name: 'back-1280x720.json' },
}

/** What a device has stored that keeps all three. */
export const documentsWithCalibrations = (): FakeDocuments => {
  const documents = new FakeDocuments()
  documents.documents = Object.entries({
    'cal-poorpoor': poorCalibration,
    'cal-goodgood': goodCalibration,
    'cal-import23': importedCalibration,
  }).map(([id, value], at) => ({
    collection: calibrationCollection.name,
    id,
    value,
    place: BigInt(at + 1),
    revision: 1,
  }))
  return documents
}
