// What one frame brings to its stream's table, computed and packed by the engine, so that the control process has only
// to stamp and to pass on.
import { header, type OutputLayout, type Result, type ResultLayout, rowsOf } from '../engine/result.ts'
import { BOTPOSE_HEAD, Botpose, BY_CORNERS, BY_HEADING } from './botpose.ts'
import { Fiducials, MAX_TAGS, RAW_STRIDE, TAG, TAG_STRIDE } from './fiducials.ts'
import { FIND, FIND_STRIDE, type FindKind, Finds, findOutputsOf, MAX_FINDS, MAX_TEXT_BYTES } from './finds.ts'
import { type Installation, InstallationCache } from './installation.ts'
import { PIPELINE_TYPES, pipelineTypeOf } from './pipeline-type.ts'
import { writeQuadShape } from './quad.ts'
import { column } from './rows.ts'

/** The single numbers at the head of a packed sighting, in their order. */
const NAMES = [
  'tags', // how many are in it
  'fielded', // how many of them the solver used that takes corners alone
  'seq', // the engine's number of the frame
  'startedUs', // CLOCK_MONOTONIC; -1: no frame to time
  'captureMs', // from mid-exposure to that
  'tx',
  'ty',
  'txnc',
  'tync',
  'ta',
  'tid',
  'tdist', // m, from the camera to where the robot aims
  'targets', // how many the robot may aim at; 0 while it waits for another tag
  'corners', // how many numbers say where the corners of the first target are
  'type', // of the pipeline, a position in PIPELINE_TYPES
  'focus', // the sharpness; 0 where it is not measured
  'outlines', // from here to `barcode`: how many finds of each kind are in it
  'retro',
  'detector',
  'classifier',
  'barcode',
  'oriented', // how many tags the solver used that takes the robot's heading
] as const

type Name = (typeof NAMES)[number]

/** Where a packed sighting has each of its single numbers. */
export const TABLE_FRAME = Object.fromEntries(NAMES.map((name, at) => [name, at])) as Readonly<Record<Name, number>>

const HEAD = NAMES.length

/** The kinds of find that are counted. */
const FINDS = ['outlines', 'retro', 'detector', 'classifier', 'barcode'] as const satisfies readonly Name[]

/** What decides how long a sighting is. */
const COUNTED = ['tags', 'fielded', 'oriented', 'corners', ...FINDS] as const satisfies readonly Name[]

type Counts = Readonly<Record<(typeof COUNTED)[number], number>>

/** The arrays behind the single numbers, in their order, with how many numbers each has for so many tags and finds. */
const arrays = ({ tags, fielded, oriented, corners, outlines, retro, detector, classifier, barcode }: Counts) =>
  ({
    t2d: 17,
    targetpose_cameraspace: 6,
    targetpose_robotspace: 6,
    camerapose_targetspace: 6,
    botpose_targetspace: 6,
    camerapose_robotspace: 6,
    stddevs: 12,
    tcornxy: corners,
    botpose: BOTPOSE_HEAD + RAW_STRIDE * fielded,
    botpose_wpiblue: BOTPOSE_HEAD + RAW_STRIDE * fielded,
    botpose_wpired: BOTPOSE_HEAD + RAW_STRIDE * fielded,
    botpose_orb: BOTPOSE_HEAD + RAW_STRIDE * oriented,
    botpose_orb_wpiblue: BOTPOSE_HEAD + RAW_STRIDE * oriented,
    botpose_orb_wpired: BOTPOSE_HEAD + RAW_STRIDE * oriented,
    rawfiducials: RAW_STRIDE * tags,
    rawtargets: 3 * outlines,
    rawdetections: 12 * detector,
    fiducials: TAG_STRIDE * tags,
    Retro: FIND_STRIDE * retro,
    Detector: FIND_STRIDE * detector,
    Classifier: FIND_STRIDE * classifier,
    Barcode: FIND_STRIDE * barcode,
  }) as const

type ArrayKey = keyof ReturnType<typeof arrays>

/**
 * The arrays of a sighting; `fiducials` as in machines/extcam/fiducials.ts, the last four as in finds.ts. Behind the
 * last stand the texts of the finds.
 */
export type TableFrameArrays = Readonly<Record<ArrayKey, Float64Array>>

const MAX_COUNTS: Counts = {
  tags: MAX_TAGS,
  fielded: MAX_TAGS,
  oriented: MAX_TAGS,
  corners: 8,
  outlines: MAX_FINDS,
  retro: MAX_FINDS,
  detector: MAX_FINDS,
  classifier: MAX_FINDS,
  barcode: MAX_FINDS,
}

/** How many numbers a sighting has at most. */
export const MAX_TABLE_FRAME_LENGTH =
  HEAD + Object.values(arrays(MAX_COUNTS)).reduce((sum, length) => sum + length, 0) + MAX_TEXT_BYTES / 8

/** The arrays of a sighting of so many tags and finds, as views of the numbers that hold it. */
const arraysIn = (numbers: Float64Array, counts: Counts): TableFrameArrays => {
  let end = HEAD
  return Object.fromEntries(
    Object.entries(arrays(counts)).map(([key, length]) => {
      end += length
      return [key, numbers.subarray(end - length, end)]
    }),
  ) as TableFrameArrays
}

/** Where in the bytes of a sighting's buffer the texts of its finds begin. */
export const textsFrom = ({ Barcode }: TableFrameArrays): number => Barcode.byteOffset + Barcode.byteLength

/** Tags alone have 1,122 at most. */
const MAX_VIEWS = 2000

/** Views of one buffer for each number of tags and finds that ever came: a frame of tags makes none. */
export class TableFrameViews {
  readonly #numbers: Float64Array
  readonly #known = new Map<number, TableFrameArrays>()

  /** numbers: at the beginning of their buffer. */
  constructor(numbers: Float64Array) {
    this.#numbers = numbers
  }

  /** Of what the single numbers say. */
  get(): TableFrameArrays {
    const numbers = this.#numbers
    let key = (numbers[TABLE_FRAME.corners] as number) > 0 ? 1 : 0
    key = key * (MAX_TAGS + 1) + (numbers[TABLE_FRAME.tags] as number)
    key = key * (MAX_TAGS + 1) + (numbers[TABLE_FRAME.fielded] as number)
    key = key * (MAX_TAGS + 1) + (numbers[TABLE_FRAME.oriented] as number)
    let finds = 0
    for (const name of FINDS) finds = finds * (MAX_FINDS + 1) + (numbers[TABLE_FRAME[name]] as number)
    key += finds * 2 * (MAX_TAGS + 1) ** 3
    return this.#known.get(key) ?? this.#add(key)
  }

  #add(key: number): TableFrameArrays {
    const counts = Object.fromEntries(COUNTED.map((name) => [name, this.#numbers[TABLE_FRAME[name]] as number]))
    const made = arraysIn(this.#numbers, counts as Counts)
    if (this.#known.size >= MAX_VIEWS) this.#known.clear()
    this.#known.set(key, made)
    return made
  }
}

/** What is known of all frames of a layout. */
interface LayoutTraits {
  readonly layout: ResultLayout
  readonly type: number
  /** The outputs that are read for them. */
  readonly finds: readonly OutputLayout[]
  /** What the robot aims at; none: a tag, or nothing. */
  readonly kind: FindKind | undefined
  readonly focus: string | undefined
}

const AIMED_AT: Readonly<Record<string, FindKind>> = {
  pipe_color: 'Retro',
  pipe_neuraldetector: 'Detector',
  pipe_neuralclassifier: 'Classifier',
  pipe_barcode: 'Barcode',
}

const traitsOf = (layout: ResultLayout): LayoutTraits => {
  const type = pipelineTypeOf(layout)
  return {
    layout,
    type,
    finds: findOutputsOf(layout.outputs),
    kind: AIMED_AT[PIPELINE_TYPES[type] as string],
    focus: layout.outputs.find(({ kind }) => kind === 'focus')?.port,
  }
}

const SHARPNESS = column('focus', 'sharpness')

/** Makes the sightings of one stream, in one buffer. */
export class TableFrames {
  readonly #numbers = new Float64Array(MAX_TABLE_FRAME_LENGTH)
  readonly #views = new TableFrameViews(this.#numbers)
  readonly #installations = new InstallationCache()
  readonly #fiducials = new Fiducials()
  readonly #botpose = new Botpose(BY_CORNERS)
  readonly #orb = new Botpose(BY_HEADING)
  /** Made for the first layout that has some. */
  #finds: Finds | undefined
  #traits: LayoutTraits = traitsOf({ stages: [], outputs: [] })

  /** The sighting of a frame. It is good until the next one is made. */
  of(result: Result, installation: Installation): Float64Array {
    if (result.layout !== this.#traits.layout) this.#traits = traitsOf(result.layout)
    const { type, finds, focus } = this.#traits
    const sized = this.#installations.get(installation, header(result, 'width_px'), header(result, 'height_px'))
    this.#fiducials.read(result, sized, installation.live)
    this.#botpose.read(result, sized, this.#fiducials)
    this.#orb.read(result, sized, this.#fiducials)
    if (finds.length > 0) {
      this.#finds ??= new Finds()
      this.#finds.read(result, finds, sized)
    } else this.#finds?.clear()
    const startedUs = header(result, 'started_us')
    this.#numbers[TABLE_FRAME.seq] = header(result, 'seq')
    this.#numbers[TABLE_FRAME.startedUs] = startedUs
    this.#numbers[TABLE_FRAME.captureMs] = latencyMs(header(result, 'captured_us'), startedUs)
    this.#numbers[TABLE_FRAME.type] = type
    this.#numbers[TABLE_FRAME.focus] = focus === undefined ? 0 : sharpnessOf(result, focus)
    return this.#pack(sized.mountAsVendor)
  }

  /** What a camera shows that runs and sees nothing. */
  ofNothing(installation: Installation): Float64Array {
    this.#fiducials.clear()
    this.#botpose.clear()
    this.#finds?.clear()
    this.#orb.clear()
    this.#numbers[TABLE_FRAME.seq] = 0
    this.#numbers[TABLE_FRAME.startedUs] = -1
    this.#numbers[TABLE_FRAME.captureMs] = 0
    this.#numbers[TABLE_FRAME.type] = 0
    this.#numbers[TABLE_FRAME.focus] = 0
    return this.#pack(this.#installations.get(installation, 1, 1).mountAsVendor)
  }

  #pack(mount: Float64Array): Float64Array {
    const { rows, count, fielded } = this.#fiducials
    const numbers = this.#numbers
    numbers[TABLE_FRAME.tags] = count
    numbers[TABLE_FRAME.fielded] = this.#botpose.centre.length > BOTPOSE_HEAD ? fielded : 0
    numbers[TABLE_FRAME.oriented] = this.#orb.centre.length > BOTPOSE_HEAD ? fielded : 0
    this.#countFinds()
    const { kind } = this.#traits
    const isFound = kind !== undefined && this.#finds !== undefined
    if (isFound) this.#aimAtFind(kind, this.#finds as Finds)
    else this.#aimAtTag()
    const views = this.#views.get()
    if (isFound) writeFindPlace(views, (this.#finds as Finds).kinds[kind])
    else this.#writeTagPlace(views)
    views.camerapose_robotspace.set(mount)
    views.stddevs.set(this.#botpose.stddevs)
    views.stddevs.set(this.#orb.stddevs, 6)
    views.botpose.set(this.#botpose.centre)
    views.botpose_wpiblue.set(this.#botpose.blue)
    views.botpose_wpired.set(this.#botpose.red)
    views.botpose_orb.set(this.#orb.centre)
    views.botpose_orb_wpiblue.set(this.#orb.blue)
    views.botpose_orb_wpired.set(this.#orb.red)
    for (let n = 0; n < count; n++) {
      for (let i = 0; i < RAW_STRIDE; i++) views.rawfiducials[n * RAW_STRIDE + i] = rows[n * TAG_STRIDE + i] as number
    }
    copy(rows, views.fiducials)
    const end = this.#writeFinds(views)
    this.#writeT2d(views)
    return numbers.subarray(0, end / 8)
  }

  #countFinds(): void {
    const numbers = this.#numbers
    const { kinds, rawTargetCount } = this.#finds ?? {}
    numbers[TABLE_FRAME.outlines] = rawTargetCount ?? 0
    numbers[TABLE_FRAME.retro] = kinds?.Retro.count ?? 0
    numbers[TABLE_FRAME.detector] = kinds?.Detector.count ?? 0
    numbers[TABLE_FRAME.classifier] = kinds?.Classifier.count ?? 0
    numbers[TABLE_FRAME.barcode] = kinds?.Barcode.count ?? 0
  }

  #aimAtTag(): void {
    const { rows, count, hasPrimary } = this.#fiducials
    const numbers = this.#numbers
    numbers[TABLE_FRAME.targets] = hasPrimary ? count : 0
    numbers[TABLE_FRAME.corners] = hasPrimary ? 8 : 0
    numbers[TABLE_FRAME.tx] = hasPrimary ? (rows[TAG.tx] as number) : 0
    numbers[TABLE_FRAME.ty] = hasPrimary ? (rows[TAG.ty] as number) : 0
    numbers[TABLE_FRAME.txnc] = hasPrimary ? (rows[TAG.txnc] as number) : 0
    numbers[TABLE_FRAME.tync] = hasPrimary ? (rows[TAG.tync] as number) : 0
    numbers[TABLE_FRAME.ta] = hasPrimary ? (rows[TAG.area] as number) * 100 : 0
    numbers[TABLE_FRAME.tid] = hasPrimary ? (rows[TAG.id] as number) : -1
    numbers[TABLE_FRAME.tdist] = hasPrimary ? (rows[TAG.aimDistance] as number) : 0
  }

  /** The first of its kind; a class has no place in the picture. */
  #aimAtFind(kind: FindKind, { kinds }: Finds): void {
    const { rows, count } = kinds[kind]
    const numbers = this.#numbers
    const first = (field: number) => (count > 0 ? (rows[field] as number) : 0)
    numbers[TABLE_FRAME.targets] = count
    numbers[TABLE_FRAME.corners] = count > 0 && kind !== 'Classifier' ? 8 : 0
    numbers[TABLE_FRAME.tx] = first(FIND.tx)
    numbers[TABLE_FRAME.ty] = first(FIND.ty)
    numbers[TABLE_FRAME.txnc] = first(FIND.txnc)
    numbers[TABLE_FRAME.tync] = first(FIND.tync)
    numbers[TABLE_FRAME.ta] = first(FIND.area) * 100
    numbers[TABLE_FRAME.tid] = -1
    numbers[TABLE_FRAME.tdist] = first(FIND.distance)
  }

  #writeTagPlace(views: TableFrameArrays): void {
    const { rows, hasPrimary } = this.#fiducials
    for (let i = 0; i < 6; i++) {
      views.targetpose_cameraspace[i] = hasPrimary ? (rows[TAG.t6t_cs + i] as number) : 0
      views.targetpose_robotspace[i] = hasPrimary ? (rows[TAG.t6t_rs + i] as number) : 0
      views.camerapose_targetspace[i] = hasPrimary ? (rows[TAG.t6c_ts + i] as number) : 0
      views.botpose_targetspace[i] = hasPrimary ? (rows[TAG.t6r_ts + i] as number) : 0
    }
    for (let i = 0; i < views.tcornxy.length; i++) views.tcornxy[i] = rows[TAG.corners + i] as number
  }

  /** All but the latencies, which are known when it is published. */
  #writeT2d({ t2d, tcornxy, Detector, Classifier }: TableFrameArrays): void {
    const numbers = this.#numbers
    const targets = numbers[TABLE_FRAME.targets] as number
    t2d.fill(0)
    t2d[0] = targets > 0 ? 1 : 0
    t2d[1] = targets
    for (let i = 0; i < 6; i++) t2d[4 + i] = numbers[TABLE_FRAME.tx + i] as number // tx to tid
    if (Detector.length > 0) t2d[10] = Detector[FIND.label] as number
    if (Classifier.length > 0) t2d[11] = Classifier[FIND.label] as number
    if (tcornxy.length > 0) writeQuadShape(tcornxy, 0, t2d, 12)
  }

  /** Returns where it ends, in bytes. */
  #writeFinds(views: TableFrameArrays): number {
    const from = textsFrom(views)
    const finds = this.#finds
    if (!finds) return from
    copy(finds.rawTargets, views.rawtargets)
    copy(finds.kinds.Retro.rows, views.Retro)
    copy(finds.kinds.Detector.rows, views.Detector)
    copy(finds.kinds.Classifier.rows, views.Classifier)
    copy(finds.kinds.Barcode.rows, views.Barcode)
    writeRawDetections(views)
    if (finds.textBytes === 0) return from
    const length = 8 * Math.ceil(finds.textBytes / 8)
    new Uint8Array(this.#numbers.buffer, from, length).set(finds.texts.subarray(0, length))
    return from + length
  }
}

const copy = (from: Float64Array, to: Float64Array): void => {
  for (let i = 0; i < to.length; i++) to[i] = from[i] as number
}

const writeFindPlace = (views: TableFrameArrays, { rows, count }: { rows: Float64Array; count: number }): void => {
  const first = (field: number) => (count > 0 ? (rows[field] as number) : 0)
  for (let i = 0; i < 6; i++) {
    views.targetpose_cameraspace[i] = first(FIND.t6t_cs + i)
    views.targetpose_robotspace[i] = first(FIND.t6t_rs + i)
    views.camerapose_targetspace[i] = first(FIND.t6c_ts + i)
    views.botpose_targetspace[i] = first(FIND.t6r_ts + i)
  }
  for (let i = 0; i < views.tcornxy.length; i++) views.tcornxy[i] = first(FIND.corners + i)
}

const writeRawDetections = ({ Detector, rawdetections }: TableFrameArrays): void => {
  for (let n = 0; n < rawdetections.length / 12; n++) {
    const row = n * FIND_STRIDE
    const to = n * 12
    rawdetections[to] = Detector[row + FIND.label] as number
    for (let i = 0; i < 3; i++) rawdetections[to + 1 + i] = Detector[row + i] as number // txnc, tync, area
    for (let i = 0; i < 8; i++) rawdetections[to + 4 + i] = Detector[row + FIND.corners + i] as number
  }
}

const sharpnessOf = (result: Result, port: string): number => {
  const rows = rowsOf(result, port)
  const sharpness = rows && rows.count > 0 ? (result.data[rows.offset + SHARPNESS] as number) : 0
  return sharpness >= 0 && sharpness < 1e9 ? sharpness : 0
}

/** What took no time, or an impossible one, took none. */
export const latencyMs = (fromUs: number, toUs: number): number => {
  const ms = (toUs - fromUs) / 1000
  return ms > 0 && ms < Number.POSITIVE_INFINITY ? ms : 0
}
