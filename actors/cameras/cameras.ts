// The list of cameras, for all readers: what the last scan found, by the units that are stored.
import type { ModeConditions } from '../../machines/cameras/best-mode.ts'
import { type AskedNode, isCamera } from '../../machines/cameras/camera-info.ts'
import { type PresentCamera, type Recognised, recognise } from '../../machines/cameras/recognise.ts'
import { type CameraUnit, cameraCollection } from '../../machines/cameras/unit.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { Listeners, type OnBug } from '../../machines/listeners.ts'
import { documentsOf, type SettingsStore } from '../../machines/settings/store.ts'

/** What a look found. */
export interface Look {
  /** All device files for video. */
  readonly nodes: readonly AskedNode[]
  /** Why the system does not say. */
  readonly fault: Fault | null
}

/** Told with each look that found something new, and with each change of what is stored about cameras. */
export class Cameras {
  readonly #settings: SettingsStore
  readonly #changed: Listeners<void>
  #look: Look = { nodes: [], fault: null }
  #hasLooked = false
  #stored: object | undefined
  #recognised: Recognised = { present: [], newcomers: [], absent: [] }

  readonly #cores: number

  /** cores: of the processor. */
  constructor(settings: SettingsStore, cores: number, onBug?: OnBug) {
    this.#settings = settings
    this.#cores = cores
    this.#changed = new Listeners(onBug)
    settings.subscribe(() => {
      if (documentsOf(settings, cameraCollection) !== this.#stored) this.#changed.notify()
    })
  }

  /** Whether anybody has looked since the start. */
  get hasLooked(): boolean {
    return this.#hasLooked
  }

  get fault(): Fault | null {
    return this.#look.fault
  }

  /** All device files for video that are there, cameras or not. */
  get nodes(): readonly AskedNode[] {
    return this.#look.nodes
  }

  get recognised(): Recognised {
    this.#recognise()
    return this.#recognised
  }

  /** In the order in which they were met. */
  get units(): readonly CameraUnit[] {
    return Object.values(documentsOf(this.#settings, cameraCollection)).map(({ value }) => value)
  }

  /** A camera that is plugged in, by its lasting name. */
  present(uid: string): PresentCamera | undefined {
    return this.recognised.present.find(({ unit }) => unit.camera_uid === uid)
  }

  /** What the mode of a camera is chosen by, beside the modes that it has. */
  conditionsOf({ usb }: AskedNode): ModeConditions {
    return { cores: this.#cores, speed_mbit_s: usb?.speed_mbit_s ?? null }
  }

  /** What a look found. The one who looks says so (actors/cameras/cameras-actor.ts). */
  show(look: Look): void {
    this.#look = look
    this.#hasLooked = true
    this.#stored = undefined
    this.#changed.notify()
  }

  subscribe(changed: () => void): () => void {
    return this.#changed.add(changed)
  }

  /** Once for each look and each state of what is stored. */
  #recognise(): void {
    const stored = documentsOf(this.#settings, cameraCollection)
    if (stored === this.#stored) return
    this.#stored = stored
    this.#recognised = recognise(this.#look.nodes.filter(isCamera), this.units)
  }
}
