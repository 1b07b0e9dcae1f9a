// The projects of plugins on this device, and what can run them.
import type { Fault } from '../../machines/errors/fault.ts'
import type { ProjectFile } from '../../machines/ide/fill-template.ts'
import type { IdeProject, NewIdeProject, WholeIdeProject } from '../../machines/ide/project.ts'
import { token } from '../../machines/token.ts'

/** What runs programs of plugins here, by version; null: it is not there. */
export interface IdeRuntimes {
  readonly node: string
  readonly python: string | null
  readonly numpy: string | null
}

export interface IdePort {
  /** All of them, by name. `storage.failed`. */
  readonly projects: () => Promise<readonly IdeProject[] | Fault>
  /** One with its texts; undefined: there is none of this name. `storage.failed`. */
  readonly project: (name: string) => Promise<WholeIdeProject | undefined | Fault>
  /** Makes one, whole or not at all. `document.exists`, `document.too_many`, `storage.full`, `storage.failed`. */
  readonly create: (wanted: NewIdeProject) => Promise<WholeIdeProject | Fault>
  readonly runtimes: () => Promise<IdeRuntimes>
  /** A zip of texts. */
  readonly pack: (files: readonly ProjectFile[]) => Promise<Uint8Array>
}

export const IDE = token<IdePort>('ide')
