// WPIcal's calibrations: nine numbers and eight, and no size of the pictures.
import type { Fields, LensDraft, LensReader } from './lens-draft.ts'
import { coefficientsOf, matrixOf, type Written, type WrittenLens } from './written-lens.ts'

export const isWpical = (file: Fields): boolean =>
  Array.isArray(file.camera_matrix) && Array.isArray(file.distortion_coefficients)

export const readWpical = (file: Fields, reader: LensReader): LensDraft => ({
  format: 'wpical',
  size: null,
  pinhole: reader.pinholeOfMatrix(file.camera_matrix, '/camera_matrix'),
  model: 'brown',
  distortion: reader.numbers(file.distortion_coefficients, '/distortion_coefficients'),
  rms_px: reader.figure(file.avg_reprojection_error),
  name: null,
  places: { size: '', matrix: '/camera_matrix', distortion: '/distortion_coefficients' },
})

export const writeWpical = ({ intrinsics, rms_px }: WrittenLens): Written => {
  const data = coefficientsOf(intrinsics, 8, 'wpical')
  if (typeof data === 'string') return { detail: data }
  if (rms_px === null)
    return { detail: 'WPIcal reads no file without the reprojection error, and nobody knows that of this calibration' }
  return {
    text: JSON.stringify({
      camera_matrix: matrixOf(intrinsics),
      distortion_coefficients: data,
      avg_reprojection_error: rms_px,
    }),
  }
}
