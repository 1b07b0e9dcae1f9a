// What is looked at every now and then while a tunnel is open, the same for live pictures and for messages: viewers who
// take nothing, and a peer that begins a picture and does not end it.
import type { TunnelLimits } from './limits.ts'
import type { Viewers } from './viewers.ts'

/** What comes from the peer. isWithin: whether something is begun there and not whole. */
export interface Upstream {
  readonly isWithin: () => boolean
  readonly pause: () => void
  readonly resume: () => void
}

/** Keeps the limits of a tunnel from when it is made until it is stopped. */
export class StallWatch {
  readonly #limits: TunnelLimits
  readonly #viewers: Pick<Viewers<never>, 'dismiss' | 'isBehind'>
  readonly #upstream: Upstream
  readonly #look: NodeJS.Timeout
  #wholes = 0
  // at the last look: how many were whole before what was begun; undefined: nothing was, or nobody listened
  #begun: number | undefined
  #sinceMs = 0 // the look that first saw that
  #isPaused = false

  /** tooSlow: told, with a sentence, when something is not whole in time. */
  constructor(
    limits: TunnelLimits,
    viewers: Pick<Viewers<never>, 'dismiss' | 'isBehind'>,
    upstream: Upstream,
    tooSlow: (why: string) => void,
  ) {
    this.#limits = limits
    this.#viewers = viewers
    this.#upstream = upstream
    this.#look = setInterval(() => this.#lookAround(tooSlow), limits.lookMs).unref()
  }

  /** What was begun is whole. Counted and no more: this is done for each picture. */
  whole(): void {
    this.#wholes += 1
  }

  /** Somebody has room. */
  listen(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#upstream.resume()
  }

  stop(): void {
    clearInterval(this.#look)
  }

  #lookAround(tooSlow: (why: string) => void): void {
    const { partMs, pauseMs, stallMs } = this.#limits
    this.#viewers.dismiss(stallMs)
    if (!this.#viewers.isBehind(pauseMs)) this.listen()
    else if (!this.#isPaused) {
      this.#isPaused = true
      this.#upstream.pause()
    }
    const begun = !this.#isPaused && this.#upstream.isWithin() ? this.#wholes : undefined
    if (begun !== this.#begun) {
      this.#begun = begun
      this.#sinceMs = performance.now()
    } else if (begun !== undefined && performance.now() - this.#sinceMs > partMs) {
      tooSlow(`a part of it was not whole after ${partMs / 1000} s`)
    }
  }
}
