// What all streams share of the device on which they run.
import type { FieldMaps, MapNews } from '../../machines/localization/field-map.ts'
import type { CanonicalManifest } from '../../machines/stream/manifest.ts'
import type { CamerasPort } from '../../native/cameras/port.ts'
import type { Clock } from '../../native/clock/port.ts'
import type { MediaStore } from '../../native/media/port.ts'
import type { MediaRootsPort } from '../../native/media-roots/port.ts'
import type { Cameras } from '../cameras/cameras.ts'
import type { CameraPower } from '../cameras/tokens.ts'
import type { WriteSettings } from '../settings/write-settings.ts'
import type { PeerPictures } from './camera-source.ts'
import type { RecordingPaths } from './video-source.ts'

/** What a stream works with beside its engine: the same for all of them. */
export interface StreamDevice {
  readonly maps: FieldMaps
  readonly mapNews: MapNews
  readonly media: MediaRootsPort
  readonly store: RecordingPaths & Pick<MediaStore, 'news'>
  readonly cameras: Cameras
  readonly cameraPort: Pick<CamerasPort, 'reset'>
  readonly cameraPower: CameraPower
  readonly remote: PeerPictures
  readonly clock: Pick<Clock, 'monotonicUs'>
  /** The manifests of all streams. */
  readonly others: () => readonly CanonicalManifest[]
  readonly write: WriteSettings
}
