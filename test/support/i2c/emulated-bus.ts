// A bus that exists only for the program that scans: a preloaded library answers for /dev/i2c-7 (shim.cc says how it is
// described), and notes all that is sent.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Lifetime } from '../lifetime.ts'
import { folderOf } from '../processes/folder.ts'

/** Its number. */
export const EMULATED_BUS = 7

export interface EmulatedBus {
  /** What a program that shall see it has in its environment. */
  readonly environment: Readonly<Record<string, string>>
  /** What was sent, in order: `probe 68`, `read 68 75`. */
  readonly seen: () => readonly string[]
}

let library: string | undefined

/** Builds the library once for this process. described: as in shim.cc. */
export const emulatedBus = (t: Lifetime, described: string): EmulatedBus => {
  const folder = folderOf(t)
  if (library === undefined || !existsSync(library)) {
    library = join(folder, 'bus.so')
    execFileSync('g++', [
      ...['-std=c++17', '-O1', '-Wall', '-Wextra', '-shared', '-fPIC', '-o', library],
      ...[join(import.meta.dirname, 'shim.cc'), '-ldl'],
    ])
  }
  const seen = join(folder, 'seen')
  return {
    environment: { LD_PRELOAD: library, I2C_BUS: described, I2C_SEEN: seen },
    seen: () => (existsSync(seen) ? readFileSync(seen, 'utf8').trim().split('\n') : []),
  }
}
