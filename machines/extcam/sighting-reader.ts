// The newest sighting of a stream, read by the vendor's names. Its arrays are used again frame after frame.
import { MAX_SIGHTING_LENGTH, SIGHTING, type SightingArrays, SightingViews } from './sighting.ts'

/** The single numbers that robots read as they are. */
const NUMBER_KEYS = [
  'tx',
  'ty',
  'txnc',
  'tync',
  'ta',
  'tid',
  'tdist',
] as const satisfies readonly (keyof typeof SIGHTING)[]

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
] as const satisfies readonly (keyof SightingArrays)[]

type Values = Readonly<Record<(typeof NUMBER_KEYS)[number], number>> & Pick<SightingArrays, (typeof ARRAY_KEYS)[number]>

class Reader {
  /** The packed sighting. */
  protected readonly numbers = new Float64Array(MAX_SIGHTING_LENGTH)
  readonly #views = new SightingViews(this.numbers)
  #arrays: SightingArrays

  constructor() {
    this.numbers[SIGHTING.startedUs] = -1
    this.numbers[SIGHTING.tid] = -1
    this.#arrays = this.#views.get()
    this.#arrays.t2d[9] = -1
  }

  /** All arrays that describe the frame. While frames show as many tags it is the same object, with other numbers. */
  get arrays(): SightingArrays {
    return this.#arrays
  }

  /** Takes in what an engine has made of a frame. */
  take(sighting: Float64Array): void {
    this.numbers.set(sighting)
    this.#arrays = this.#views.get()
  }
}

for (const key of NUMBER_KEYS) {
  const position = SIGHTING[key]
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
export const SightingReader = Reader as new () => Reader & Values
