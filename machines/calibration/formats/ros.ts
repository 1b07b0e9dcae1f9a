// ROS's camera_info, as its calibration writes it to a file.
import type { Fields, LensDraft, LensReader } from './lens-draft.ts'
import { coefficientsOf, fiveOrEight, matrixOf, type Written, type WrittenLens } from './written-lens.ts'

/** How many coefficients each of its models has. */
const MODELS: Readonly<Record<string, Pick<LensDraft, 'model'> & { readonly counts: readonly number[] }>> = {
  plumb_bob: { model: 'brown', counts: [0, 4, 5] },
  rational_polynomial: { model: 'brown', counts: [8, 12, 14] },
  equidistant: { model: 'fisheye', counts: [4] },
  fisheye: { model: 'fisheye', counts: [4] },
}

export const isRos = (file: Fields): boolean =>
  Object.hasOwn(file, 'distortion_model') && Object.hasOwn(file, 'camera_matrix')

export const readRos = (file: Fields, reader: LensReader): LensDraft => {
  const { distortion_model: said } = file
  const known = typeof said === 'string' && Object.hasOwn(MODELS, said) ? MODELS[said] : undefined
  if (!known) reader.refuse('/distortion_model', `must be ${Object.keys(MODELS).join(', ')}; no other is read`)
  const { list, pointer } = reader.flat(file.distortion_coefficients, '/distortion_coefficients')
  return {
    format: 'ros',
    size: reader.size(file.image_width, file.image_height, ['/image_width', '/image_height']),
    pinhole: reader.pinholeOfMatrix(file.camera_matrix, '/camera_matrix'),
    model: known?.model ?? 'brown',
    distortion: reader.numbers(list, pointer, known?.counts),
    rms_px: null,
    name: reader.name(file.camera_name),
    places: { size: '/image_width', matrix: '/camera_matrix/data', distortion: pointer },
  }
}

const matrix = (name: string, rows: number, data: readonly number[]): readonly string[] => [
  `${name}:`,
  `  rows: ${rows}`,
  `  cols: ${data.length / rows}`,
  `  data: [${data.join(', ')}]`,
]

export const writeRos = ({ intrinsics, name }: WrittenLens): Written => {
  const data = coefficientsOf(intrinsics, fiveOrEight(intrinsics), 'ros')
  if (typeof data === 'string') return { detail: data }
  const { width_px, height_px, fx_px, fy_px, cx_px, cy_px } = intrinsics
  const text = [
    `image_width: ${width_px}`,
    `image_height: ${height_px}`,
    `camera_name: ${JSON.stringify(name)}`,
    ...matrix('camera_matrix', 3, matrixOf(intrinsics)),
    `distortion_model: ${data.length === 8 ? 'rational_polynomial' : 'plumb_bob'}`,
    ...matrix('distortion_coefficients', 1, data),
    ...matrix('rectification_matrix', 3, [1, 0, 0, 0, 1, 0, 0, 0, 1]),
    ...matrix('projection_matrix', 3, [fx_px, 0, cx_px, 0, 0, fy_px, cy_px, 0, 0, 0, 1, 0]),
  ]
  return { text: `${text.join('\n')}\n` }
}
