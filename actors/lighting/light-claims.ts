// What robots want of the lights. It outlives the actor that shows it: one that is started again is told.
import { type Claim, PRIORITY } from '../../machines/lighting/claims.ts'
import type { LightingConfig } from '../../machines/lighting/config.ts'
import { ledPicture } from '../../machines/lighting/led-mode.ts'

/** What they are told to. */
interface ClaimHeard {
  readonly made: (claim: Claim) => void
  readonly ended: (owner: string) => void
}

/** What they are made with. */
export interface LightClaimsParts {
  readonly nowMs: () => number
  readonly config: () => LightingConfig
  /** Why no light of this device can shine; undefined: some can, or it is not known yet. */
  readonly nothingLights: () => string | undefined
}

interface LedMode {
  readonly mode: number
  readonly since_ms: number
}

export class LightClaims {
  readonly #parts: LightClaimsParts
  readonly #modes = new Map<string, LedMode>()
  #heard: ClaimHeard | undefined

  constructor(parts: LightClaimsParts) {
    this.#parts = parts
  }

  /**
   * What a robot has set on the camera that a stream is to it: 0 to 8, of which 0 leaves the lights to the device.
   * Returns why nothing lights, in words that follow a colon; undefined where something does.
   */
  setLedMode(stream_id: string, mode: number): string | undefined {
    const owner = `robot:${stream_id}`
    const before = this.#modes.get(owner)
    if (mode === 0) this.#modes.delete(owner)
    else this.#modes.set(owner, { mode, since_ms: this.#parts.nowMs() })
    if (before?.mode === mode) return this.#parts.nothingLights()
    const claim = this.#claimOf(owner)
    if (claim) this.#heard?.made(claim)
    else if (before) this.#heard?.ended(owner)
    return this.#parts.nothingLights()
  }

  /** All that are in force, as the configuration has them now. */
  all(): readonly Claim[] {
    return [...this.#modes.keys()].flatMap((owner) => this.#claimOf(owner) ?? [])
  }

  /** Tells of changes from now on; returns the way to stop that. */
  listen(heard: ClaimHeard): () => void {
    this.#heard = heard
    return () => {
      if (this.#heard === heard) this.#heard = undefined
    }
  }

  #claimOf(owner: string): Claim | undefined {
    const said = this.#modes.get(owner)
    const asked = said && ledPicture(said.mode, this.#parts.config())
    if (!asked) return undefined
    const { since_ms } = said
    return { owner, kind: 'robot', priority: PRIORITY.robot, group: null, since_ms, until_ms: null, ...asked }
  }
}
