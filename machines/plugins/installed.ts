// A plugin that is installed, as those who run it see it.
import type { PluginManifest } from './manifest.ts'
import type { Permission } from './permission.ts'

export interface InstalledPlugin {
  readonly manifest: PluginManifest
  /** The unpacked package; never written to while it is installed. */
  readonly folder: string
  /** Its own, to keep data in; survives upgrades. */
  readonly data_folder: string
  /** Those of its manifest that an administrator granted. */
  readonly granted: readonly Permission[]
}

/** Whether what runs of the one serves the other as it is. */
export const runsAs = (a: InstalledPlugin, b: InstalledPlugin): boolean =>
  a.manifest.version === b.manifest.version && a.folder === b.folder && a.granted.join() === b.granted.join()
