// What can be done with a picture, one after the other, and what size it has afterwards.

import type { Static } from 'typebox'
import type { Fault } from '../errors/fault.ts'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'

const strict = { additionalProperties: false } as const
const MAX_SIDE_PX = 8_000
const MAX_PIXELS = 64_000_000 // as of what can be stored

const Side = (about: string) => Type.Integer({ minimum: 1, maximum: MAX_SIDE_PX, description: about })
const Offset = (about: string) => Type.Integer({ minimum: 0, maximum: 32_768, description: about })

const op = <const Name extends string>(name: Name, about: string) => Type.Literal(name, { description: about })

/** One change of a picture. */
export const Edit = Type.Union(
  [
    Type.Object(
      { op: op('rotate', 'Clockwise.'), degrees: Type.Enum([90, 180, 270], { description: 'Clockwise.' }) },
      { ...strict, title: 'RotateEdit', description: 'Turns it.' },
    ),
    Type.Object(
      {
        op: op('flip', 'Mirrors it.'),
        axis: Type.Enum(['horizontal', 'vertical'], {
          description: 'horizontal: left and right change places. vertical: top and bottom do.',
        }),
      },
      { ...strict, title: 'FlipEdit', description: 'Mirrors it.' },
    ),
    Type.Object(
      {
        op: op('crop', 'Keeps a part.'),
        x_px: Offset('From the left.'),
        y_px: Offset('From the top.'),
        width_px: Side('Of the part.'),
        height_px: Side('Of the part.'),
      },
      { ...strict, title: 'CropEdit', description: 'Keeps a part of it, which must lie within it.' },
    ),
    Type.Object(
      { op: op('resize', 'Scales it.'), width_px: Side('Afterwards.'), height_px: Side('Afterwards.') },
      {
        ...strict,
        title: 'ResizeEdit',
        description: 'Makes it another size; both sides are given, so that nothing is distorted unseen.',
      },
    ),
    Type.Object(
      {
        op: op('brightness', 'Adds light.'),
        percent: Type.Integer({
          minimum: -100,
          maximum: 100,
          description: 'Of white that is added; below 0: taken away.',
        }),
      },
      { ...strict, title: 'BrightnessEdit', description: 'Makes it brighter or darker.' },
    ),
  ],
  { title: 'ImageEdit', description: 'A change of a picture.' },
)
export type Edit = Static<typeof Edit>

/** More than anybody does by hand; each costs a pass over all pixels. */
export const MAX_EDITS = 16

/** Of a picture. */
export interface PictureSize {
  readonly width_px: number
  readonly height_px: number
}

/** The size after all edits, or which of them is not possible. */
export const sizeAfter = (size: PictureSize, edits: readonly Edit[]): PictureSize | Fault => {
  let now = size
  for (const [n, edit] of edits.entries()) {
    if (edit.op === 'rotate' && edit.degrees !== 180) now = { width_px: now.height_px, height_px: now.width_px }
    if (edit.op === 'resize') now = { width_px: edit.width_px, height_px: edit.height_px }
    if (edit.op === 'crop') {
      if (edit.x_px + edit.width_px > now.width_px || edit.y_px + edit.height_px > now.height_px)
        return impossible(
          n,
          oneLine`
            ${edit.width_px}x${edit.height_px} at (${edit.x_px}, ${edit.y_px}) does not lie within
            ${now.width_px}x${now.height_px}
          `,
        )
      now = { width_px: edit.width_px, height_px: edit.height_px }
    }
    if (now.width_px * now.height_px > MAX_PIXELS)
      return impossible(n, `makes ${now.width_px}x${now.height_px} pixels, and ${MAX_PIXELS / 1e6} million is the most`)
  }
  return now
}

const impossible = (n: number, what: string): Fault => ({
  code: 'body.invalid',
  detail: `edit ${n + 1} is not possible: it ${what}`,
  errors: [{ pointer: `/edits/${n}`, message: what }],
})

/** An edit as the program takes it (native/addon/media/picture_edit.cc): `crop:10,20,300,200`. */
export const argumentOf = (edit: Edit): string => {
  switch (edit.op) {
    case 'rotate':
      return `rotate:${edit.degrees}`
    case 'flip':
      return `flip:${edit.axis}`
    case 'crop':
      return `crop:${edit.x_px},${edit.y_px},${edit.width_px},${edit.height_px}`
    case 'resize':
      return `resize:${edit.width_px},${edit.height_px}`
    case 'brightness':
      return `brightness:${edit.percent}`
  }
}
