// What the guard decides by: of the device once a second, and of each stream.
import type { SystemMetrics } from '../system/metrics.ts'

/** How the device does. null: it does not tell. */
export interface DeviceReading {
  readonly celsius: number | null
  /** At which the device slows itself down. */
  readonly limit_celsius: number | null
  readonly is_throttled: boolean | null
  /** The share of the last 10 s in which some program waited for a processor, %. */
  readonly cpu_pressure: number | null
  /** The share of the last second in which processors computed, %. */
  readonly cpu_load: number | null
  /** The share of the last 10 s in which some, and in which all, programs waited for memory, %. */
  readonly memory_some: number | null
  readonly memory_full: number | null
  /** Of all memory, what programs could still have, %. */
  readonly memory_available: number | null
  /** The share of the last 10 s in which all programs waited for the disk, %. */
  readonly io_full: number | null
  /** Of the disk with the data folder, what can still be written, %. */
  readonly disk_free: number | null
}

/** How a stream does. */
export interface StreamReading {
  readonly id: string
  /** Of its manifest: who has a higher one is cut later. */
  readonly priority: number
  /** Whether the robot is told of it. */
  readonly is_published: boolean
  /** Whether it is to run. */
  readonly runs: boolean
  /** Whether its pictures are processed now. */
  readonly is_live: boolean
  /** Pictures a second of its camera; undefined: it has not said. */
  readonly fps: number | undefined
  /**
   * Of the last two seconds, µs from mid-exposure to the result: what nine of ten frames did not take longer than, and
   * one of ten took at most; null: there were none.
   */
  readonly latency_us: { readonly p10: number; readonly p90: number } | null
  readonly is_watched: boolean
  readonly is_recorded: boolean
}

const percentOf = (part: number | null, whole: number | null): number | null =>
  part === null || whole === null || whole <= 0 ? null : (100 * part) / whole

/** What of the device's figures counts. */
export const deviceReading = (metrics: SystemMetrics): DeviceReading => {
  const { cpu, temperature, throttling, memory, pressure, disk } = metrics
  return {
    celsius: temperature.celsius,
    limit_celsius: temperature.limit_celsius,
    is_throttled: throttling.now,
    cpu_pressure: pressure?.cpu.some_avg10 ?? null,
    cpu_load: cpu.load === null ? null : 100 * cpu.load,
    memory_some: pressure?.memory.some_avg10 ?? null,
    memory_full: pressure?.memory.full_avg10 ?? null,
    memory_available: percentOf(memory.available_bytes, memory.total_bytes),
    io_full: pressure?.io.full_avg10 ?? null,
    disk_free: percentOf(disk.free_bytes, disk.total_bytes),
  }
}
