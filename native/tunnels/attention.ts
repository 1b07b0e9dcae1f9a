// What is looked at every now and then while a tunnel is open, the same for live pictures and for messages: viewers who take nothing, and a peer that begins a picture and does not end it.
import type { Crowd } from './crowd.ts'
import type { TunnelLimits } from './limits.ts'

/** What comes from the peer. isWithin: whether something is begun there and not whole. */
export interface Upstream {
  readonly isWithin: () => boolean
  readonly pause: () => void
  readonly resume: () => void
}

/** Keeps the limits of a tunnel from when it is made until it is stopped. */
export class Attention {
  readonly #limits: TunnelLimits
  readonly #crowd: Pick<Crowd<never>, 'dismiss' | 'isBehind'>
  readonly #upstream: Upstream
  readonly #look: NodeJS.Timeout
  #wholes = 0
  #wholesThen = 0 // at the last look
  #sinceMs = 0 // the last look that found nothing begun, or something whole since the one before
  #isPaused = false

  /** tooSlow: told, with a sentence, when something is not whole in time. */
  constructor(
    limits: TunnelLimits,
    crowd: Pick<Crowd<never>, 'dismiss' | 'isBehind'>,
    upstream: Upstream,
    tooSlow: (why: string) => void,
  ) {
    this.#limits = limits
    this.#crowd = crowd
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
    this.#crowd.dismiss(stallMs)
    if (!this.#crowd.isBehind(pauseMs)) this.listen()
    else if (!this.#isPaused) {
      this.#isPaused = true
      this.#upstream.pause()
    }
    if (this.#isPaused || !this.#upstream.isWithin() || this.#wholes !== this.#wholesThen) {
      this.#wholesThen = this.#wholes
      this.#sinceMs = performance.now()
    } else if (performance.now() - this.#sinceMs > partMs) {
      tooSlow(`a part of it was not whole after ${partMs / 1000} s`)
    }
  }
}
