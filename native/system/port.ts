// What a device tells of itself: how it does, what it runs on.
import type { SystemMetrics } from '../../machines/system/metrics.ts'
import type { ServiceProcess, SystemReading } from '../../machines/system/reading.ts'
import { token } from '../../machines/token.ts'

/** Reads how the device does, again and again. What it holds open for that it gives back when it is closed. */
export interface SystemReader {
  /**
   * How the device does now. Never fails and never waits for long: what cannot be read is null, and a part that takes
   * long (a sensor on a slow bus) is told as it was read last, for some seconds.
   */
  readonly read: (processes: readonly ServiceProcess[]) => Promise<SystemReading>
  readonly close: () => void
}

export interface SystemPort {
  readonly open: () => SystemReader
  /** Whether the processor is slowed down, and why: a look at the few files that tell. Never fails. */
  readonly throttling: () => Promise<SystemMetrics['throttling']>
}

/** This device. */
export const SYSTEM = token<SystemPort>('system')
