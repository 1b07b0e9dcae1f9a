// The newest sighting of a stream, read by the vendor's names. Its arrays are used again frame after frame.
import { MAX_TABLE_FRAME_LENGTH, TABLE_FRAME, type TableFrameArrays, TableFrameViews } from './table-frame.ts'

/** The single numbers that robots read as they are. */
const NUMBER_KEYS = [
  'tx',
  'ty',
  'txnc',
  'tync',
  'ta',
  'tid',
  'tdist',
] as const satisfies readonly (keyof typeof TABLE_FRAME)[]

/** The arrays that robots read as they are. */
const ARRAY_KEYS = [
  't2d',
  'targetpose_cameraspace',
  'targetpose_robotspace',
  'camerapose_targetspace',
  'botpose_targetspace',
  'camerapose_robotspace',
  'stddevs',
  'tcornxy', // pixels, clockwise from the primary tag's own top left
  'botpose',
  'botpose_wpiblue',
  'botpose_wpired',
  'botpose_orb', // these three by the robot's heading; zeros until the robot has sent one
  'botpose_orb_wpiblue',
  'botpose_orb_wpired',
  'rawfiducials',
  'rawtargets',
  'rawdetections',
] as const satisfies readonly (keyof TableFrameArrays)[]

type Values = Readonly<Record<(typeof NUMBER_KEYS)[number], number>> &
  Pick<TableFrameArrays, (typeof ARRAY_KEYS)[number]>

class Reader {
  /** The packed sighting. */
  protected readonly numbers = new Float64Array(MAX_TABLE_FRAME_LENGTH)
  readonly #views = new TableFrameViews(this.numbers)
  #arrays: TableFrameArrays

  constructor() {
    this.numbers[TABLE_FRAME.startedUs] = -1
    this.numbers[TABLE_FRAME.tid] = -1
    this.#arrays = this.#views.get()
    this.#arrays.t2d[9] = -1
  }

  /** All arrays that describe the frame. While frames show as many tags it is the same object, with other numbers. */
  get arrays(): TableFrameArrays {
    return this.#arrays
  }

  /** Takes in what an engine has made of a frame. */
  take(sighting: Float64Array): void {
    this.numbers.set(sighting)
    this.#arrays = this.#views.get()
  }
}

for (const key of NUMBER_KEYS) {
  const position = TABLE_FRAME[key]
  Object.defineProperty(Reader.prototype, key, {
    get(this: { readonly numbers: Float64Array }) {
      return this.numbers[position]
    },
  })
}

for (const key of ARRAY_KEYS) {
  Object.defineProperty(Reader.prototype, key, {
    get(this: Reader) {
      return this.arrays[key]
    },
  })
}

/** Holds a sighting, and has a getter for each key of the vendor's table that is one of its numbers or arrays. */
export const TableFrameReader = Reader as new () => Reader & Values
