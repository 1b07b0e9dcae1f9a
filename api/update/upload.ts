// The rows by which a bundle is uploaded.
import type { Directory } from '../../actors/directory.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import type { Latest } from '../../machines/latest.ts'
import type { UpdateFigures } from '../../machines/update/progress.ts'
import type { UpdateState } from '../../machines/update/update-state.ts'
import type { BundleStore } from '../../native/update/port.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'

/** What the rows work with. */
export interface UploadParts {
  readonly directory: Directory
  readonly store: BundleStore
  readonly progress: Latest<UpdateFigures>
  /** Where the update stands. */
  readonly view: () => UpdateState | Fault
}

export const uploadRows = (_parts: UploadParts): readonly Endpoint[] => []
