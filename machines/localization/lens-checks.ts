// The lenses of all cameras, checked by the rounds that are solved while the robot drives about.
import type { LocalizationConfig } from './config.ts'
import type { FieldMap } from './field-map.ts'
import { type CheckedLens, LensCheck, MIN_CHECKED_TAGS } from './lens-check.ts'
import { mountOf } from './observation.ts'
import { compose, type Pose } from './pose.ts'
import type { SolvedRound } from './round-solver.ts'
import { type SolveMap, solveMapOf, tagKey } from './solve-map.ts'

/** By what rounds are solved. */
export interface CheckedBy {
  readonly map: FieldMap
  readonly errors: LocalizationConfig['errors']
  /** Tells the lens of a stream from another one; undefined: nobody has calibrated it. */
  readonly lensOf: (streamId: string) => string | undefined
}

/** With so many a check has said what it can; a new one begins, since a lens may be knocked at any time. */
const MAX_FRAMES = 400

/** A frame of a stream is looked at so often at most: more would cost more, and say the same. */
const EACH_US = 200_000

/** The optical frame (x right, y down, z forward) in the camera's body. */
const BODY_OPTICAL: Pose = { x: 0, y: 0, z: 0, qw: 0.5, qx: -0.5, qy: 0.5, qz: -0.5 }

interface Checked {
  readonly lens: string
  /** When the last frame was exposed that was looked at. */
  capturedUs: number
  check: LensCheck
  /** What the last one said that had all of its frames. */
  whole: CheckedLens | undefined
}

/** Of one device. */
export class LensChecks {
  readonly #streams = new Map<string, Checked>()
  #map: SolveMap | undefined
  #hash: string | undefined
  #revision = Number.NaN

  /** by: undefined where the map of that name has gone. */
  take({ round, solved: all }: SolvedRound, by: (mapId: string) => CheckedBy | undefined): void {
    const { solved, isSure, motions, map, revision } = all
    if (!solved || !isSure || !motions) return
    const parts = by(map.id)
    if (!parts) return
    if (!this.#map || this.#hash !== map.hash || this.#revision !== revision) {
      this.#streams.clear()
      this.#map = solveMapOf(parts.map)
      this.#hash = map.hash
      this.#revision = revision
    }
    for (const [n, { streamId, observation, capturedUs }] of round.frames.entries()) {
      if (Math.abs(capturedUs - (this.#streams.get(streamId)?.capturedUs ?? Number.NEGATIVE_INFINITY)) < EACH_US)
        continue
      const lens = parts.lensOf(streamId)
      const mount = mountOf(observation)
      const motion = motions[n]
      if (lens === undefined || !mount || !motion) continue
      const used = new Set(
        all.tags.filter((tag) => tag.used && tag.streamId === streamId).map(({ family, id }) => tagKey(family, id)),
      )
      if (used.size < MIN_CHECKED_TAGS) continue
      const optical = compose(compose(compose(solved.pose, motion), mount), BODY_OPTICAL)
      const checked = this.#checkedOf(streamId, lens, this.#map, parts)
      if (checked.check.add({ observation, optical, used })) checked.capturedUs = capturedUs
    }
  }

  /** Of a stream with that lens; undefined: nothing was seen by it. */
  of(streamId: string, lens: string): CheckedLens | undefined {
    const checked = this.#streams.get(streamId)
    if (checked?.lens !== lens) return undefined
    const { result } = checked.check
    // one that has just begun says less than the one before
    return checked.whole && result.evidence.frames < MAX_FRAMES / 4 ? checked.whole : result
  }

  #checkedOf(streamId: string, lens: string, map: SolveMap, { errors }: CheckedBy): Checked {
    const known = this.#streams.get(streamId)
    if (known?.lens === lens) {
      if (known.check.frames >= MAX_FRAMES) {
        known.whole = known.check.result
        known.check = new LensCheck(map, errors)
      }
      return known
    }
    const checked: Checked = {
      lens,
      capturedUs: Number.NEGATIVE_INFINITY,
      check: new LensCheck(map, errors),
      whole: undefined,
    }
    this.#streams.set(streamId, checked)
    return checked
  }
}
