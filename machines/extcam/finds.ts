// Detections of one frame other than tags, with everything the vendor's keys say of them: packed rows, and a store for
// their texts.
import { type OutputKind, type OutputLayout, type Result, type Rows, rowsOf } from '../engine/result.ts'
import { compose, invert, poseAt } from '../localization/pose.ts'
import { rightDeg, upDeg, writePose } from './geometry.ts'
import type { SizedInstallation } from './installation.ts'
import { type Lens, undistort } from './lens.ts'
import { quadArea } from './quad.ts'
import { areSane, column, isPose } from './rows.ts'

/**
 * Where a row has what. Degrees; pixels of the whole picture; area: 0 to 1. label: the number of its class; of a code
 * the place of its kind in SYMBOLOGIES. textAt, textBytes: of its text in the store: the name of its class, or what a
 * code says. hasPose: 1 or 0; the poses are six numbers each, and zeros without. corners: clockwise from the top left.
 */
export const FIND = {
  txnc: 0,
  tync: 1,
  area: 2,
  tx: 3,
  ty: 4,
  centreX: 5,
  centreY: 6,
  label: 7,
  confidence: 8,
  textAt: 9,
  textBytes: 10,
  hasPose: 11,
  distance: 12,
  t6c_ts: 13,
  t6r_ts: 19,
  t6t_cs: 25,
  t6t_rs: 31,
  corners: 37,
} as const

export const FIND_STRIDE = 45

/** The vendor's limit on its raw arrays. */
export const MAX_FINDS = 32

/**
 * How many bytes the texts of a frame have at most. As many as a step that reads codes gives, and room for names of
 * classes; what has none left is left out.
 */
export const MAX_TEXT_BYTES = 72 * 1024

/**
 * How many numbers `rawtargets` has per outline: x and y from -1 to 1, right and up positive, and the area from 0 to 1.
 */
export const RAW_TARGET_STRIDE = 3

/** Kinds of finds, under the names of their arrays in the results document. */
export type FindKind = 'Retro' | 'Detector' | 'Classifier' | 'Barcode'

const at = {
  contour: {
    centre: column('contours', 'cx_px'),
    area: column('contours', 'area_px'),
    corners: column('contours', 'x0_px'),
  },
  target: {
    centre: column('targets', 'cx_px'),
    area: column('targets', 'area_share'),
    corners: column('targets', 'x0_px'),
    hasPose: column('targets', 'has_pose'),
    pose: column('targets', 'camera_target_x_m'),
  },
  object: { centre: column('objects', 'cx_px'), width: column('objects', 'width_px') },
  code: {
    corners: column('barcodes', 'x0_px'),
    textAt: column('barcodes', 'text_at'),
    symbology: column('barcodes', 'symbology'),
  },
}

const KINDS: readonly OutputKind[] = ['contours', 'targets', 'objects', 'classes', 'barcodes']

/**
 * Of the outputs of a layout those that are read here, the first of each kind. Empty: there is nothing to do for its
 * frames.
 */
export const findOutputsOf = (outputs: readonly OutputLayout[]): readonly OutputLayout[] =>
  KINDS.flatMap((kind) => outputs.find((output) => output.kind === kind) ?? [])

/** Rows of one kind. */
class FindRows {
  readonly rows = new Float64Array(MAX_FINDS * FIND_STRIDE)
  count = 0

  /** Where the next row begins, which is empty; below zero: there is room for no more. */
  next(): number {
    if (this.count === MAX_FINDS) return -1
    const row = this.count++ * FIND_STRIDE
    this.rows.fill(0, row, row + FIND_STRIDE)
    return row
  }
}

/** The finds of the newest frame. Kept and used again frame after frame. */
export class Finds {
  readonly kinds: Readonly<Record<FindKind, FindRows>> = {
    Retro: new FindRows(),
    Detector: new FindRows(),
    Classifier: new FindRows(),
    Barcode: new FindRows(),
  }
  readonly rawTargets = new Float64Array(MAX_FINDS * RAW_TARGET_STRIDE)
  rawTargetCount = 0
  readonly texts = new Uint8Array(MAX_TEXT_BYTES)
  textBytes = 0
  readonly #ideal = new Float64Array(8)
  readonly #names = new WeakMap<readonly string[], readonly Uint8Array[]>()

  clear(): void {
    for (const kind of Object.values(this.kinds)) kind.count = 0
    this.rawTargetCount = 0
    this.textBytes = 0
  }

  /** Takes in a frame. outputs: of findOutputsOf. */
  read(result: Result, outputs: readonly OutputLayout[], sized: SizedInstallation): void {
    this.clear()
    const hasTargets = outputs.some(({ kind }) => kind === 'targets')
    for (const output of outputs) {
      const rows = rowsOf(result, output.port)
      if (!rows) continue
      if (output.kind === 'contours') this.#readContours(result.data, rows, sized.lens, hasTargets)
      else if (output.kind === 'targets') this.#readTargets(result.data, rows, sized)
      else if (output.kind === 'objects') this.#readObjects(result.data, rows, sized.lens, output.labels)
      else if (output.kind === 'classes') this.#readClasses(result.data, rows, output.labels)
      else this.#readCodes(result, rows, sized.lens)
    }
  }

  #readContours(data: Float64Array, { count, offset, stride }: Rows, lens: Lens, hasTargets: boolean): void {
    for (let n = 0; n < count; n++) {
      const from = offset + n * stride
      if (!areSane(data, from, stride)) continue
      const area = share((data[from + at.contour.area] as number) / lens.wholePx)
      this.#addRawTarget(data, from + at.contour.centre, area, lens)
      if (!hasTargets) this.#addOutline(data, from + at.contour.centre, from + at.contour.corners, area, lens)
    }
  }

  #readTargets(data: Float64Array, { count, offset, stride }: Rows, sized: SizedInstallation): void {
    const { lens } = sized
    const hasContours = this.rawTargetCount > 0
    const { rows } = this.kinds.Retro
    for (let n = 0; n < count; n++) {
      const from = offset + n * stride
      if (!areSane(data, from, stride)) continue
      const area = share((data[from + at.target.area] as number) * lens.partShare)
      if (!hasContours) this.#addRawTarget(data, from + at.target.centre, area, lens)
      const row = this.#addOutline(data, from + at.target.centre, from + at.target.corners, area, lens)
      if (row < 0 || data[from + at.target.hasPose] !== 1 || !isPose(data, from + at.target.pose)) continue
      const targetInCamera = poseAt(data, from + at.target.pose)
      const targetInRobot = compose(sized.cameraInRobot, targetInCamera)
      rows[row + FIND.hasPose] = 1
      rows[row + FIND.distance] = Math.hypot(targetInCamera.x, targetInCamera.y, targetInCamera.z)
      writePose(rows, row + FIND.t6c_ts, invert(targetInCamera))
      writePose(rows, row + FIND.t6r_ts, invert(targetInRobot))
      writePose(rows, row + FIND.t6t_cs, targetInCamera)
      writePose(rows, row + FIND.t6t_rs, targetInRobot)
    }
  }

  #readObjects(data: Float64Array, { count, offset, stride }: Rows, lens: Lens, labels: readonly string[] = []): void {
    const { rows } = this.kinds.Detector
    for (let n = 0; n < count; n++) {
      const from = offset + n * stride
      if (!areSane(data, from, stride) || !this.#hasRoomFor(this.#nameOf(labels, data[from] as number))) continue
      const row = this.kinds.Detector.next()
      if (row < 0) return
      const width = data[from + at.object.width] as number
      const height = data[from + at.object.width + 1] as number
      this.#aim(rows, row, data[from + at.object.centre] as number, data[from + at.object.centre + 1] as number, lens)
      rows[row + FIND.area] = share((width * height) / lens.wholePx)
      for (let corner = 0; corner < 4; corner++) {
        const isRight = corner === 1 || corner === 2
        rows[row + FIND.corners + 2 * corner] = (rows[row + FIND.centreX] as number) + (isRight ? width : -width) / 2
        rows[row + FIND.corners + 2 * corner + 1] =
          (rows[row + FIND.centreY] as number) + (corner > 1 ? height : -height) / 2
      }
      this.#classify(data, from, rows, row, labels)
    }
  }

  #readClasses(data: Float64Array, { count, offset, stride }: Rows, labels: readonly string[] = []): void {
    const { rows } = this.kinds.Classifier
    for (let n = 0; n < count; n++) {
      const from = offset + n * stride
      if (!areSane(data, from, stride) || !this.#hasRoomFor(this.#nameOf(labels, data[from] as number))) continue
      const row = this.kinds.Classifier.next()
      if (row < 0) return
      this.#classify(data, from, rows, row, labels)
    }
  }

  #readCodes({ data }: Result, { count, offset, stride, textAt }: Rows, lens: Lens): void {
    const { rows } = this.kinds.Barcode
    const stored = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    for (let n = 0; n < count; n++) {
      const from = offset + n * stride
      if (!areSane(data, from, stride)) continue
      const begin = 8 * textAt + (data[from + at.code.textAt] as number)
      const text = stored.subarray(begin, begin + (data[from + at.code.textAt + 1] as number))
      const row = this.#hasRoomFor(text) ? this.kinds.Barcode.next() : -1
      if (row < 0) continue
      let x = 0
      let y = 0
      for (let corner = 0; corner < 4; corner++) {
        const u = data[from + at.code.corners + 2 * corner] as number
        const v = data[from + at.code.corners + 2 * corner + 1] as number
        x += u / 4
        y += v / 4
        undistort(lens, u, v, this.#ideal, 2 * corner)
        rows[row + FIND.corners + 2 * corner] = u + lens.cornerX
        rows[row + FIND.corners + 2 * corner + 1] = v + lens.cornerY
      }
      rows[row + FIND.area] = share(quadArea(this.#ideal, 0) * lens.shareOfUnitArea)
      this.#aim(rows, row, x, y, lens)
      rows[row + FIND.label] = data[from + at.code.symbology] as number
      this.#keep(text, rows, row)
    }
  }

  #addRawTarget(data: Float64Array, centre: number, area: number, lens: Lens): void {
    if (this.rawTargetCount === MAX_FINDS) return
    const to = RAW_TARGET_STRIDE * this.rawTargetCount++
    this.rawTargets[to] = unit((2 * ((data[centre] as number) + lens.cornerX)) / lens.wholeWidth - 1)
    this.rawTargets[to + 1] = unit(1 - (2 * ((data[centre + 1] as number) + lens.cornerY)) / lens.wholeHeight)
    this.rawTargets[to + 2] = area
  }

  /** A row for an outline with a rectangle around it. Below zero: there is room for no more. */
  #addOutline(data: Float64Array, centre: number, corners: number, area: number, lens: Lens): number {
    const { rows } = this.kinds.Retro
    const row = this.kinds.Retro.next()
    if (row < 0) return row
    this.#aim(rows, row, data[centre] as number, data[centre + 1] as number, lens)
    rows[row + FIND.area] = area
    for (let i = 0; i < 8; i += 2) {
      rows[row + FIND.corners + i] = (data[corners + i] as number) + lens.cornerX
      rows[row + FIND.corners + i + 1] = (data[corners + i + 1] as number) + lens.cornerY
    }
    return row
  }

  /** The direction in which a pixel of the part lies. */
  #aim(rows: Float64Array, row: number, u: number, v: number, lens: Lens): void {
    const ideal = this.#ideal
    undistort(lens, u, v, ideal, 0)
    const right = rightDeg(ideal[0] as number, 1)
    const up = upDeg(ideal[1] as number, 1)
    rows[row + FIND.txnc] = right
    rows[row + FIND.tync] = up
    rows[row + FIND.tx] = right - lens.crosshairRightDeg
    rows[row + FIND.ty] = up - lens.crosshairUpDeg
    rows[row + FIND.centreX] = u + lens.cornerX
    rows[row + FIND.centreY] = v + lens.cornerY
  }

  /** Rows of objects and classes begin alike. */
  #classify(data: Float64Array, from: number, rows: Float64Array, row: number, labels: readonly string[]): void {
    const label = data[from] as number
    rows[row + FIND.label] = Math.max(0, Math.round(label))
    rows[row + FIND.confidence] = share(data[from + 1] as number)
    this.#keep(this.#nameOf(labels, label), rows, row)
  }

  /** A class without a name is called by its number. */
  #nameOf(labels: readonly string[], label: number): Uint8Array {
    const known = this.#names.get(labels)
    const names = known ?? labels.map((name) => new TextEncoder().encode(name))
    if (!known) this.#names.set(labels, names)
    return names[label] ?? new TextEncoder().encode(String(Math.max(0, Math.round(label))))
  }

  #hasRoomFor(text: Uint8Array): boolean {
    return this.textBytes + text.length <= MAX_TEXT_BYTES
  }

  #keep(text: Uint8Array, rows: Float64Array, row: number): void {
    rows[row + FIND.textAt] = this.textBytes
    rows[row + FIND.textBytes] = text.length
    this.texts.set(text, this.textBytes)
    this.textBytes += text.length
  }
}

/** A figure as 0 to 1; what is no number at all is 0. */
const share = (value: number): number => (value > 0 ? Math.min(1, value) : 0)

const unit = (value: number): number => Math.max(-1, Math.min(1, value))
