// The vendor's calibrations: five coefficients, never more.
import type { Fields, LensDraft, LensReader } from './lens-draft.ts'
import { coefficientsOf, matrixOf, type Written, type WrittenLens } from './written-lens.ts'

export const isLimelight = (file: Fields): boolean => Object.hasOwn(file, 'INTRINSICS_MATRIX')

export const readLimelight = (file: Fields, reader: LensReader): LensDraft => ({
  format: 'limelight',
  size: reader.size(file.RES_X, file.RES_Y, ['/RES_X', '/RES_Y']),
  pinhole: reader.pinholeOfMatrix(file.INTRINSICS_MATRIX, '/INTRINSICS_MATRIX'),
  model: 'brown',
  distortion: reader.numbers(file.DISTORTION_COEFFICIENTS, '/DISTORTION_COEFFICIENTS'),
  rms_px: reader.figure(file.REPROJECTION_ERROR),
  name: reader.name(file.DISPLAY_NAME),
  places: { size: '/RES_X', matrix: '/INTRINSICS_MATRIX', distortion: '/DISTORTION_COEFFICIENTS' },
})

export const writeLimelight = ({ intrinsics, rms_px, name }: WrittenLens): Written => {
  const data = coefficientsOf(intrinsics, 5, 'limelight')
  if (typeof data === 'string') return { detail: data }
  return {
    text: JSON.stringify({
      DISPLAY_NAME: name,
      ...(rms_px !== null && { REPROJECTION_ERROR: rms_px }),
      RES_X: intrinsics.width_px,
      RES_Y: intrinsics.height_px,
      INTRINSICS_MATRIX: matrixOf(intrinsics),
      DISTORTION_COEFFICIENTS: data,
    }),
  }
}
