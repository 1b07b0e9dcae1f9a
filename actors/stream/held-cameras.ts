// Cameras that something else than a stream has for a while. In memory alone: a service that starts again holds none.
import type { Fault } from '../../machines/errors/fault.ts'
import { Listeners, type OnBug } from '../../machines/listeners.ts'

/** What a hold is known by. */
type Hold = { readonly why: Fault }

/** By the uid of the camera; streams that have one of them are paused, also one that is given it meanwhile. */
export class HeldCameras {
  readonly #holds = new Map<string, Hold>()
  readonly #changed: Listeners<void>

  constructor(onBug?: OnBug) {
    this.#changed = new Listeners(onBug)
  }

  /** Holds a camera until the returned function is called. why: what its streams say meanwhile. */
  hold(camera_uid: string, why: Fault): () => void {
    const own: Hold = { why }
    this.#holds.set(camera_uid, own)
    this.#changed.notify()
    return () => {
      if (this.#holds.get(camera_uid) !== own) return
      this.#holds.delete(camera_uid)
      this.#changed.notify()
    }
  }

  /** Why no stream may open it; undefined: one may. */
  why(camera_uid: string | undefined): Fault | undefined {
    return camera_uid === undefined ? undefined : this.#holds.get(camera_uid)?.why
  }

  /** Calls back when a camera was held or let go; returns the way to stop that. */
  subscribe(changed: () => void): () => void {
    return this.#changed.add(changed)
  }
}
