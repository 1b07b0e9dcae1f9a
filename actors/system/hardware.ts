// How the device does, in the figures that the robot's tables have.
import type { Hardware } from '../../machines/extcam/snapshot.ts'
import type { SystemMetrics } from '../../machines/system/metrics.ts'
import type { HardwareSource, SystemMetricsSource } from './tokens.ts'

const MEGABYTE = 1e6
const PERCENT = 100

/** Figures that the device does not tell are left out. */
export const hardwareOf = (source: Pick<SystemMetricsSource, 'latest' | 'needForAWhile'>): HardwareSource => {
  let known: { readonly sample: SystemMetrics; readonly hardware: Hardware } | undefined
  return {
    latest: () => {
      source.needForAWhile()
      const sample = source.latest.value
      if (!sample) return undefined
      if (known?.sample !== sample) known = { sample, hardware: figuresOf(sample) }
      return known.hardware
    },
  }
}

const figuresOf = ({ temperature, cpu, memory, disk }: SystemMetrics): Hardware => {
  const { available_bytes, total_bytes } = memory
  return {
    ...(temperature.celsius !== null && { temp: temperature.celsius }),
    ...(cpu.load !== null && { cpu: PERCENT * cpu.load }),
    ...(available_bytes !== null && total_bytes && { ram: PERCENT * (1 - available_bytes / total_bytes) }),
    ...(disk.free_bytes !== null && { dfree: disk.free_bytes / MEGABYTE }),
    ...(disk.total_bytes !== null && { dtot: disk.total_bytes / MEGABYTE }),
  }
}
