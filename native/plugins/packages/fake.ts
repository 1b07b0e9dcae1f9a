// Packages without a data directory: for tests, and for a service without a device. They lie in a folder of their own
// that goes with the process, and are read in it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Fault } from '../../../machines/errors/fault.ts'
import type { PluginUpload } from '../../../machines/plugins/package/release-note.ts'
import type { Arriving } from '../../media/port.ts'
import { FilePackages, type PackageStoreParts } from './store.ts'
import { packageWorker } from './unpack.ts'

const folders: string[] = []

const nowhere = (what: string) => async (): Promise<Fault> => ({
  code: 'device.failed',
  detail: `there is no ${what} without a device`,
})

/** The store as it is, on a temporary folder whose disk can be full. */
export class FakePackages extends FilePackages {
  /** What every write meets; null: nothing. */
  fault: Fault | null = null

  override async receive(arriving: Arriving): Promise<PluginUpload | Fault> {
    return this.fault ?? super.receive(arriving)
  }
}

/** See FakePackages. */
export const fakePackages = (parts: Pick<PackageStoreParts, 'clock'> & Partial<PackageStoreParts>): FakePackages => {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-plugins-'))
  if (folders.push(folder) === 1)
    process.once('exit', () => {
      for (const each of folders) rmSync(each, { recursive: true, force: true })
    })
  const none = { openUrl: nowhere('network'), openFile: nowhere('file') }
  return new FakePackages({ worker: packageWorker, ...none, ...parts, folder })
}
