// The figures of one stream, from the headers of its results. Bounded: it remembers two hundred frames.
import { header, RESULT_HEADER, type Result } from '../engine/result.ts'

const WINDOW = 200 // frames: six seconds at 30 fps, enough for a steady median
const FPS_WINDOW_US = 2_000_000

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
  readonly stages_us: readonly {
    readonly id: string
    readonly p50: number
    readonly p90: number
    readonly p99: number
  }[]
}

const FINISHED = RESULT_HEADER.indexOf('finished_us')

/** Keeps the last results of a stream; reading computes, recording only stores. */
export class StreamMeter {
  readonly #ring: (Result | undefined)[] = new Array(WINDOW).fill(undefined)
  #frames = 0

  record(result: Result): void {
    this.#ring[this.#frames % WINDOW] = result
    this.#frames++
  }

  /** Processed frames since the stream was created, over all restarts. */
  get frames(): number {
    return this.#frames
  }

  /** Frames per second over the last two seconds before nowUs (CLOCK_MONOTONIC); 0 when none came. */
  fps(nowUs: number): number {
    const since = nowUs - FPS_WINDOW_US
    const times = this.#results()
      .map((result) => result.data[FINISHED] as number)
      .filter((at) => at > since)
    const spanUs = times.length > 1 ? (times.at(-1) as number) - (times[0] as number) : 0
    if (spanUs <= 0) return 0
    // A stream that stopped a second ago shall not show its old rate: the gap up to now counts once it is longer than a frame.
    const gapUs = nowUs - (times.at(-1) as number)
    const meanUs = spanUs / (times.length - 1)
    return (times.length - 1) / ((spanUs + Math.max(0, gapUs - 2 * meanUs)) / 1e6)
  }

  figures(nowUs: number): StreamFigures {
    const results = this.#results()
    const newest = results.at(-1)
    const sameLayout = newest ? results.filter((result) => result.layout === newest.layout) : []
    return {
      frames: this.#frames,
      skipped: newest ? header(newest, 'skipped') : 0,
      fps: this.fps(nowUs),
      latency_us: spread(results.map((result) => header(result, 'finished_us') - header(result, 'captured_us'))),
      processing_us: spread(results.map((result) => header(result, 'finished_us') - header(result, 'started_us'))),
      cpu_us: spread(results.map((result) => header(result, 'cpu_us'))),
      stages_us: (newest?.layout.stages ?? []).map((id, stage) => ({
        id,
        ...(spread(sameLayout.map((result) => result.data[RESULT_HEADER.length + stage] as number)) as Spread),
      })),
    }
  }

  /** Oldest first. */
  #results(): Result[] {
    const start = this.#frames % WINDOW
    return [...this.#ring.slice(start), ...this.#ring.slice(0, start)].filter((result) => result !== undefined)
  }
}

const spread = (values: number[]): Spread | null => {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const at = (q: number) => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] as number
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99) }
}
