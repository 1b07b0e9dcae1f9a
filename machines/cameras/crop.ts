// The part of a camera's picture that a stream has: in its manifest, as it may be asked for, and what became of it.

import type { Static } from 'typebox'
import type { Fault } from '../errors/fault.ts'
import type { SchemaError } from '../schema/explain.ts'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'

const strict = { additionalProperties: false } as const

/** Detectors look at no picture of less than 16 pixels after its decimation, which may be by 2. */
export const MIN_CROP_PX = 32

const MAX_PX = 8192

const Corner = (description: string) => Type.Integer({ minimum: 0, maximum: MAX_PX, description })
const Side = (description: string) => Type.Integer({ minimum: MIN_CROP_PX, maximum: MAX_PX, description })

const cropFields = {
  x_px: Corner("Of its left edge, from the picture's."),
  y_px: Corner("Of its upper edge, from the picture's."),
  width_px: Side('From there to the right.'),
  height_px: Side('From there down.'),
}

/** A part of the picture of the source's mode, in its pixels. */
export const Crop = Type.Object(cropFields, {
  ...strict,
  title: 'Crop',
  description: oneLine`
    The part of the picture of its mode that a stream has. All that comes after the source sees this part as the
    picture: results, previews, snapshots, recordings. Intrinsics stay those of the whole picture.
  `,
})
export type Crop = Static<typeof Crop>

/** The whole picture, of which a crop is a part. */
export const PictureSize = Type.Object(
  {
    width_px: Type.Integer({ description: 'Of the whole picture.' }),
    height_px: Type.Integer({ description: 'Of the whole picture.' }),
  },
  { ...strict, title: 'PictureSize', description: 'The whole picture of the mode.' },
)
export type PictureSize = Readonly<Static<typeof PictureSize>>

/** What an engine made of a crop. */
export const AppliedCrop = Type.Object(
  {
    ...cropFields,
    by: Type.Enum(['sensor', 'engine'], {
      title: 'CropBy',
      description: oneLine`
        sensor: the camera sends no more than \`sensor\` says, which spares bandwidth and decoding. engine: the camera
        sends its whole picture, and the rest is left out here.
      `,
    }),
    sensor: Type.Union([Crop, Type.Null()], {
      description: oneLine`
        What the sensor reads: the part, or more around it where it can only do steps; the engine leaves that out.
        null: everything.
      `,
    }),
    picture: PictureSize,
  },
  { ...strict, title: 'AppliedCrop', description: 'The crop that is in force, in pixels of the whole picture.' },
)
export type AppliedCrop = Static<typeof AppliedCrop>

/** What is noted down beside pictures that are parts. Nothing beside whole ones. */
export const cropNote = (applied: AppliedCrop | null | undefined): { readonly crop?: CropPlace } => {
  if (!applied) return {}
  const { x_px, y_px, width_px, height_px, picture } = applied
  return { crop: { x_px, y_px, width_px, height_px, picture } }
}

/** Where a part lies in a picture. */
export type CropPlace = Omit<AppliedCrop, 'by' | 'sensor'>

// Wide enough that what is wrong is said with the size of the picture, by cropOfBody.
const AnyPixels = (description: string) =>
  Type.Optional(Type.Integer({ minimum: -1_000_000, maximum: 1_000_000, description }))
const AnyShare = (description: string) => Type.Optional(Type.Number({ minimum: -1000, maximum: 1000, description }))

/** A crop as it may be asked for. */
export const CropBody = Type.Object(
  {
    x_px: AnyPixels("Left edge, from the picture's."),
    y_px: AnyPixels("Upper edge, from the picture's."),
    width_px: AnyPixels(`At least ${MIN_CROP_PX}.`),
    height_px: AnyPixels(`At least ${MIN_CROP_PX}.`),
    x: AnyShare("Left edge, as a share of the picture's width."),
    y: AnyShare("Upper edge, as a share of the picture's height."),
    width: AnyShare("As a share of the picture's width."),
    height: AnyShare("As a share of the picture's height."),
  },
  {
    ...strict,
    title: 'CropInput',
    description: oneLine`
      A part of the whole picture of the mode, whatever was cropped before: in pixels (\`x_px\`, \`y_px\`,
      \`width_px\`, \`height_px\`) or in shares of it (\`x\`, \`y\`, \`width\`, \`height\`, 0 to 1, rounded to the
      nearest pixels). The whole picture, \`{"x": 0, "y": 0, "width": 1, "height": 1}\`, takes the crop off.
    `,
  },
)
export type CropBody = Static<typeof CropBody>

const PIXELS = ['x_px', 'y_px', 'width_px', 'height_px'] as const
const SHARES = ['x', 'y', 'width', 'height'] as const

/** The crop that is asked for of a picture; null: all of it. size: undefined while nobody knows it. */
export const cropOfBody = (body: CropBody, size: PictureSize | undefined): Crop | null | Fault => {
  const shares = SHARES.filter((field) => body[field] !== undefined)
  const pixels = PIXELS.filter((field) => body[field] !== undefined)
  if (shares.length > 0 && pixels.length > 0)
    return invalid([{ pointer: `/${shares[0]}`, message: 'stands beside pixels; say the crop in one of both' }], size)
  const fields = shares.length > 0 ? SHARES : PIXELS
  const missing = fields.filter((field) => body[field] === undefined)
  if (missing.length > 0)
    return invalid(
      missing.map((field) => ({ pointer: `/${field}`, message: `is missing; a crop is ${fields.join(', ')}` })),
      size,
    )
  if (isWholeInShares(body)) return null
  if (!size) return unknownSize
  const crop = shares.length > 0 ? inPixels(body as Shares, size) : pixelsOf(body as Crop)
  if (isWhole(crop, size)) return null
  const errors = cropErrors(crop, size)
  if (errors.length === 0) return crop
  const named = (pointer: string) => (shares.length > 0 ? pointer.replace('_px', '') : pointer)
  return invalid(
    errors.map(({ pointer, message }) => ({ pointer: named(pointer), message })),
    size,
  )
}

/** A crop of the manifest on a picture of this size, as it is stored: one that leaves nothing out is none. */
export const fittedCrop = (
  crop: Crop,
  size: PictureSize,
):
  | { readonly ok: true; readonly crop: Crop | null }
  | { readonly ok: false; readonly errors: readonly SchemaError[] } => {
  if (isWhole(crop, size)) return { ok: true, crop: null }
  const errors = cropErrors(crop, size, '/crop')
  return errors.length > 0 ? { ok: false, errors } : { ok: true, crop }
}

/** What is wrong with a crop of a picture of this size; pointers begin with `pointer`. */
const cropErrors = (crop: Crop, size: PictureSize, pointer = ''): readonly SchemaError[] => {
  const { x_px, y_px, width_px, height_px } = crop
  const picture = `the picture has ${sizeText(size)} pixels`
  const small = (['width_px', 'height_px'] as const).filter((side) => crop[side] < MIN_CROP_PX)
  if (small.length > 0)
    return small.map((side) => ({
      pointer: `${pointer}/${side}`,
      message: `is ${crop[side]}, and in less than ${MIN_CROP_PX} pixels no tag is found; ${picture}`,
    }))
  const errors: SchemaError[] = []
  if (x_px < 0 || x_px + width_px > size.width_px)
    errors.push({ pointer: `${pointer}/x_px`, message: `${outside('left', x_px, x_px + width_px)}; ${picture}` })
  if (y_px < 0 || y_px + height_px > size.height_px)
    errors.push({ pointer: `${pointer}/y_px`, message: `${outside('top', y_px, y_px + height_px)}; ${picture}` })
  return errors
}

/** `320x240 at (160, 120)`. */
export const cropText = ({ x_px, y_px, width_px, height_px }: Crop): string =>
  `${sizeText({ width_px, height_px })} at (${x_px}, ${y_px})`

const outside = (from: 'left' | 'top', first: number, end: number): string =>
  `lies outside: the crop reaches from ${first} to ${end} pixels from the ${from}`

const sizeText = ({ width_px, height_px }: PictureSize): string => `${width_px}x${height_px}`

type Shares = Required<Pick<CropBody, (typeof SHARES)[number]>>

const isWholeInShares = ({ x, y, width, height }: CropBody): boolean =>
  x === 0 && y === 0 && width === 1 && height === 1

const isWhole = (crop: Crop, { width_px, height_px }: PictureSize): boolean =>
  crop.x_px === 0 && crop.y_px === 0 && crop.width_px === width_px && crop.height_px === height_px

/** Edges are rounded, not sides: two parts that touch go on touching. */
const inPixels = ({ x, y, width, height }: Shares, size: PictureSize): Crop => {
  const [left, right] = [x, x + width].map((share) => Math.round(share * size.width_px)) as [number, number]
  const [top, bottom] = [y, y + height].map((share) => Math.round(share * size.height_px)) as [number, number]
  return { x_px: left, y_px: top, width_px: right - left, height_px: bottom - top }
}

const pixelsOf = ({ x_px, y_px, width_px, height_px }: Crop): Crop => ({ x_px, y_px, width_px, height_px })

const invalid = (errors: readonly SchemaError[], size: PictureSize | undefined): Fault => {
  const [first] = errors as readonly [SchemaError, ...SchemaError[]]
  const known = size && !first.message.includes(sizeText(size)) ? `; the picture has ${sizeText(size)} pixels` : ''
  return { code: 'body.invalid', detail: `${first.pointer.slice(1)} ${first.message}${known}`, errors: [...errors] }
}

const unknownSize: Fault = {
  code: 'camera.failed',
  detail: oneLine`
    the size of the picture is not known before its camera was open once, so that no part of it can be chosen yet; the
    status of the stream says what it waits for
  `,
}
