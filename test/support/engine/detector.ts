// Engines whose detector does what a test wants: stands still, or computes too long, by the width of a picture.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../processes/daemon.ts'

const SOURCE = fileURLToPath(new URL('detector.cc', import.meta.url))

/** The widths of pictures that are not like the others; as in detector.cc. */
export const WIDTHS = {
  standsStill: 1001,
  computesForEver: 1002,
  computesFor1500ms: 1003,
  computesFor4s: 1004,
} as const

let built: string | undefined // once for all tests of a file: it takes longer than most of them

const build = (): string => {
  const library = join(temporaryFolder(), 'detector.so')
  execFileSync('g++', ['-std=c++17', '-O1', '-shared', '-fPIC', '-o', library, SOURCE, '-ldl'])
  return library
}

/** Engines that are started during the test have the other detector. */
export const replaceDetector = (t: TestContext): void => {
  built ??= build()
  process.env.LD_PRELOAD = built // the control process itself was started before
  t.after(() => {
    delete process.env.LD_PRELOAD
  })
}
