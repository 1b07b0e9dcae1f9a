// What shines: pictures are computed ahead of their time and handed to whoever holds the outputs.
import { type Claim, standingOf } from '../../machines/lighting/claims.ts'
import { type LightingConfig, pixelsOf } from '../../machines/lighting/config.ts'
import { endOf, frameOf } from '../../machines/lighting/frame.ts'
import { bytesOf, type HeldOutput } from '../../machines/lighting/output-bytes.ts'
import type { LampFrame, LitOutputs } from '../../native/lighting/port.ts'
import type { StartTimer } from '../timer.ts'

/** Sixty pictures a second: faster is not seen, and 300 pixels of a strip take 9 ms to be sent. */
const FRAME_US = 16_667
/** This process may stand still for so long before anybody sees it. */
const AHEAD_US = 500_000
const REFILL_MS = 200
/** Pictures that take long to be computed come more seldom: they get a tenth of a core at most. */
const SHARE = 10
const MAX_FRAME_US = 250_000
/** Where this process is gone, the last picture stays for so long; then all is off. */
const HOLD_MS = 700

/** Outputs that are held, and how they are set up. */
export interface Stage {
  readonly lit: Pick<LitOutputs, 'play'>
  readonly outputs: readonly HeldOutput[]
  readonly config: LightingConfig
}

/** What a player works with. later: whose callbacks are guarded. */
export interface PlayerParts extends Stage {
  readonly nowUs: () => number
  readonly later: StartTimer
}

/** Plays on outputs from when it is made until it is stopped. */
export class Player {
  readonly #parts: PlayerParts
  #claims: readonly Claim[]
  #isCut: boolean
  #plannedUs = 0
  #frameUs = FRAME_US
  /** Whoever changes the lights again before that waits until then. */
  #restUntilUs = 0
  #unwait = () => {}

  constructor(parts: PlayerParts, claims: readonly Claim[], isCut: boolean) {
    this.#parts = parts
    this.#claims = claims
    this.#isCut = isCut
    this.#playFrom(parts.nowUs())
  }

  /** Shows others at once, or as soon as the time for that is there: a hundred changes at once are one. */
  set(claims: readonly Claim[], isCut: boolean): void {
    const { nowUs, later } = this.#parts
    this.#claims = claims
    this.#isCut = isCut
    const waitUs = isCut ? 0 : this.#restUntilUs - nowUs()
    if (waitUs <= 0) this.#playFrom(nowUs())
    else {
      this.#unwait()
      this.#unwait = later(Math.ceil(waitUs / 1_000), () => this.#playFrom(nowUs()))
    }
  }

  stop(): void {
    this.#unwait()
  }

  /** What is planned from that moment on is computed again. */
  #playFrom(fromUs: number): void {
    const { lit, nowUs, later } = this.#parts
    this.#unwait()
    const until = this.#isStill(fromUs) ? fromUs + 1 : nowUs() + AHEAD_US
    const frames: LampFrame[] = []
    const beganUs = nowUs()
    let at_us = fromUs
    for (; at_us < until; at_us += this.#frameUs) frames.push({ at_us, bytes: this.#bytesAt(at_us) })
    if (frames.length > 0) lit.play(frames, HOLD_MS)
    this.#plannedUs = at_us
    const tookUs = nowUs() - beganUs
    this.#restUntilUs = beganUs + SHARE * tookUs
    if (frames.length > 1) this.#frameUs = Math.min(MAX_FRAME_US, Math.max(FRAME_US, (SHARE * tookUs) / frames.length))
    if (this.#isDark) return // and stays so by itself
    this.#unwait = later(REFILL_MS, () => {
      const now = nowUs()
      this.#playFrom(this.#isStill(now) ? now : Math.max(now, this.#plannedUs))
    })
  }

  #bytesAt(at_us: number): Uint8Array {
    const { config, outputs } = this.#parts
    return bytesOf(config, outputs, (name) => {
      const holder = this.#isCut ? undefined : standingOf(this.#claims, name).holder
      const group = config.groups.find((each) => each.name === name)
      if (!holder || !group) return undefined
      return frameOf(holder.picture, { group: name, pixels: pixelsOf(group) }, at_us / 1_000 - holder.since_ms)
    })
  }

  get #isDark(): boolean {
    return this.#isCut || this.#claims.every(({ shows }) => shows === 'off')
  }

  /** Whether nothing moves from then on. */
  #isStill(at_us: number): boolean {
    if (this.#isCut) return true
    return this.#parts.config.groups.every(({ name }) => {
      const { holder } = standingOf(this.#claims, name)
      const end = holder ? endOf(holder.picture) : 0
      return end !== undefined && at_us / 1_000 - (holder?.since_ms ?? 0) >= end
    })
  }
}
