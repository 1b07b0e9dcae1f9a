// Reads a calibration from a file in whichever of the known formats it is. The content decides, never its name.
import { MAX_ERRORS, schemaErrors } from '../../schema/errors.ts'
import type { SchemaError } from '../../schema/explain.ts'
import { oneLine } from '../../schema/one-line.ts'
import { Intrinsics } from '../../stream/manifest.ts'
import { isCalibdb, readCalibdb } from './calibdb.ts'
import { isFileStorage, isNorthstar, readFileStorage, readNorthstar } from './file-storage.ts'
import { type FileTree, isFlaw, parseCalibrationFile } from './file-text.ts'
import { isKalibr, readKalibr } from './kalibr.ts'
import {
  CALIBRATION_FORMATS,
  type CalibrationFormat,
  type Fields,
  type LensDraft,
  type LensNote,
  LensReader,
  type PictureSize,
  SIZE_IS_MISSING,
} from './lens-draft.ts'
import { isLimelight, readLimelight } from './limelight.ts'
import { oneToOneShare } from './one-to-one.ts'
import { isPhotonvision, readPhotonvision } from './photonvision.ts'
import { fisheyeRadius, fitRadial, fovRadius, MAX_ANGLE_DEG } from './radial-fit.ts'
import { isRos, readRos } from './ros.ts'
import { isVedette, readVedette } from './vedette.ts'
import { isWpical, readWpical } from './wpical.ts'

/** What is known of a file beside its content. */
export interface CalibrationHints {
  /** For a file that does not say it, or has both sides the wrong way round. */
  readonly width_px?: number
  readonly height_px?: number
  /** Which of the cameras of a file that has several. */
  readonly camera?: number
  /** Whether half a pixel is taken from the centre. */
  readonly repair?: 'half_pixel'
}

/** A calibration that can be used, and how it was read. */
export interface ReadCalibration {
  readonly ok: true
  readonly format: CalibrationFormat
  readonly intrinsics: Intrinsics
  /** null: the file does not say it. */
  readonly rms_px: number | null
  /** What the file calls the camera; null: nothing. */
  readonly name: string | null
  readonly notes: readonly LensNote[]
  /** All that the file has. */
  readonly fields: Fields
}

/** What is wrong with the others. */
export interface UnreadableCalibration {
  readonly ok: false
  /** Each place in the file, and what is wrong there. */
  readonly errors: readonly SchemaError[]
}

/** Whatever the text is, it answers, and within a second or two. */
export const readCalibration = (
  text: string,
  hints: CalibrationHints = {},
): ReadCalibration | UnreadableCalibration => {
  const tree = parseCalibrationFile(text)
  if (isFlaw(tree)) return { ok: false, errors: [tree] }
  const reader = new LensReader()
  const draft = readDraft(tree, reader, hints)
  const lens = draft && reader.flaws.length === 0 ? lensOfDraft(draft, reader, hints) : undefined
  if (!(draft && lens) || reader.flaws.length > 0) return { ok: false, errors: reader.flaws.slice(0, MAX_ERRORS) }
  const { format, rms_px, name } = draft
  return { ok: true, format, intrinsics: lens, rms_px, name, notes: reader.notes, fields: tree.value }
}

const readDraft = (
  { syntax, value }: FileTree,
  reader: LensReader,
  { camera }: CalibrationHints,
): LensDraft | undefined => {
  if (isVedette(value)) return readVedette(value, reader)
  if (isPhotonvision(value)) return readPhotonvision(value, reader)
  if (isLimelight(value)) return readLimelight(value, reader)
  if (isKalibr(value)) return readKalibr(value, reader, camera)
  if (isNorthstar(value)) return readNorthstar(value, reader)
  if (isRos(value)) return readRos(value, reader)
  if (isCalibdb(value)) return readCalibdb(value, reader)
  if (isFileStorage(value)) return readFileStorage(value, reader, syntax)
  if (isWpical(value)) return readWpical(value, reader)
  reader.refuse(
    '',
    `is in none of the formats that are known: ${[...new Set(Object.values(CALIBRATION_FORMATS))].join('; ')}`,
  )
  return undefined
}

const lensOfDraft = (draft: LensDraft, reader: LensReader, hints: CalibrationHints): Intrinsics | undefined => {
  const size = sizeOf(draft, reader, hints)
  const [fx_px, fy_px] = draft.pinhole
  for (const [name, value] of [
    ['fx', fx_px],
    ['fy', fy_px],
  ] as const)
    if (!(value > 0)) reader.refuse(draft.places.matrix, `has ${value} for ${name}; a focal length is above 0`)
  if (!size || reader.flaws.length > 0) return undefined
  lookAtPlace(draft, size, reader)
  const distortion = reader.flaws.length === 0 && distortionOf(draft, size, reader)
  if (!distortion) return undefined
  const [cx_px, cy_px] = centreOf(draft, reader, hints)
  const lens: Intrinsics = { ...size, fx_px, fy_px, cx_px, cy_px, distortion: [...distortion] }
  for (const { pointer, message } of schemaErrors(Intrinsics, lens))
    reader.refuse(pointer.startsWith('/distortion') ? draft.places.distortion : draft.places.matrix, message)
  if (reader.flaws.length > 0) return undefined
  const share = oneToOneShare(lens)
  if (share < 1)
    reader.note(
      'folds',
      oneLine`
      Beyond ${Math.floor(100 * share)} % of the way from the centre to the corners of the picture this lens shows
      places twice: what is seen there is not used.
    `,
      { one_to_one_percent: Math.floor(100 * share) },
    )
  return lens
}

const MIN_SIDE_PX = 16
const MAX_SIDE_PX = 8192

const sizeOf = (draft: LensDraft, reader: LensReader, hints: CalibrationHints): PictureSize | undefined => {
  const { size: said, places } = draft
  const { width_px = said?.width_px, height_px = said?.height_px } = hints
  const isSwapped = said && width_px === said.height_px && height_px === said.width_px
  if (width_px === undefined || height_px === undefined) {
    reader.refuse(places.size, SIZE_IS_MISSING)
    return undefined
  }
  for (const side of [width_px, height_px])
    if (!(Number.isInteger(side) && side >= MIN_SIDE_PX && side <= MAX_SIDE_PX)) {
      reader.refuse(places.size, `is ${side}; the sides of a picture have ${MIN_SIDE_PX} to ${MAX_SIDE_PX} pixels`)
      return undefined
    }
  if (said && (said.width_px !== width_px || said.height_px !== height_px)) {
    if (isSwapped)
      reader.note(
        'size_turned',
        `The file says ${said.width_px}x${said.height_px}; it was read as ${width_px}x${height_px}, as asked.`,
      )
    else
      reader.refuse(
        places.size,
        oneLine`
          is ${said.width_px}x${said.height_px}, and the query says ${width_px}x${height_px}: a calibration is of one
          size of the picture
        `,
      )
  }
  return { width_px, height_px }
}

/** Of a side of the picture, that the centre is off its middle. */
const FAR_OFF = 0.12
const MAX_OFF = 0.25
const MIN_FOCAL_WIDTHS = 0.1
const MAX_FOCAL_WIDTHS = 10

/** Refuses what can be no lens of pictures of that size. */
const lookAtPlace = ({ pinhole, places }: LensDraft, size: PictureSize, reader: LensReader): void => {
  const [fx, , cx, cy] = pinhole
  const { width_px: width, height_px: height } = size
  const off = Math.max(Math.abs(cx / width - 0.5), Math.abs(cy / height - 0.5))
  const turned = Math.max(Math.abs(cx / height - 0.5), Math.abs(cy / width - 0.5))
  const centre = `${shown(cx)}, ${shown(cy)}`
  if (off > FAR_OFF && turned < off / 3)
    reader.refuse(
      places.size,
      oneLine`
        is ${width}x${height}, and the centre (${centre}) is in the middle of ${height}x${width}: width and height are
        the wrong way round; say in the query which they are
      `,
    )
  else if (off > MAX_OFF)
    reader.refuse(
      places.matrix,
      oneLine`
        has its centre at (${centre}), far from the middle of ${width}x${height}: the calibration is of another size of
        the picture, or of a part of it
      `,
    )
  if (fx < MIN_FOCAL_WIDTHS * width || fx > MAX_FOCAL_WIDTHS * width)
    reader.refuse(
      places.matrix,
      oneLine`
        has a focal length of ${shown(fx)} px in pictures ${width} px wide; ${MIN_FOCAL_WIDTHS} to ${MAX_FOCAL_WIDTHS}
        widths are possible: is the calibration of another size?
      `,
    )
}

const shown = (value: number): string => value.toFixed(1)

const MAX_OFF_PX = 0.5

const distortionOf = (
  { model, distortion, pinhole, places }: LensDraft,
  size: PictureSize,
  reader: LensReader,
): readonly number[] | undefined => {
  if (model === 'brown') return shortened(distortion, places.distortion, reader)
  const radiusOf = model === 'fisheye' ? fisheyeRadius(distortion) : fovRadius(distortion)
  const fit = fitRadial(radiusOf, pinhole, size)
  if (!fit || !(fit.worst_px < MAX_OFF_PX)) {
    const by = fit ? `they are ${shown(fit.worst_px)} px off somewhere in the picture` : 'none are like it'
    reader.refuse(places.distortion, `is of a lens that eight coefficients cannot replace: ${by}`)
    return undefined
  }
  reader.note(
    'converted',
    oneLine`
    The ${model === 'fisheye' ? 'fisheye' : 'fov'} lens was converted to eight coefficients: they are
    ${fit.rms_px.toFixed(4)} px off in the picture, ${fit.worst_px.toFixed(4)} px at most.
  `,
    { rms_px: fit.rms_px, worst_px: fit.worst_px },
  )
  if (fit.share < 1)
    reader.note(
      'beyond_reach',
      oneLine`
      ${Math.ceil(100 * (1 - fit.share))} % of the picture lie further than ${MAX_ANGLE_DEG} degrees from the axis: what
      is seen there cannot be placed.
    `,
      { beyond_percent: Math.ceil(100 * (1 - fit.share)) },
    )
  return fit.distortion
}

const MOST = 8

/** 0, 4, 5 or 8 numbers. */
const shortened = (
  distortion: readonly number[],
  pointer: string,
  reader: LensReader,
): readonly number[] | undefined => {
  const { length } = distortion
  if (![0, 4, 5, 8, 12, 14].includes(length)) {
    reader.refuse(pointer, `has ${length} numbers; lenses here have 0, 4, 5 or 8 coefficients`)
    return undefined
  }
  const beyond = distortion.findIndex((each, n) => n >= MOST && each !== 0)
  if (beyond >= 0) {
    reader.refuse(
      `${pointer}/${beyond}`,
      oneLine`
        is ${distortion[beyond]}: thin prisms and tilted sensors are not known here; calibrate with eight coefficients
        at most
      `,
    )
    return undefined
  }
  if (length > MOST)
    reader.note(
      'zeros_left_away',
      `The file has ${length} coefficients; those after the eighth are 0, and were left away.`,
    )
  return distortion.slice(0, MOST)
}

/** Those whose programs find the corners of charuco boards by OpenCV. */
const MAY_BE_SHIFTED: readonly CalibrationFormat[] = ['photonvision', 'northstar']
const HALF_PIXEL = 0.5

const centreOf = (
  { format, pinhole: [, , cx, cy] }: LensDraft,
  reader: LensReader,
  { repair }: CalibrationHints,
): readonly [number, number] => {
  if (repair === 'half_pixel' && format === 'vedette')
    reader.refuse('', 'is one of ours, which are not shifted by half a pixel; leave repair out')
  else if (repair === 'half_pixel') {
    reader.note('half_pixel_taken', 'Half a pixel was taken from the centre, to the right and down, as asked.')
    return [cx - HALF_PIXEL, cy - HALF_PIXEL]
  }
  if (MAY_BE_SHIFTED.includes(format))
    reader.note(
      'half_pixel',
      oneLine`
      If this was made with a charuco board by OpenCV 4.5.4 to 4.12 (September 2021 to January 2026), its centre is half
      a pixel too far right and down; such files do not say so. Import it with repair=half_pixel to have that mended.
    `,
    )
  return [cx, cy]
}
