// The files of OpenCV's FileStorage, as its own calibration writes them, in its three syntaxes; and Northstar's, which
// is one of them with another name for the size, height first.
import type { FileTree } from './file-text.ts'
import { type CalibrationFormat, type Fields, isFields, type LensDraft, type LensReader } from './lens-draft.ts'
import { coefficientsOf, fiveOrEight, matrixOf, type Written, type WrittenLens } from './written-lens.ts'

/** Names of old and new versions, and of people's own programs. */
const NAMES = {
  matrix: ['camera_matrix', 'Camera_Matrix', 'cameraMatrix'],
  distortion: ['distortion_coefficients', 'Distortion_Coefficients', 'dist_coeffs', 'distCoeffs'],
  width: ['image_width', 'image_Width'],
  height: ['image_height', 'image_Height'],
  rms: ['avg_reprojection_error', 'Avg_Reprojection_Error'],
} as const

const nameIn = (file: Fields, part: keyof typeof NAMES): string =>
  NAMES[part].find((name) => Object.hasOwn(file, name)) ?? NAMES[part][0]

/** Whether the matrix is one of OpenCV's, with rows and columns. */
export const isFileStorage = (file: Fields): boolean => {
  const matrix = file[nameIn(file, 'matrix')]
  return isFields(matrix) && Object.hasOwn(matrix, 'data')
}

export const isNorthstar = (file: Fields): boolean =>
  Object.hasOwn(file, 'camera_resolution') && Object.hasOwn(file, nameIn(file, 'matrix'))

const FORMATS: Readonly<Record<FileTree['syntax'], CalibrationFormat>> = {
  json: 'opencv_json',
  yaml: 'opencv_yaml',
  xml: 'opencv_xml',
}

export const readFileStorage = (file: Fields, reader: LensReader, syntax: FileTree['syntax']): LensDraft => {
  const [width, height] = [nameIn(file, 'width'), nameIn(file, 'height')]
  return {
    ...readLens(file, reader),
    format: FORMATS[syntax],
    size: reader.size(file[width], file[height], [`/${width}`, `/${height}`]),
    places: { ...placesIn(file), size: `/${width}` },
  }
}

export const readNorthstar = (file: Fields, reader: LensReader): LensDraft => {
  const { list, pointer } = reader.flat(file.camera_resolution, '/camera_resolution')
  const [height, width] = reader.numbers(list, pointer, [2, 3])
  return {
    ...readLens(file, reader),
    format: 'northstar',
    size: reader.size(width, height, [`${pointer}/1`, `${pointer}/0`]),
    places: { ...placesIn(file), size: pointer },
  }
}

const placesIn = (file: Fields) => ({
  matrix: `/${nameIn(file, 'matrix')}/data`,
  distortion: `/${nameIn(file, 'distortion')}/data`,
})

const readLens = (file: Fields, reader: LensReader): Omit<LensDraft, 'format' | 'size' | 'places'> => {
  const distortion = nameIn(file, 'distortion')
  const matrix = nameIn(file, 'matrix')
  const { list, pointer } = reader.flat(file[distortion], `/${distortion}`)
  const isFisheye = file.fisheye_model === 1 || file.fisheye_model === true
  return {
    pinhole: reader.pinholeOfMatrix(file[matrix], `/${matrix}`),
    model: isFisheye ? 'fisheye' : 'brown',
    distortion: reader.numbers(list, pointer, isFisheye ? [4] : []),
    rms_px: reader.figure(file[nameIn(file, 'rms')]),
    name: reader.name(file.camera_name),
  }
}

/** As OpenCV writes them: with a point, whatever they are. */
const number = (value: number): string =>
  Number.isInteger(value) && !`${value}`.includes('e') ? `${value}.` : `${value}`

const yamlMatrix = (name: string, rows: number, data: readonly number[]): string =>
  [
    `${name}: !!opencv-matrix`,
    `   rows: ${rows}`,
    `   cols: ${data.length / rows}`,
    '   dt: d',
    `   data: [ ${data.map(number).join(', ')} ]`,
  ].join('\n')

const xmlMatrix = (name: string, rows: number, data: readonly number[]): string =>
  [
    `<${name} type_id="opencv-matrix">`,
    `  <rows>${rows}</rows>`,
    `  <cols>${data.length / rows}</cols>`,
    '  <dt>d</dt>',
    `  <data>${data.map(number).join(' ')}</data></${name}>`,
  ].join('\n')

/** In one of its three syntaxes. */
export const writeFileStorage =
  (format: 'opencv_yaml' | 'opencv_json' | 'opencv_xml') =>
  ({ intrinsics, rms_px }: WrittenLens): Written => {
    const data = coefficientsOf(intrinsics, fiveOrEight(intrinsics), format)
    if (typeof data === 'string') return { detail: data }
    const { width_px, height_px } = intrinsics
    const matrix = matrixOf(intrinsics)
    switch (format) {
      case 'opencv_json':
        return {
          text: `${JSON.stringify(
            {
              image_width: width_px,
              image_height: height_px,
              camera_matrix: { type_id: 'opencv-matrix', rows: 3, cols: 3, dt: 'd', data: matrix },
              distortion_coefficients: { type_id: 'opencv-matrix', rows: 1, cols: data.length, dt: 'd', data },
              ...(rms_px !== null && { avg_reprojection_error: rms_px }),
            },
            undefined,
            4,
          )}\n`,
        }
      case 'opencv_xml':
        return lines(
          '<?xml version="1.0"?>',
          '<opencv_storage>',
          `<image_width>${width_px}</image_width>`,
          `<image_height>${height_px}</image_height>`,
          xmlMatrix('camera_matrix', 3, matrix),
          xmlMatrix('distortion_coefficients', 1, data),
          ...(rms_px === null ? [] : [`<avg_reprojection_error>${number(rms_px)}</avg_reprojection_error>`]),
          '</opencv_storage>',
        )
      default:
        return lines(
          '%YAML:1.0',
          '---',
          `image_width: ${width_px}`,
          `image_height: ${height_px}`,
          yamlMatrix('camera_matrix', 3, matrix),
          yamlMatrix('distortion_coefficients', 1, data),
          ...(rms_px === null ? [] : [`avg_reprojection_error: ${number(rms_px)}`]),
        )
    }
  }

/** Its reader takes the size as height and width. */
export const writeNorthstar = ({ intrinsics }: WrittenLens): Written => {
  const data = coefficientsOf(intrinsics, 5, 'northstar')
  if (typeof data === 'string') return { detail: data }
  return lines(
    '%YAML:1.0',
    '---',
    yamlMatrix('camera_resolution', 2, [intrinsics.height_px, intrinsics.width_px]),
    yamlMatrix('camera_matrix', 3, matrixOf(intrinsics)),
    yamlMatrix('distortion_coefficients', 1, data),
  )
}

const lines = (...all: readonly string[]): Written => ({ text: `${all.join('\n')}\n` })
