// The figures of one stream, from the headers of its results. Bounded: it remembers two hundred frames.
import { RESULT_HEADER, type Result, type ResultLayout } from '../engine/result.ts'

const WINDOW = 200 // frames: six seconds at 30 fps, enough for a steady median
const FPS_WINDOW_US = 2_000_000
// of a stream of which a robot wants few frames: the same after which a camera counts as silent
const MAX_PAUSE_US = 3_000_000

/** Quantiles of one quantity over the window. */
export interface Spread {
  readonly p50: number
  readonly p90: number
  readonly p99: number
}

/** What a stream has done. Latencies: from mid-exposure to the end of processing. stages_us in plan order. */
export interface StreamFigures {
  readonly frames: number
  readonly skipped: number
  readonly fps: number
  readonly latency_us: Spread | null
  readonly processing_us: Spread | null
  readonly cpu_us: Spread | null
  readonly stages_us: readonly (Spread & { readonly id: string })[]
}

/** The time of something in each frame of the window, µs. */
export interface Timing {
  readonly median_us: number
  readonly max_us: number
}

/**
 * Where the time of the last frames of one plan went, of which there is at least one. share: of the time of all, 0 to
 * 1. In plan order.
 */
export interface StreamProfile {
  readonly processing: Timing
  readonly stages: readonly (Timing & { readonly id: string; readonly share: number })[]
}

const NUMBERS = ['captured_us', 'started_us', 'finished_us', 'cpu_us', 'skipped', 'plan'] as const
const COLUMNS = NUMBERS.map((field) => RESULT_HEADER.indexOf(field))
const [CAPTURED, STARTED, FINISHED, CPU, SKIPPED, PLAN] = [0, 1, 2, 3, 4, 5] as const // in NUMBERS; the stages follow

/** Keeps the numbers of a stream's last results, not the results; reading computes, recording only stores. */
export class StreamMeter {
  #layout: ResultLayout | undefined
  #stride = 0
  #ring = new Float64Array(0)
  /** Since the ring is there: another layout has another one. */
  #kept = 0
  #frames = 0

  record({ layout, data }: Result): void {
    if (layout !== this.#layout) this.#take(layout)
    const ring = this.#ring
    const stride = this.#stride
    const row = (this.#kept % WINDOW) * stride
    for (let i = 0; i < COLUMNS.length; i++) ring[row + i] = data[COLUMNS[i] as number] as number
    for (let i = COLUMNS.length; i < stride; i++)
      ring[row + i] = data[RESULT_HEADER.length + i - COLUMNS.length] as number
    this.#kept++
    this.#frames++
  }

  /** Processed frames since the stream was created, over all restarts. */
  get frames(): number {
    return this.#frames
  }

  /**
   * Frames per second over the last two seconds before nowUs (CLOCK_MONOTONIC), or of the last two frames where they
   * are rarer; 0 when none came.
   */
  fps(nowUs: number): number {
    const all = this.#column(FINISHED)
    const [before = 0, last = 0] = all.slice(-2)
    const areRare = last - before >= FPS_WINDOW_US / 2 && nowUs - last < MAX_PAUSE_US
    const recent = all.filter((at) => at > nowUs - FPS_WINDOW_US)
    const times = areRare && recent.length < 2 ? [before, last] : recent
    const spanUs = times.length > 1 ? (times.at(-1) as number) - (times[0] as number) : 0
    if (spanUs <= 0) return 0
    // A stream that stopped a second ago shall not show its old rate: the gap up to now counts once it is longer than a
    // frame.
    const gapUs = nowUs - (times.at(-1) as number)
    const meanUs = spanUs / (times.length - 1)
    return (times.length - 1) / ((spanUs + Math.max(0, gapUs - 2 * meanUs)) / 1e6)
  }

  /** The median from mid-exposure to the end of processing; null before the first frame. */
  latencyUs(): number | null {
    const captured = this.#column(CAPTURED)
    return spread(this.#column(FINISHED).map((at, n) => at - (captured[n] as number)))?.p50 ?? null
  }

  /**
   * Of the frames of the last two seconds, from mid-exposure to the end of processing: what one of ten and nine of ten
   * took at most; null: there were none.
   */
  recentLatency(nowUs: number): { readonly p10: number; readonly p90: number } | null {
    const captured = this.#column(CAPTURED)
    const recent = this.#column(FINISHED).flatMap((at, n) =>
      at > nowUs - FPS_WINDOW_US ? [at - (captured[n] as number)] : [],
    )
    if (recent.length === 0) return null
    const sorted = recent.sort((a, b) => a - b)
    const at = (q: number) => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] as number
    return { p10: at(0.1), p90: at(0.9) }
  }

  figures(nowUs: number): StreamFigures {
    const [captured, started, finished] = [this.#column(CAPTURED), this.#column(STARTED), this.#column(FINISHED)]
    return {
      frames: this.#frames,
      skipped: this.#column(SKIPPED).at(-1) ?? 0,
      fps: this.fps(nowUs),
      latency_us: spread(finished.map((at, n) => at - (captured[n] as number))),
      processing_us: spread(finished.map((at, n) => at - (started[n] as number))),
      cpu_us: spread(this.#column(CPU)),
      stages_us: (this.#layout?.stages ?? []).map((id, stage) => ({
        id,
        ...(spread(this.#column(COLUMNS.length + stage)) as Spread),
      })),
    }
  }

  /** Of the plan that gave the newest frame; null before the first frame. */
  profile(): StreamProfile | null {
    const plans = this.#column(PLAN)
    const first = 1 + plans.findLastIndex((plan) => plan !== plans.at(-1))
    const ofPlan = (column: number) => this.#column(column).slice(first)
    const [started, finished] = [ofPlan(STARTED), ofPlan(FINISHED)]
    const processing = finished.map((at, n) => at - (started[n] as number))
    if (processing.length === 0) return null
    const whole = sum(processing)
    const stages = (this.#layout?.stages ?? []).map((id, stage) => {
      const times = ofPlan(COLUMNS.length + stage)
      return { id, ...timing(times), share: whole > 0 ? rounded(Math.min(1, sum(times) / whole)) : 0 }
    })
    return { processing: timing(processing), stages }
  }

  /** Frames of the same stages go on where those before ended. */
  #take(layout: ResultLayout): void {
    const before = this.#layout?.stages.join(' ')
    this.#layout = layout
    if (layout.stages.join(' ') === before) return
    this.#stride = COLUMNS.length + layout.stages.length
    this.#ring = new Float64Array(WINDOW * this.#stride)
    this.#kept = 0
  }

  /** One number of each of the last results, oldest first. */
  #column(column: number): number[] {
    const count = Math.min(this.#kept, WINDOW)
    const first = this.#kept - count
    return Array.from({ length: count }, (_, n) => this.#ring[((first + n) % WINDOW) * this.#stride + column] as number)
  }
}

const spread = (values: readonly number[]): Spread | null => {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const at = (q: number) => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] as number
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99) }
}

const timing = (values: readonly number[]): Timing => ({
  median_us: spread(values)?.p50 ?? 0,
  max_us: values.reduce((most, each) => Math.max(most, each), 0),
})

const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0)

/** To a hundredth of a percent. */
const rounded = (share: number): number => Math.round(share * 10_000) / 10_000
