// Which game piece is the best one, and for how long it counts as seen. It knows nothing of the device, so that it can
// be tested anywhere.

/** A row of an output of kind `targets`, as far as it matters here. */
export interface Target {
  /** Right of the middle of the picture, degrees. */
  readonly tx_deg: number
  /** Above it. */
  readonly ty_deg: number
  /** Of the picture, 0 to 1. */
  readonly area_share: number
}

/** What the robot is told. */
export interface Sighting {
  readonly isSeen: boolean
  readonly yawDeg: number
  readonly pitchDeg: number
  readonly areaShare: number
}

/** Smaller ones are specks: 1 of 2,000 of the picture. */
const MIN_AREA_SHARE = 0.0005

/** A piece that is hidden for a moment, by a bumper or a spark, is not lost. */
const HOLD_US = 250_000

const NOTHING: Sighting = { isSeen: false, yawDeg: 0, pitchDeg: 0, areaShare: 0 }

/** The largest target that is no speck: the nearest piece. */
export const bestOf = (targets: readonly Target[]): Target | undefined =>
  targets
    .filter(({ area_share }) => area_share >= MIN_AREA_SHARE)
    .reduce<Target | undefined>((best, each) => (best && best.area_share >= each.area_share ? best : each), undefined)

/** Follows the best piece of one stream from frame to frame. */
export class NoteFollower {
  #last: Sighting = NOTHING
  #seenUs = Number.NEGATIVE_INFINITY

  /** targets: of a frame that was taken at this time, in microseconds of one clock. */
  take(targets: readonly Target[], takenUs: number): Sighting {
    const best = bestOf(targets)
    if (best) {
      this.#seenUs = takenUs
      this.#last = { isSeen: true, yawDeg: best.tx_deg, pitchDeg: best.ty_deg, areaShare: best.area_share }
    } else if (takenUs - this.#seenUs > HOLD_US) this.#last = NOTHING
    return this.#last
  }
}
