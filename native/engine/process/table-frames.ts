// The engine's share of the robot's table: what each of its frames brings there, made here so that the control process
// need not.
import { RESULT_HEADER } from '../../../machines/engine/result.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import type { Installation } from '../../../machines/extcam/installation.ts'
import { type LiveControls, NO_LIVE_CONTROLS } from '../../../machines/extcam/live.ts'
import { TableFrames } from '../../../machines/extcam/table-frame.ts'
import type { PoseDocument } from '../../../machines/localization/pose.ts'
import { monotonicUs } from '../../clock/system.ts'
import type { EngineOpened, EngineTask } from '../port.ts'
import type { Layouts } from '../protocol/results.ts'
import { toFault } from './to-fault.ts'

const STARTED = RESULT_HEADER.indexOf('started_us')

const MAX_KEPT = 8 // results are two frames old at most, and on a turret each has a mount of its own

interface Since<Value> {
  readonly fromUs: number
  readonly value: Value
}

/** Something that is set while frames are on their way, each of which goes by what was set when it was begun. */
class Setting<Value> {
  #newest: Since<Value>
  #before: readonly Since<Value>[] = []

  constructor(value: Value) {
    this.#newest = { fromUs: Number.NEGATIVE_INFINITY, value }
  }

  /** fromUs: frames that are begun from then on go by it, CLOCK_MONOTONIC. */
  set(value: Value, fromUs: number): void {
    this.#before = [this.#newest, ...this.#before].slice(0, MAX_KEPT)
    this.#newest = { fromUs, value }
  }

  at(us: number): Value {
    if (us >= this.#newest.fromUs) return this.#newest.value
    const then = this.#before.find(({ fromUs }) => us >= fromUs) ?? this.#before.at(-1) ?? this.#newest
    return then.value
  }
}

/** Makes the sightings of what is open now. What the addon has computed a frame by, its sighting is made by. */
export class TableFrameMaker {
  readonly #warn: (fault: Fault) => void
  readonly #layouts: Layouts
  readonly #sightings = new TableFrames()
  #installation: Installation | undefined
  #live: Pick<LiveControls, 'priority_id' | 'aim_m' | 'localization_ids'> = NO_LIVE_CONTROLS
  #mount = new Setting<PoseDocument | null>(null)
  readonly #ids = new Setting(NO_LIVE_CONTROLS.localization_ids)
  readonly #nowUs: () => number

  /** warn: told once per opening of a bug, with which results come without sightings. */
  constructor(layouts: Layouts, warn: (fault: Fault) => void, nowUs: () => number = monotonicUs) {
    this.#layouts = layouts
    this.#warn = warn
    this.#nowUs = nowUs
  }

  /** What follows are the frames of another opening. */
  opened(task: EngineTask, { intrinsics, crop }: Pick<EngineOpened, 'intrinsics' | 'crop'>): void {
    this.#mount = new Setting(task.mount)
    this.#installation = task.sightings
      ? { map: task.map, intrinsics, crop, mount: task.mount, live: this.#live }
      : undefined
  }

  /** To be called when the addon has it. */
  setMount(mount: PoseDocument | null): void {
    this.#mount.set(mount, this.#nowUs())
    if (this.#installation) this.#installation = { ...this.#installation, mount }
  }

  /**
   * Which tag a robot wants to be the primary one, what of it it aims at, and from which it is found: of this opening
   * and those that follow. To be called when the addon has it.
   */
  setLive({ priority_id, aim_m, localization_ids }: LiveControls): void {
    this.#ids.set(localization_ids, this.#nowUs())
    this.#live = { priority_id, aim_m, localization_ids }
    if (this.#installation) this.#installation = { ...this.#installation, live: this.#live }
  }

  /**
   * The sighting of a packed result, good until the next one is made. undefined: nobody wants one, or the frame is of
   * no opening that was answered.
   */
  of(bytes: Uint8Array): Float64Array | undefined {
    if (!this.#installation) return undefined
    const data = doublesOf(bytes)
    const layout = this.#layouts.of(data)
    if (!layout) return undefined
    try {
      return this.#sightings.of({ layout, data }, this.#installationAt(data[STARTED] as number, this.#installation))
    } catch (bug) {
      this.#installation = undefined
      this.#warn(toFault(bug))
      return undefined
    }
  }

  /** As it was for a frame that was begun then; for all but those that something has overtaken it is as it is now. */
  #installationAt(us: number, now: Installation): Installation {
    const mount = this.#mount.at(us)
    const localization_ids = this.#ids.at(us)
    if (mount === now.mount && localization_ids === this.#live.localization_ids) return now
    return { ...now, mount, live: { ...this.#live, localization_ids } }
  }
}

/** The addon's bytes lie where doubles may. */
const doublesOf = ({ buffer, byteOffset, length }: Uint8Array): Float64Array =>
  new Float64Array(buffer, byteOffset, length / 8)
