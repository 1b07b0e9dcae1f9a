// What the room of updates offers to others.
import type { Fault } from '../../machines/errors/fault.ts'
import { token } from '../../machines/token.ts'
import type { UpdateState } from '../../machines/update/update-state.ts'
import type { StoredUpload } from '../../machines/update/upload.ts'
import type { BundleStore } from '../../native/update/port.ts'

/** Where an update stands now. */
export const UPDATE_VIEW = token<() => UpdateState | Fault>('update-view')

/** The bundle that is uploaded, for those who have its bytes. See BundleStore. */
export interface ArrivingBundle {
  readonly kept: () => Promise<StoredUpload | null | Fault>
  /** Tells how far it is as it goes on. */
  readonly append: (id: string, offset: number, body: Parameters<BundleStore['append']>[2]) => Promise<number | Fault>
}

export const ARRIVING_BUNDLE = token<ArrivingBundle>('arriving-bundle')
