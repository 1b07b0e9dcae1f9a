// Kalibr's camchain: one or several cameras, each with its lens.
import { listAllowed } from '../../schema/sentence-parts.ts'
import { type Fields, isFields, type LensDraft, type LensReader } from './lens-draft.ts'
import { coefficientsOf, type Written, type WrittenLens } from './written-lens.ts'

const CAMERA = /^cam\d{1,3}$/

/** How many coefficients each of its models has. */
const MODELS: Readonly<Record<string, Pick<LensDraft, 'model'> & { readonly counts: readonly number[] }>> = {
  radtan: { model: 'brown', counts: [4] },
  equidistant: { model: 'fisheye', counts: [4] },
  fov: { model: 'fov', counts: [1] },
  none: { model: 'brown', counts: [0] },
}

export const isKalibr = (file: Fields): boolean => camerasOf(file).length > 0

const camerasOf = (file: Fields): readonly string[] => Object.keys(file).filter((key) => CAMERA.test(key))

/** wanted: which of its cameras; undefined: the only one. */
export const readKalibr = (file: Fields, reader: LensReader, wanted: number | undefined): LensDraft | undefined => {
  const names = camerasOf(file)
  const name = wanted === undefined ? (names[0] ?? '') : `cam${wanted}`
  const camera = names.includes(name) ? file[name] : undefined
  if (wanted === undefined && names.length > 1)
    reader.refuse('', `has ${names.length} cameras; say which in the query, as camera=${name.slice(3)}`)
  else if (!isFields(camera)) reader.refuse(`/${name}`, `is no camera of the file; it has ${listAllowed(names)}`)
  return isFields(camera) && reader.flaws.length === 0 ? readCamera(camera, reader, name) : undefined
}

const readCamera = (camera: Fields, reader: LensReader, name: string): LensDraft => {
  const { camera_model, distortion_model = 'none', distortion_coeffs, intrinsics, resolution, rostopic } = camera
  const at = `/${name}`
  if (camera_model !== 'pinhole')
    reader.refuse(`${at}/camera_model`, 'must be pinhole; omni, eucm and ds are not read: calibrate it as pinhole')
  const known =
    typeof distortion_model === 'string' && Object.hasOwn(MODELS, distortion_model)
      ? MODELS[distortion_model]
      : undefined
  if (!known) reader.refuse(`${at}/distortion_model`, `must be ${listAllowed(Object.keys(MODELS))}`)
  const [fx = Number.NaN, fy = Number.NaN, cx = Number.NaN, cy = Number.NaN] = reader.numbers(
    intrinsics,
    `${at}/intrinsics`,
    [4],
  )
  const [width, height] = resolution === undefined ? [] : reader.numbers(resolution, `${at}/resolution`, [2])
  return {
    format: 'kalibr',
    size: reader.size(width, height, [`${at}/resolution/0`, `${at}/resolution/1`]),
    pinhole: [fx, fy, cx, cy],
    model: known?.model ?? 'brown',
    distortion: reader.numbers(distortion_coeffs ?? [], `${at}/distortion_coeffs`, known?.counts),
    rms_px: null,
    name: reader.name(rostopic),
    places: { size: `${at}/resolution`, matrix: `${at}/intrinsics`, distortion: `${at}/distortion_coeffs` },
  }
}

export const writeKalibr = ({ intrinsics }: WrittenLens): Written => {
  const data = coefficientsOf(intrinsics, 4, 'kalibr')
  if (typeof data === 'string') return { detail: data }
  const { width_px, height_px, fx_px, fy_px, cx_px, cy_px } = intrinsics
  const text = [
    'cam0:',
    '  camera_model: pinhole',
    `  intrinsics: [${[fx_px, fy_px, cx_px, cy_px].join(', ')}]`,
    '  distortion_model: radtan',
    `  distortion_coeffs: [${data.join(', ')}]`,
    `  resolution: [${width_px}, ${height_px}]`,
    '  rostopic: /cam0/image_raw',
  ]
  return { text: `${text.join('\n')}\n` }
}
