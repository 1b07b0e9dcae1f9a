// The engine's share of the robot's table: what each of its frames brings there, made here so that the control process need not.
import type { Fault } from '../../machines/errors/fault.ts'
import type { Installation } from '../../machines/extcam/installation.ts'
import { type LiveControls, NO_LIVE_CONTROLS } from '../../machines/extcam/live.ts'
import { Sightings } from '../../machines/extcam/sighting.ts'
import type { PoseDocument } from '../../machines/localization/pose.ts'
import type { Layouts } from './layouts.ts'
import type { EngineOpened, EngineTask } from './port.ts'
import { toFault } from './thrown.ts'

/** Makes the sightings of what is open now. */
export class SightMaker {
  readonly #warn: (fault: Fault) => void
  readonly #layouts: Layouts
  readonly #sightings = new Sightings()
  #installation: Installation | undefined
  #live: Pick<LiveControls, 'priority_id' | 'aim_m' | 'localization_ids'> = NO_LIVE_CONTROLS

  /** warn: told once per opening of a bug, with which results come without sightings. */
  constructor(layouts: Layouts, warn: (fault: Fault) => void) {
    this.#layouts = layouts
    this.#warn = warn
  }

  /** What follows are the frames of another opening. */
  opened(task: EngineTask, { intrinsics, crop }: EngineOpened): void {
    this.#installation = task.sightings
      ? { map: task.map, intrinsics, crop, mount: task.mount, live: this.#live }
      : undefined
  }

  setMount(mount: PoseDocument | null): void {
    if (this.#installation) this.#installation = { ...this.#installation, mount }
  }

  /** Which tag a robot wants to be the primary one, what of it it aims at, and from which it is found: of this opening and those that follow. */
  setLive({ priority_id, aim_m, localization_ids }: LiveControls): void {
    this.#live = { priority_id, aim_m, localization_ids }
    if (this.#installation) this.#installation = { ...this.#installation, live: this.#live }
  }

  /** The sighting of a packed result, good until the next one is made. undefined: nobody wants one, or the frame is of no opening that was answered. */
  of(bytes: Uint8Array): Float64Array | undefined {
    if (!this.#installation) return undefined
    const data = doublesOf(bytes)
    const layout = this.#layouts.of(data)
    if (!layout) return undefined
    try {
      return this.#sightings.of({ layout, data }, this.#installation)
    } catch (bug) {
      this.#installation = undefined
      this.#warn(toFault(bug))
      return undefined
    }
  }
}

/** The addon's bytes lie where doubles may. */
const doublesOf = ({ buffer, byteOffset, length }: Uint8Array): Float64Array =>
  new Float64Array(buffer, byteOffset, length / 8)
