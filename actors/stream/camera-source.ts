// From a stream's source to what its engine opens: which device file its camera has now, and what its controls are to
// be; or where its video lies.
import { troubleOf } from '../../machines/cameras/trouble.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { inUse, userOf } from '../../machines/stream/assign.ts'
import type { CanonicalManifest } from '../../machines/stream/manifest.ts'
import type { SourceOf } from '../../machines/stream/sources/source.ts'
import type { AttachedStream, PeersStream } from '../../machines/stream/sources/source-kind.ts'
import { type ByKind, byKind } from '../../machines/stream/sources/traits.ts'
import type { EngineSource } from '../../native/engine/port.ts'
import type { Cameras } from '../cameras/cameras.ts'
import { type RecordingPaths, videoSource } from './video-source.ts'

/** The pictures of peers. */
export interface PeerPictures {
  /** Where an engine finds them, or why it finds none now. */
  readonly sourceOf: (stream: AttachedStream) => EngineSource | Fault
  /** The same fault in words that name the peer. */
  readonly explained: (stream: PeersStream, fault: Fault) => Fault
}

/** Where pictures come from. */
export interface SourceParts {
  readonly cameras: Cameras
  /** The manifests of all streams. */
  readonly all: readonly CanonicalManifest[]
  readonly store: RecordingPaths
  readonly remote: Pick<PeerPictures, 'sourceOf'>
}

/** Where the pictures of one stream come from. */
interface Lookup extends SourceParts {
  /** The stream. */
  readonly id: string
}

type Found = EngineSource | Fault

const asItIs = <Source extends EngineSource>(source: Source): Found => source

const pluggedIn = (source: SourceOf<'v4l2'>, { id, cameras, all }: Lookup): Found => {
  const { camera_uid, ...mode } = source
  // Two that were ordered in the same moment: the first one has it.
  const first = userOf(camera_uid, all)
  if (first && first.id !== id) return inUse(camera_uid, [first]) as Fault
  const camera = cameras.present(camera_uid)
  if (!camera) return missing(camera_uid, cameras)
  const { node, unit } = camera
  if (!node.answer.ok) return { code: 'camera.unreadable', detail: troubleOf(camera, true) ?? node.answer.detail }
  return { ...mode, device: node.device, controls: unit.controls }
}

const missing = (camera_uid: string, { units }: Cameras): Fault => {
  const unit = units.find((each) => each.camera_uid === camera_uid)
  const which = unit ? `${unit.name} (${camera_uid}, last found as ${unit.device})` : camera_uid
  const detail = oneLine`
    The camera ${which} is not plugged in. It is opened as soon as it is; in another port it may have to be assigned to
    this stream.`
  return { code: 'camera.missing', detail }
}

/** How an engine finds the pictures of each kind. */
const LOOKUPS: ByKind<Lookup, Found | Promise<Found>> = {
  synthetic: asItIs,
  images: asItIs,
  v4l2: pluggedIn,
  url: asItIs,
  file: (source, { store }) => videoSource(source, store),
  peer: (source, { remote }) => remote.sourceOf(source),
}

/** Looked up at each opening: a camera that was pulled out comes back under another device file. */
export const engineSource = async (
  { id, source }: Pick<CanonicalManifest, 'id' | 'source'>,
  parts: SourceParts,
): Promise<EngineSource | Fault> => await byKind(LOOKUPS, source, { ...parts, id })
