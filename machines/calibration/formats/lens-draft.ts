// What the readers of the formats have in common: what they are given beside the file, and what they find in it.
import type { SchemaError } from '../../schema/explain.ts'
import { oneLine } from '../../schema/one-line.ts'
import { inSentence, quote } from '../../schema/quote.ts'

/** The formats of calibration files, and whose each is. */
export const CALIBRATION_FORMATS = {
  vedette: "Vedette's own",
  photonvision: "PhotonVision's JSON",
  opencv_yaml: "OpenCV's FileStorage, as YAML",
  opencv_json: "OpenCV's FileStorage, as JSON",
  opencv_xml: "OpenCV's FileStorage, as XML",
  ros: "ROS's camera_info, as YAML",
  kalibr: "Kalibr's camchain, as YAML",
  wpical: "WPIcal's JSON",
  northstar: "Northstar's YAML",
  limelight: "the vendor's JSON",
  calibdb: "CalibDB's JSON",
} as const
export type CalibrationFormat = keyof typeof CALIBRATION_FORMATS

/** A picture's size, pixels. */
export interface PictureSize {
  readonly width_px: number
  readonly height_px: number
}

/** A lens as a file says it. */
export interface LensDraft {
  readonly format: CalibrationFormat
  /** null: the file does not say it. */
  readonly size: PictureSize | null
  /** fx, fy, cx, cy: pixels, from the first one's centre. */
  readonly pinhole: readonly [number, number, number, number]
  /** brown: OpenCV's own. The others give the angle a place from the middle of the picture. */
  readonly model: 'brown' | 'fisheye' | 'fov'
  readonly distortion: readonly number[]
  readonly rms_px: number | null
  /** What the file calls the camera. */
  readonly name: string | null
  readonly places: LensPlaces
}

/** Where things stand in the file: JSON pointers. */
export interface LensPlaces {
  readonly size: string
  readonly matrix: string
  readonly distortion: string
}

/** What is odd in a file, was changed, or is not known of it. */
export interface LensNote {
  readonly code: string
  /** A sentence. */
  readonly detail: string
  readonly values: Readonly<Record<string, number>>
}

/** The tree of a file. */
export type Fields = Readonly<Record<string, unknown>>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const NUMBER = /^[+-]?(\d+[.,]?\d*|[.,]\d+)(e[+-]?\d+)?$/i
/** Thousands, or a fraction with three digits: nobody knows. */
const UNCLEAR = /^[+-]?[1-9]\d{0,2},\d{3}$/

const MAX_FLAWS = 16
const MAX_NAME_LENGTH = 60

/** Takes numbers out of a file, and gathers what is wrong with it and what is odd. */
export class LensReader {
  readonly flaws: SchemaError[] = []
  readonly notes: LensNote[] = []

  /** Of a file that cannot be used. */
  refuse(pointer: string, message: string): void {
    if (this.flaws.length < MAX_FLAWS) this.flaws.push({ pointer, message })
  }

  /** Of one that can; each code once. */
  note(code: string, detail: string, values: LensNote['values'] = {}): void {
    if (!this.notes.some((each) => each.code === code)) this.notes.push({ code, detail, values })
  }

  /** NaN where there is none, which is then said. */
  number(value: unknown, pointer: string): number {
    if (typeof value === 'number') {
      if (!Number.isFinite(value)) this.refuse(pointer, `is ${value}, which is no number to reckon with`)
      return value + 0 // not -0
    }
    const text = typeof value === 'string' ? value.trim() : ''
    if (value === undefined) this.refuse(pointer, 'is missing')
    else if (UNCLEAR.test(text))
      this.refuse(pointer, `is ${quote(text)}: with a comma nobody knows whether thousands are meant; write a number`)
    else if (!NUMBER.test(text)) this.refuse(pointer, `must be a number, not ${quote(value)}`)
    else {
      const read = Number(text.replace(',', '.'))
      if (!Number.isFinite(read)) this.refuse(pointer, `is ${quote(text)}, which is no number to reckon with`)
      if (text.includes(','))
        this.note('commas', 'Numbers stand in the file as text with a comma; they were read as if it were a point.')
      else this.note('text', 'Numbers stand in the file as text; they were read as numbers.')
      return read
    }
    return Number.NaN
  }

  /** counts: how many there may be; none: any number up to fourteen. */
  numbers(value: unknown, pointer: string, counts: readonly number[] = []): readonly number[] {
    const list = value === undefined || Array.isArray(value) ? value : [value]
    if (list === undefined) this.refuse(pointer, 'is missing')
    else if (list.length > 14 || (counts.length > 0 && !counts.includes(list.length)))
      this.refuse(pointer, `has ${list.length} numbers; it must have ${counts.join(' or ') || 'at most 14'}`)
    else return list.map((each: unknown, n: number) => this.number(each, `${pointer}/${n}`))
    return []
  }

  /** A list of numbers, or lists of them row by row, or either as the `data` of an object. */
  flat(value: unknown, pointer: string): { readonly list: unknown; readonly pointer: string } {
    const isData = isFields(value) && Object.hasOwn(value, 'data')
    const list: unknown = isData ? value.data : value
    const at = isData ? `${pointer}/data` : pointer
    if (!Array.isArray(list) || !list.some(Array.isArray)) return { list, pointer: at }
    return { list: list.slice(0, 16).flat(), pointer: at }
  }

  /** fx, fy, cx, cy of nine numbers. */
  pinholeOfMatrix(value: unknown, at: string): LensDraft['pinhole'] {
    const { list, pointer } = this.flat(value, at)
    const matrix = this.numbers(list, pointer, [9])
    if (matrix.length < 9 || !matrix.every(Number.isFinite)) return NO_PINHOLE
    const [fx = 0, skew = 0, cx = 0, k10, fy = 0, cy = 0, k20, k21, k22] = matrix
    if (k20 !== 0 && k21 !== 0 && cx === 0 && cy === 0)
      this.refuse(pointer, 'stands column by column; write the matrix row by row')
    else if (k20 !== 0 || k21 !== 0 || k22 !== 1 || k10 !== 0)
      this.refuse(pointer, 'is no matrix of a camera: its rows are fx 0 cx, 0 fy cy and 0 0 1')
    else if (Math.abs(skew) > MAX_SKEW_PX)
      this.refuse(pointer, `has a skew of ${skew} px (its second number), which no lens here has`)
    return [fx, fy, cx, cy]
  }

  /** A size in whole pixels; null where neither side is said. */
  size(width: unknown, height: unknown, at: readonly [string, string]): PictureSize | null {
    if (width === undefined && height === undefined) return null
    return { width_px: this.number(width, at[0]), height_px: this.number(height, at[1]) }
  }

  /** A figure that may be left out: null where it is, or is none. */
  figure(value: unknown): number | null {
    return typeof value === 'number' && value >= 0 && Number.isFinite(value) ? value + 0 : null
  }

  /** Of a camera: null where it is none. */
  name(value: unknown): string | null {
    const said = typeof value === 'string' ? inSentence(value).trim() : ''
    return said === '' ? null : [...said].slice(0, MAX_NAME_LENGTH).join('')
  }
}

/** Below that it is how a number was rounded. */
const MAX_SKEW_PX = 0.01

const NO_PINHOLE: LensDraft['pinhole'] = [Number.NaN, Number.NaN, Number.NaN, Number.NaN]

/** What a file without a size is told. */
export const SIZE_IS_MISSING = oneLine`
  does not say how large the pictures were; say it in the query: width_px=1280&height_px=800
`
