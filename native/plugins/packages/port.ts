// Where packages of plugins lie: uploads, and what is installed of them, unpacked. A package is data here: nothing of
// it is run.
import type { Readable } from 'node:stream'
import type { Fault } from '../../../machines/errors/fault.ts'
import type { PluginUpload, ReleaseNote } from '../../../machines/plugins/package/release-note.ts'
import { token } from '../../../machines/token.ts'
import type { Arriving } from '../../media/port.ts'

/** A package, open for reading; whoever opened it closes it, or reads its stream to the end. */
export interface OpenedPackage {
  readonly sizeBytes: number
  readonly sha256: string
  /** For people who keep it. */
  readonly fileName: string
  readonly stream: (first: number, last: number) => Readable
  readonly close: () => Promise<void>
}

/** What lies on the disk: by name of plugin, the notes of its releases. */
export type FoundReleases = ReadonlyMap<string, readonly ReleaseNote[]>

/** Never rejects but for bugs. */
export interface PluginPackages {
  /**
   * Takes a package as it arrives, checks all of it, and keeps it whole or not at all. `plugin.refused` with a sentence
   * when it is none, `body.too_large`, `request.timeout`, `storage.full`, `storage.failed`.
   */
  readonly receive: (arriving: Arriving) => Promise<PluginUpload | Fault>
  /** Takes one from a file of a media root. `plugin.no_file` when there is none that may be read. */
  readonly takeFile: (path: string) => Promise<PluginUpload | Fault>
  /** Takes one from an allowed host. `plugin.foreign_host` when it is another, `plugin.unreachable`. */
  readonly fetch: (url: string) => Promise<PluginUpload | Fault>
  /** All uploads, the newest first. */
  readonly uploads: () => Promise<readonly PluginUpload[]>
  /** `plugin.no_upload` when there is none of that name. */
  readonly openUpload: (name: string) => Promise<OpenedPackage | Fault>
  /** The package that a release came from. `plugin.missing` when it is not there. */
  readonly openRelease: (name: string, release: string) => Promise<OpenedPackage | Fault>
  /** Unpacks an upload into its place, whole or not at all. */
  readonly unpack: (upload: string) => Promise<ReleaseNote | Fault>
  /** Removes what was not finished, and says what is there. */
  readonly restore: () => Promise<FoundReleases | Fault>
  /** Removes all releases of a plugin but these; with the last one its data, if it never kept any. */
  readonly sweep: (name: string, kept: readonly string[]) => Promise<undefined | Fault>
  /** Removes all of a plugin, its data as well. */
  readonly remove: (name: string) => Promise<undefined | Fault>
  /** Where a release lies, and the data of its plugin; absolute. */
  readonly foldersOf: (name: string, release: string) => { readonly folder: string; readonly data_folder: string }
}

export const PLUGIN_PACKAGES = token<PluginPackages>('plugin-packages')
