// A disk of a megabyte, which a test may fill.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { appendFileSync, rmSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { temporaryFolder } from './daemon.ts'

/**
 * Mounts it on a folder of its own until the test ends; `ro`: nobody can write to it. undefined: this process may not
 * mount.
 */
export const smallDisk = (t: TestContext, mode: 'rw' | 'ro' = 'rw'): string | undefined => {
  const folder = temporaryFolder()
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=1m,${mode}`, 'vedette-test', folder])
  t.after(() => {
    if (status === 0) spawnSync('umount', ['--lazy', folder])
    rmSync(folder, { recursive: true })
  })
  return status === 0 ? folder : undefined
}

/** Fills the disk on which a file lies, to its last byte. */
export const fillDisk = (file: string): void => {
  for (const bytes of [64 * 1024, 4096, 1])
    try {
      for (;;) appendFileSync(file, Buffer.alloc(bytes))
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC')
    }
}
