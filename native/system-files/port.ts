// The files in which Linux tells of the device: /sys, /proc, /etc, /run. A file that exists may still fail at any
// moment (a sensor asleep, a device just pulled out), so a value that cannot be had is null, and nothing throws.
import type * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { token } from '../../machines/token.ts'

export interface SystemFiles {
  /**
   * The text of a file without the spaces and NUL bytes around it; null: it cannot be read now. Of a file longer than
   * 64 KiB its beginning.
   */
  readonly text: (path: string) => Promise<string | null>
  /** The names in a folder, sorted; empty: there are none, or they cannot be read. */
  readonly names: (path: string) => Promise<readonly string[]>
  /** Where a path leads when all links are followed, as a path of this system; null: nowhere. */
  readonly place: (path: string) => Promise<string | null>
  /** Writes a text into a file that exists. Fails with `device.failed`, which names the file and the reason. */
  readonly write: (path: string, text: string) => Effect.Effect<void, Fault>
  /** All bytes of a file; null: it cannot be read, or is longer than 1 MiB. */
  readonly bytes: (path: string) => Promise<Uint8Array | null>
  /**
   * Has a file of the configuration hold these bytes, which everybody may read: whole or not at all, whenever the power
   * goes. The file and its folders need not exist. Fails with `storage.full`, `storage.failed`.
   */
  readonly put: (path: string, bytes: Uint8Array) => Effect.Effect<void, Fault>
  /** Has no such file. Fails with `storage.failed`. */
  readonly remove: (path: string) => Effect.Effect<void, Fault>
}

/** The files of the system of this device. */
export const SYSTEM_FILES = token<SystemFiles>('system-files')

/** A decimal number in a file; null: there is none that is finite. */
export const numberIn = (text: string | null): number | null => {
  if (text === null || text === '') return null
  const value = Number(text)
  return Number.isFinite(value) ? value : null
}
