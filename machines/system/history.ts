// The last ten minutes of the figures that are plotted: some columns of numbers, so that they take little room.
import type { Static } from 'typebox'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'
import type { SystemMetrics } from './metrics.ts'

/** How far back one can look. */
export const MAX_WINDOW_S = 600

/** The figures, each with where it stands in a sample. */
const COLUMNS = {
  cpu_load: ({ cpu }) => cpu.load,
  celsius: ({ temperature }) => temperature.celsius,
  slowed: ({ throttling }) => (throttling.now === null ? null : Number(throttling.now)),
  memory_available_bytes: ({ memory }) => memory.available_bytes,
  cpu_some_avg10: ({ pressure }) => pressure?.cpu.some_avg10 ?? null,
  memory_some_avg10: ({ pressure }) => pressure?.memory.some_avg10 ?? null,
  io_some_avg10: ({ pressure }) => pressure?.io.some_avg10 ?? null,
  disk_free_bytes: ({ disk }) => disk.free_bytes,
  rx_bytes_per_s: ({ network }) => sumOf(network.map((each) => each.rx_bytes_per_s)),
  tx_bytes_per_s: ({ network }) => sumOf(network.map((each) => each.tx_bytes_per_s)),
  service_cpu_load: ({ processes }) => sumOf(processes.map((each) => each.cpu_load)),
} satisfies Readonly<Record<string, (sample: SystemMetrics) => number | null>>
type Column = keyof typeof COLUMNS

const NAMES = Object.keys(COLUMNS) as readonly Column[]
const Figures = Type.Array(Type.Union([Type.Number(), Type.Null()]), {
  maxItems: MAX_WINDOW_S + 1,
  description: 'As the sample has it, the oldest first. null: the device did not tell.',
})

/** What is told of the last minutes. */
export const MetricsHistory = Type.Object(
  {
    at_ms: Type.Array(Type.Integer(), {
      maxItems: MAX_WINDOW_S + 1,
      description: 'When each sample was taken, Unix time by the clock as it is now, the oldest first.',
    }),
    ...(Object.fromEntries(NAMES.map((name) => [name, Figures])) as Readonly<Record<Column, typeof Figures>>),
  },
  {
    additionalProperties: false,
    title: 'MetricsHistory',
    description: oneLine`
      The samples of the last seconds, in columns of one length; there are none of the time in which nobody needed any.
      Network and processes are summed up; slowed is 1 while the processor was.
    `,
  },
)
export type MetricsHistory = Static<typeof MetricsHistory>

export const metricsHistoryExample: MetricsHistory = {
  at_ms: [1_767_225_599_000, 1_767_225_600_000],
  cpu_load: [0.4, 0.41],
  celsius: [58.2, 58.4],
  slowed: [0, 0],
  memory_available_bytes: [2_903_326_720, 2_903_326_720],
  cpu_some_avg10: [3, 3.1],
  memory_some_avg10: [0, 0],
  io_some_avg10: [0.4, 0.4],
  disk_free_bytes: [21_474_836_480, 21_474_836_480],
  rx_bytes_per_s: [4_000, 4_100],
  tx_bytes_per_s: [400_000, 410_000],
  service_cpu_load: [0.75, 0.76],
}

const WIDTH = NAMES.length + 1 // the first of each row is its time

/** A ring of samples; of each the figures alone. */
export class MetricsRing {
  readonly #rows = new Float64Array(WIDTH * MAX_WINDOW_S)
  #taken = 0

  add(sample: SystemMetrics): void {
    const start = (this.#taken % MAX_WINDOW_S) * WIDTH
    this.#rows[start] = sample.at_us
    for (const [n, name] of NAMES.entries()) this.#rows[start + 1 + n] = COLUMNS[name](sample) ?? Number.NaN
    this.#taken += 1
  }

  /** Those that are no older than that. now_us, now_ms: the two clocks. */
  since(window_s: number, now_us: number, now_ms: number): MetricsHistory {
    const first = Math.max(0, this.#taken - MAX_WINDOW_S)
    const starts = Array.from({ length: this.#taken - first }, (_, n) => ((first + n) % MAX_WINDOW_S) * WIDTH).filter(
      (start) => (this.#rows[start] as number) >= now_us - window_s * 1e6,
    )
    const column = (offset: number) =>
      starts.map((start) => {
        const figure = this.#rows[start + offset] as number
        return Number.isNaN(figure) ? null : figure
      })
    return {
      at_ms: starts.map((start) => Math.round(now_ms - (now_us - (this.#rows[start] as number)) / 1e3)),
      ...(Object.fromEntries(NAMES.map((name, n) => [name, column(n + 1)])) as Readonly<
        Record<Column, (number | null)[]>
      >),
    }
  }
}

const sumOf = (figures: readonly (number | null)[]): number | null => {
  const known = figures.filter((figure) => figure !== null)
  return known.length > 0 ? Math.round(known.reduce((sum, each) => sum + each, 0) * 1e3) / 1e3 : null
}
