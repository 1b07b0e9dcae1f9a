// A disk of a megabyte, which a test may fill.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { temporaryFolder } from './daemon.ts'

/** Mounts it on a folder of its own until the test ends; `ro`: nobody can write to it. undefined: this process may not mount. */
export const smallDisk = (t: TestContext, mode: 'rw' | 'ro' = 'rw'): string | undefined => {
  const folder = temporaryFolder()
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=1m,${mode}`, 'vedette-test', folder])
  t.after(() => {
    if (status === 0) spawnSync('umount', ['--lazy', folder])
    rmSync(folder, { recursive: true })
  })
  return status === 0 ? folder : undefined
}
