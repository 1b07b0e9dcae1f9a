// The tokens of the emulated camera.
import type { Fault } from '../../machines/errors/fault.ts'
import type { hardwareReport } from '../../machines/extcam/hardware-report.ts'
import type { Snapshot } from '../../machines/extcam/snapshot.ts'
import type { statusDocument } from '../../machines/extcam/status-json.ts'
import { token } from '../../machines/token.ts'
import type { TakeSnapshot } from '../media/take-snapshot.ts'
import type { StreamRuntime } from '../stream/stream-runtime.ts'
import type { SnapshotSources } from './current-snapshot.ts'
import type { ExtcamTables } from './tables.ts'

/** One stream as the vendor's camera. */
export interface ExtcamAdapter {
  readonly table: string
  readonly stream: StreamRuntime
  /** As of the newest frame; read it before anything else happens. */
  readonly snapshot: () => Snapshot
  /** The results document, in one line: the text that the key `json` would have. */
  readonly results: () => string
  /** The status document. */
  readonly status: () => ReturnType<typeof statusDocument>
  /** The report of what is known of the camera; see machines/extcam/hardware-report.ts. */
  readonly hardwareReport: () => ReturnType<typeof hardwareReport>
  /** Has it go by a heading of the robot, as `robot_orientation_set` says it. Why it does not, if so. */
  readonly sayHeading: (orientation: readonly number[]) => string | undefined
  /** Keeps a picture; see actors/media/take-snapshot.ts. */
  readonly takeSnapshot: (name?: string) => ReturnType<TakeSnapshot>
  /**
   * Has it run another of its slots, as a robot does; see actors/stream/switch-slot.ts. Why it cannot be, if so; never
   * rejected.
   */
  readonly switchTo: (slot: number) => Promise<Fault | undefined>
}

/** The adapters as everybody but the robot reaches them. */
export interface ExtcamAdapters {
  /** `extcam.not_found`: no stream has that table, or none is shown as the vendor's camera. */
  readonly find: (table: string) => ExtcamAdapter | Fault
  /** What snapshots of a stream are made of. */
  readonly sourcesOf: (stream: StreamRuntime) => SnapshotSources
}

/** Which stream the robot finds under which table. */
export const EXTCAM_TABLES = token<ExtcamTables>('extcam-tables')

/** The adapters, by table. */
export const EXTCAM_ADAPTERS = token<ExtcamAdapters>('extcam-adapters')
