// A kernel with GPIO chips and an SPI bus: see kernel.cc.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../processes/daemon.ts'

const SOURCE = fileURLToPath(new URL('kernel.cc', import.meta.url))

/** What the environment of the process that holds lamps needs. spiLog: where it is noted what a bus is set to. */
export const kernelWithLines = (spiLog: string): Readonly<Record<string, string>> => {
  const library = join(temporaryFolder(), 'lamps-kernel.so')
  execFileSync('g++', ['-std=c++17', '-O1', '-shared', '-fPIC', '-o', library, SOURCE, '-ldl'])
  return { LD_PRELOAD: library, SPI_LOG: spiLog }
}
