// PhotonVision's calibrations. Those that it made of charuco boards with OpenCV 4.5.4 to 4.12 have the centre half a
// pixel too far right and down, and do not say so.
import { type Fields, isFields, type LensDraft, type LensReader } from './lens-draft.ts'
import { coefficientsOf, fiveOrEight, matrixOf, type Written, type WrittenLens } from './written-lens.ts'

export const isPhotonvision = (file: Fields): boolean => Object.hasOwn(file, 'cameraIntrinsics')

export const readPhotonvision = (file: Fields, reader: LensReader): LensDraft => {
  const { lensmodel = 'LENSMODEL_OPENCV', resolution } = file
  if (lensmodel !== 'LENSMODEL_OPENCV')
    reader.refuse('/lensmodel', 'must be LENSMODEL_OPENCV: lenses of splines and stereographic ones are not read')
  const size = isFields(resolution) ? resolution : {}
  const { list, pointer } = reader.flat(file.distCoeffs, '/distCoeffs')
  return {
    format: 'photonvision',
    size: reader.size(size.width, size.height, ['/resolution/width', '/resolution/height']),
    pinhole: reader.pinholeOfMatrix(file.cameraIntrinsics, '/cameraIntrinsics'),
    model: 'brown',
    distortion: reader.numbers(list, pointer),
    rms_px: rmsOf(file.observations),
    name: null,
    places: { size: '/resolution', matrix: '/cameraIntrinsics/data', distortion: pointer },
  }
}

const MAX_OBSERVATIONS = 1000

/** Of the corners that were used; null: the file does not say how they fit. */
const rmsOf = (observations: unknown): number | null => {
  let squares = 0
  let count = 0
  for (const each of Array.isArray(observations) ? observations.slice(0, MAX_OBSERVATIONS) : []) {
    if (!isFields(each) || !Array.isArray(each.reprojectionErrors)) continue
    const used = Array.isArray(each.cornersUsed) ? each.cornersUsed : []
    for (const [n, error] of each.reprojectionErrors.entries()) {
      if (used[n] === false || !isFields(error)) continue
      const square = Number(error.x) ** 2 + Number(error.y) ** 2
      if (!Number.isFinite(square)) continue
      squares += square
      count++
    }
  }
  return count > 0 ? Math.sqrt(squares / count) : null
}

/** Its numbers are of the type that OpenCV calls 6: double. */
const DOUBLE = 6

export const writePhotonvision = ({ intrinsics }: WrittenLens): Written => {
  const data = coefficientsOf(intrinsics, fiveOrEight(intrinsics), 'photonvision')
  if (typeof data === 'string') return { detail: data }
  return {
    text: JSON.stringify({
      resolution: { width: intrinsics.width_px, height: intrinsics.height_px },
      cameraIntrinsics: { rows: 3, cols: 3, type: DOUBLE, data: matrixOf(intrinsics) },
      distCoeffs: { rows: 1, cols: data.length, type: DOUBLE, data },
      calobjectWarp: [],
      observations: [],
      calobjectSize: { width: 0, height: 0 },
      calobjectSpacing: 0,
      lensmodel: 'LENSMODEL_OPENCV',
    }),
  }
}
