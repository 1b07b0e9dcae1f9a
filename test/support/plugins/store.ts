// Stores of packages in folders of tests.
import { mkdirSync } from 'node:fs'
import { FilePackages, type PackageStoreParts } from '../../../native/plugins/packages/store.ts'
import { packageWorker } from '../../../native/plugins/packages/unpack.ts'

const nowhere = async () => ({ code: 'device.failed', detail: 'not in this test' }) as const

/** A store in a folder, as the service makes it, at a time that stands still. */
export const packagesIn = (
  folder: string,
  worker = packageWorker,
  parts: Partial<PackageStoreParts> = {},
): FilePackages => {
  mkdirSync(folder, { recursive: true })
  let now = 1_769_863_441_000
  const clock = { nowMs: () => now++ }
  return new FilePackages({ folder, worker, clock, openUrl: nowhere, openFile: nowhere, ...parts })
}
