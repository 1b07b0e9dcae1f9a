// A pipeline that a stream runs for a while. In memory alone: a service that starts again runs what is stored.
import { Listeners, type OnBug } from '../../machines/listeners.ts'
import type { CanonicalGraph } from '../../machines/pipeline/graph.ts'
import { isSameJson } from '../../machines/settings/same-json.ts'
import type { PipelineTrial } from '../../machines/stream/status.ts'
import { type Clock, monotonicMs } from '../../native/clock/port.ts'

const MS_IN_S = 1_000

/** The one of a stream, if any: whoever tries one puts it into the place of the one before. */
export class TriedPipeline {
  readonly #clock: Pick<Clock, 'nowMs' | 'monotonicUs'>
  readonly #changed: Listeners<void>
  #graph: CanonicalGraph | undefined
  #untilMs = 0
  #turn = 0

  constructor(clock: Pick<Clock, 'nowMs' | 'monotonicUs'>, onBug?: OnBug) {
    this.#clock = clock
    this.#changed = new Listeners(onBug)
  }

  /** undefined: none is tried. */
  get graph(): CanonicalGraph | undefined {
    return this.#graph
  }

  /** Another number whenever another one is tried, or somebody wants none to be, also while none is. */
  get turn(): number {
    return this.#turn
  }

  /** As a status shows it. */
  get status(): PipelineTrial | null {
    if (!this.#graph) return null
    const leftMs = Math.max(0, this.#untilMs - monotonicMs(this.#clock))
    return { graph: this.#graph, until_ms: Math.round(this.#clock.nowMs() + leftMs) }
  }

  /** Has it run from now on, for so many seconds. The same one again: so much longer. */
  begin(graph: CanonicalGraph, seconds: number): void {
    const isSame = this.#graph !== undefined && isSameJson(this.#graph, graph)
    this.#untilMs = monotonicMs(this.#clock) + seconds * MS_IN_S
    if (isSame) return
    this.#turn += 1
    this.#graph = graph
    this.#changed.notify()
  }

  /** Has the stream run what is stored. */
  end(): void {
    this.#turn += 1
    if (!this.#graph) return
    this.#graph = undefined
    this.#changed.notify()
  }

  /** Ends it when its time is over. */
  endInTime(): void {
    if (monotonicMs(this.#clock) >= this.#untilMs) this.end()
  }

  /** Calls back when another one is tried, or none any more; returns the way to stop that. */
  onChanged(changed: () => void): () => void {
    return this.#changed.add(changed)
  }
}
