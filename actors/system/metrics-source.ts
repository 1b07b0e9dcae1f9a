// Who needs to know how the device does, and the newest sample for them. Lives as long as the service.
import * as Effect from 'effect/Effect'
import { Latest } from '../../machines/latest.ts'
import type { OnBug } from '../../machines/listeners.ts'
import { type MetricsHistory, MetricsRing } from '../../machines/system/history.ts'
import type { SystemMetrics } from '../../machines/system/metrics.ts'
import { type Clock, monotonicMs } from '../../native/clock/port.ts'
import type { SystemMetricsSource } from './tokens.ts'

const A_WHILE_MS = 30_000 // who asks every few seconds finds a fresh sample each time

const MAX_WAIT_MS = 2_000

/** What it works with. */
export interface MetricsSourceParts {
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicUs'>
  readonly onBug?: OnBug | undefined
}

export class MetricsSource implements SystemMetricsSource {
  readonly latest: Latest<SystemMetrics | undefined>
  /** Whether anybody needs samples. */
  readonly isNeeded: Latest<boolean>
  readonly need = Effect.asVoid(
    Effect.acquireRelease(
      Effect.sync(() => this.#take()),
      (release) => Effect.sync(release),
    ),
  )
  readonly #clock: MetricsSourceParts['clock']
  readonly #ring = new MetricsRing()
  #needs = 0
  #untilMs = Number.NEGATIVE_INFINITY
  #release: (() => void) | undefined

  constructor({ clock, onBug }: MetricsSourceParts) {
    this.#clock = clock
    this.latest = new Latest(onBug)
    this.isNeeded = new Latest(onBug)
    this.isNeeded.set(false)
  }

  needForAWhile(): void {
    this.#untilMs = monotonicMs(this.#clock) + A_WHILE_MS
    this.#release ??= this.#take()
  }

  async ask(): Promise<SystemMetrics | undefined> {
    this.needForAWhile()
    return this.latest.value ?? (await this.#first())
  }

  historyOf(window_s: number): MetricsHistory {
    return this.#ring.since(window_s, this.#clock.monotonicUs(), this.#clock.nowMs())
  }

  /** A sample was taken. */
  take(sample: SystemMetrics): void {
    this.#ring.add(sample)
    this.latest.set(sample)
  }

  #first(): Promise<SystemMetrics | undefined> {
    return new Promise((resolve) => {
      const end = (sample: SystemMetrics | undefined) => {
        clearTimeout(timer)
        stop()
        resolve(sample)
      }
      const stop = this.latest.subscribe((sample) => {
        if (sample) end(sample)
      })
      const timer = setTimeout(() => end(undefined), MAX_WAIT_MS)
    })
  }

  /** Called after each sample: who asked long ago does not need it any more. */
  forget(): void {
    if (monotonicMs(this.#clock) < this.#untilMs) return
    const release = this.#release
    this.#release = undefined
    release?.()
  }

  #take(): () => void {
    this.#needs += 1
    if (this.#needs === 1) this.isNeeded.set(true)
    return () => {
      this.#needs -= 1
      if (this.#needs > 0) return
      this.isNeeded.set(false)
      this.latest.set(undefined)
    }
  }
}
