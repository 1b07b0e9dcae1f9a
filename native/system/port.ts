// What a device tells of itself: how it does, what it runs on.
import type { SystemMetrics } from '../../machines/system/metrics.ts'
import type { Fan, Peripheral } from '../../machines/system/peripherals.ts'
import type { PowerRail } from '../../machines/system/power.ts'
import type { ServiceProcess, SystemReading } from '../../machines/system/reading.ts'
import type { RunRecord, ToldRelease } from '../../machines/system/release.ts'
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
  /** What it runs; null: it does not say. Never fails. */
  readonly release: () => Promise<ToldRelease | null>
  /** Another one at each start of the device; null: it does not say. Never fails. */
  readonly bootId: () => Promise<string | null>
  /** What its chips measure. Never fails. */
  readonly rails: () => Promise<readonly PowerRail[]>
  /** Those that it tells of. Never fails. */
  readonly fans: () => Promise<readonly Fan[]>
  /** What is in it and on it, besides cameras. Never fails. */
  readonly peripherals: () => Promise<readonly Peripheral[]>
}

/** This device. */
export const SYSTEM = token<SystemPort>('system')

/** What is noted in the data folder of how the device was switched off. */
export interface RunRecordPort {
  /** null: nothing was noted, or nothing that can be read. Never fails. */
  readonly read: () => Promise<RunRecord | null>
  /** Fails with the error of the file system. */
  readonly write: (record: RunRecord) => Promise<void>
}

export const RUN_RECORD = token<RunRecordPort>('run-record')
