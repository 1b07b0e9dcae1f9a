// Engines whose disk loses what it was given: see failing-sync.cc.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from './daemon.ts'

const SOURCE = fileURLToPath(new URL('failing-sync.cc', import.meta.url))

let built: string | undefined // once for all tests of a file

const build = (): string => {
  const library = join(temporaryFolder(), 'failing-sync.so')
  execFileSync('g++', ['-std=c++17', '-O1', '-shared', '-fPIC', '-o', library, SOURCE, '-ldl'])
  return library
}

/** Engines that are started during the test have such a disk. */
export const failSync = (t: TestContext): void => {
  built ??= build()
  process.env.LD_PRELOAD = built
  t.after(() => {
    delete process.env.LD_PRELOAD
  })
}

/** The name of a file of which a call fails. call: the how many-th, from 1. afterMs: how long that takes. */
export const failingFile = (call: number, afterMs = 0): string => `fails-${call}-${afterMs}.mp4`
