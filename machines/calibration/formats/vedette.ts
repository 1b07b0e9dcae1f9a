// Our own calibrations: the document, or any that has intrinsics as a stream has them.
import { schemaErrors } from '../../schema/errors.ts'
import { Intrinsics } from '../../stream/manifest.ts'
import { type Fields, isFields, type LensDraft, type LensReader } from './lens-draft.ts'

export const isVedette = (file: Fields): boolean => {
  const { intrinsics } = specOf(file)
  return isFields(intrinsics) && Object.hasOwn(intrinsics, 'fx_px')
}

/** The calibration itself, also where the file is the resource around it. */
export const specOf = (file: Fields): Fields => (isFields(file.spec) ? file.spec : file)

export const readVedette = (whole: Fields, reader: LensReader): LensDraft | undefined => {
  const file = specOf(whole)
  const errors = schemaErrors(Intrinsics, file.intrinsics, '/intrinsics')
  for (const { pointer, message } of errors) reader.refuse(pointer, message)
  if (file.verdict === 'refused') reader.refuse('/verdict', 'is refused: the calibration says nothing about the lens')
  if (errors.length > 0) return undefined
  const { width_px, height_px, fx_px, fy_px, cx_px, cy_px, distortion } = file.intrinsics as unknown as Intrinsics
  const at = '/intrinsics'
  return {
    format: 'vedette',
    size: { width_px, height_px },
    pinhole: [fx_px, fy_px, cx_px, cy_px],
    model: 'brown',
    distortion,
    rms_px: reader.figure(file.rms_px),
    name: reader.name(file.name),
    places: { size: `${at}/width_px`, matrix: `${at}/fx_px`, distortion: `${at}/distortion` },
  }
}
