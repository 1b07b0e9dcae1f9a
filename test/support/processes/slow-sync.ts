// Services whose disk takes its time: see slow-sync.cc.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from './daemon.ts'

const SOURCE = fileURLToPath(new URL('slow-sync.cc', import.meta.url))

/** What the environment of a service needs, so that each sync of its settings takes so much longer. */
export const slowSync = (ms: number): Readonly<Record<string, string>> => {
  const library = join(temporaryFolder(), 'slow-sync.so')
  execFileSync('g++', ['-std=c++17', '-O1', '-shared', '-fPIC', '-o', library, SOURCE, '-ldl'])
  return { LD_PRELOAD: library, SLOW_SYNC_MS: String(ms) }
}
