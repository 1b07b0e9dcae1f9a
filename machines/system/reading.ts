// What a device tells of itself at one moment, as counters where the kernel counts; what happened between two of them
// makes the metrics.
import type { SystemMetrics } from './metrics.ts'

/** How long a processor has computed, and how long it was there, in ticks since the start. */
export interface Ticks {
  readonly busy: number
  readonly all: number
}

/** A core at one moment. */
export interface CoreReading {
  /** null: it is switched off, or the kernel does not tell. */
  readonly ticks: Ticks | null
  readonly frequency_mhz: number | null
  readonly max_frequency_mhz: number | null
}

/** A process of the service, as its keeper knows it. */
export type ServiceProcess = Pick<SystemMetrics['processes'][number], 'part' | 'stream_id' | 'pid'>

/** A process at one moment. */
export interface ProcessReading extends ServiceProcess {
  /** What it has computed since it was started. */
  readonly cpu_ms: number | null
  readonly pss_bytes: number | null
  readonly rss_bytes: number | null
}

/** An interface at one moment. */
export type NetworkReading = Pick<SystemMetrics['network'][number], 'interface' | 'rx_bytes' | 'tx_bytes'>

/** What is told as it stands, besides what is counted. */
type ToldAsRead = Pick<SystemMetrics, 'at_us' | 'temperature' | 'throttling' | 'memory' | 'pressure' | 'disk'>

/** A device at one moment. */
export interface SystemReading extends ToldAsRead {
  readonly cpu: {
    /** Of all cores together. */
    readonly ticks: Ticks | null
    readonly cores: readonly CoreReading[]
    readonly load_averages: readonly [number, number, number] | null
  }
  readonly network: readonly NetworkReading[]
  readonly processes: readonly ProcessReading[]
}

const DECIMALS = 1_000

/** What happened from one reading to the next. previous: undefined for the first, which has no rates. */
export const metricsOf = (previous: SystemReading | undefined, now: SystemReading, at_ms: number): SystemMetrics => {
  const seconds = previous ? (now.at_us - previous.at_us) / 1e6 : 0
  const perSecond = (before: number | null | undefined, after: number | null) =>
    before === null || before === undefined || after === null || seconds <= 0 || after < before
      ? null
      : rounded((after - before) / seconds)
  const processBefore = new Map(previous?.processes.map((each) => [keyOf(each), each.cpu_ms]))
  const interfaceBefore = new Map(previous?.network.map((each) => [each.interface, each]))
  return {
    at_ms,
    at_us: now.at_us,
    cpu: {
      load: loadOf(previous?.cpu.ticks, now.cpu.ticks),
      cores: now.cpu.cores.map(({ ticks, frequency_mhz, max_frequency_mhz }, n) => ({
        load: loadOf(previous?.cpu.cores[n]?.ticks, ticks),
        frequency_mhz,
        max_frequency_mhz,
      })),
      load_averages: now.cpu.load_averages && [...now.cpu.load_averages],
    },
    temperature: now.temperature,
    throttling: now.throttling,
    memory: now.memory,
    pressure: now.pressure,
    disk: now.disk,
    network: now.network.map((each) => ({
      ...each,
      rx_bytes_per_s: perSecond(interfaceBefore.get(each.interface)?.rx_bytes, each.rx_bytes),
      tx_bytes_per_s: perSecond(interfaceBefore.get(each.interface)?.tx_bytes, each.tx_bytes),
    })),
    processes: now.processes.map(({ cpu_ms, ...each }) => {
      const msPerSecond = perSecond(processBefore.get(keyOf(each)), cpu_ms)
      return { ...each, cpu_load: msPerSecond === null ? null : rounded(msPerSecond / 1_000) }
    }),
  }
}

/** A number of the system is used again for another process. */
const keyOf = ({ part, stream_id, pid }: ServiceProcess): string => `${part} ${stream_id} ${pid}`

/** What the kernel counts may go backwards by a tick, and begins at 0 when a core is switched on again. */
const loadOf = (before: Ticks | null | undefined, after: Ticks | null): number | null => {
  if (!before || !after || after.all <= before.all) return null
  return rounded(Math.min(1, Math.max(0, (after.busy - before.busy) / (after.all - before.all))))
}

const rounded = (value: number): number => Math.round(value * DECIMALS) / DECIMALS
