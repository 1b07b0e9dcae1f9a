// From a stream's source to what its engine opens: which device file its camera has now, and what its controls are to be; or where its video lies.
import { troubleOf } from '../../machines/cameras/trouble.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { inUse, userOf } from '../../machines/stream/assign.ts'
import type { CanonicalManifest } from '../../machines/stream/manifest.ts'
import type { CanonicalV4l2Source, PeerSource } from '../../machines/stream/sources/source.ts'
import type { EngineSource } from '../../native/engine/port.ts'
import type { Cameras } from '../cameras/cameras.ts'
import { type RecordingPaths, videoSource } from './video-source.ts'

/** The pictures of peers. sourceOf: where an engine finds them, or why it finds none now. explained: the same fault in words that name the peer. */
export interface PeerPictures {
  readonly sourceOf: (source: PeerSource) => EngineSource | Fault
  readonly explained: (source: PeerSource, fault: Fault) => Fault
}

/** Where pictures come from. all: the manifests of all streams. */
export interface SourceParts {
  readonly cameras: Cameras
  readonly all: readonly CanonicalManifest[]
  readonly store: RecordingPaths
  readonly remote: Pick<PeerPictures, 'sourceOf'>
}

/** Looked up at each opening: a camera that was pulled out comes back under another device file. */
export const engineSource = async (
  { id, source }: Pick<CanonicalManifest, 'id' | 'source'>,
  { cameras, all, store, remote }: SourceParts,
): Promise<EngineSource | Fault> => {
  if (source.backend === 'peer') return remote.sourceOf(source)
  if (source.backend === 'file') return await videoSource(source, store)
  if (source.backend !== 'v4l2') return source
  const { camera_uid, ...mode } = source
  // Two that were ordered in the same moment: the first one has it.
  const first = userOf(camera_uid, all)
  if (first && first.id !== id) return inUse(camera_uid, [first]) as Fault
  const camera = cameras.present(camera_uid)
  if (!camera) return missing(source, cameras)
  const { node, unit } = camera
  if (!node.answer.ok) return { code: 'camera.unreadable', detail: troubleOf(camera, true) ?? node.answer.detail }
  return { ...mode, device: node.device, controls: unit.controls }
}

const missing = ({ camera_uid }: CanonicalV4l2Source, { units }: Cameras): Fault => {
  const unit = units.find((each) => each.camera_uid === camera_uid)
  const which = unit ? `${unit.name} (${camera_uid}, last found as ${unit.device})` : camera_uid
  return {
    code: 'camera.missing',
    detail: `The camera ${which} is not plugged in. It is opened as soon as it is; in another port it may have to be assigned to this stream.`,
  }
}
