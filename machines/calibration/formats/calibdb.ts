// CalibDB's calibrations: matrices as rows or with `data`, five coefficients.
import type { Fields, LensDraft, LensReader } from './lens-draft.ts'
import { coefficientsOf, matrixOf, type Written, type WrittenLens } from './written-lens.ts'

export const isCalibdb = (file: Fields): boolean =>
  Object.hasOwn(file, 'camera') && Object.hasOwn(file, 'camera_matrix')

export const readCalibdb = (file: Fields, reader: LensReader): LensDraft => {
  const { list, pointer } = reader.flat(file.distortion_coefficients, '/distortion_coefficients')
  const [width, height] = file.img_size === undefined ? [] : reader.numbers(file.img_size, '/img_size', [2])
  return {
    format: 'calibdb',
    size: reader.size(width, height, ['/img_size/0', '/img_size/1']),
    pinhole: reader.pinholeOfMatrix(file.camera_matrix, '/camera_matrix'),
    model: 'brown',
    distortion: reader.numbers(list, pointer),
    rms_px: reader.figure(file.avg_reprojection_error),
    name: reader.name(file.camera),
    places: { size: '/img_size', matrix: '/camera_matrix', distortion: pointer },
  }
}

export const writeCalibdb = ({ intrinsics, rms_px, name }: WrittenLens): Written => {
  const data = coefficientsOf(intrinsics, 5, 'calibdb')
  if (typeof data === 'string') return { detail: data }
  const matrix = matrixOf(intrinsics)
  return {
    text: JSON.stringify({
      camera: name,
      img_size: [intrinsics.width_px, intrinsics.height_px],
      camera_matrix: [matrix.slice(0, 3), matrix.slice(3, 6), matrix.slice(6)],
      distortion_coefficients: data,
      ...(rms_px !== null && { avg_reprojection_error: rms_px }),
    }),
  }
}
