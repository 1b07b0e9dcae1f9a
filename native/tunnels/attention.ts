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
  #sinceMs = 0
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

  /** Bytes have come, and are going to be read. */
  came(): void {
    if (!this.#upstream.isWithin()) this.#sinceMs = performance.now()
  }

  /** What was begun is whole. */
  whole(): void {
    this.#sinceMs = performance.now()
  }

  /** Somebody has room. */
  listen(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#sinceMs = performance.now()
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
    if (this.#isPaused || !this.#upstream.isWithin() || performance.now() - this.#sinceMs <= partMs) return
    tooSlow(`a part of it was not whole after ${partMs / 1000} s`)
  }
}
