// A new stream, as HTTP orders it. What may be done with streams is decided in machines/stream/orders.ts.
import { STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { LOOK_FOR_MAPS } from '../../machines/localization/field-map.ts'
import type { CanonicalManifest, SentManifest } from '../../machines/stream/manifest.ts'
import { completeManifest, createStream, noFiles, type StreamRequest } from '../../machines/stream/orders.ts'
import { judgePaths, type MediaVerdict, mayBeLookedAt, pathErrors } from '../../machines/stream/sources/media-roots.ts'
import type { ItemOf } from '../../machines/stream/sources/replay.ts'
import type { PeersStream } from '../../machines/stream/sources/source-kind.ts'
import { pathsOf, recordingOf } from '../../machines/stream/sources/traits.ts'
import type { Command } from '../../machines/supervision/actors.ts'
import type { Given } from '../../machines/token.ts'
import { MEDIA_STORE } from '../../native/media/port.ts'
import { MEDIA_ROOTS } from '../../native/media-roots/port.ts'
import type { Call } from '../endpoints/endpoint.ts'
import { knownCamera, knownCameraNeeds } from './camera/known-camera.ts'
import { graphOf, graphOfNeeds, planNeeds, planOf } from './of-stream.ts'

/** The needs of what is stored of a stream. */
export const writeNeeds = {
  streams: STREAM_REGISTRY,
  ...knownCameraNeeds,
  ...graphOfNeeds,
  ...planNeeds,
  store: MEDIA_STORE,
  lookForMaps: LOOK_FOR_MAPS,
  media: MEDIA_ROOTS,
}
type WriteParts = Given<typeof writeNeeds>

type NewStream = Pick<Call<never, unknown, SentManifest>, 'body' | 'administers'>

/**
 * The order that stores a new stream, or why it cannot be. attachedTo: the stream of a peer whose pictures it has by
 * order.
 */
export const newStream = async (
  parts: WriteParts,
  call: NewStream,
  attachedTo: PeersStream | null = null,
): Promise<Command<'settings'> | Fault> => createStream(await requestOf(parts, call, { attachedTo }))

/**
 * The manifest with its id and every default filled in, or `manifest.invalid`. It may read no file that its sender may
 * not let it read.
 */
export const canonicalStream = async (parts: WriteParts, call: NewStream): Promise<CanonicalManifest | Fault> =>
  completeManifest(await requestOf(parts, call))

/** What its stream has already. */
interface Had {
  /** What it may read. */
  readonly granted?: readonly string[] | undefined
  /** The stream of a peer whose pictures it has. */
  readonly attachedTo?: PeersStream | null
}

/** What a manifest is judged by. */
export const requestOf = async (
  parts: WriteParts,
  call: NewStream,
  { granted = [], attachedTo = null }: Had = {},
): Promise<StreamRequest> => ({
  attachedTo,
  manifest: call.body,
  others: parts.streams.all().map((stream) => stream.manifest),
  cameraOf: (uid) => knownCamera(parts, uid),
  itemOf: await playedItem(parts, call.body),
  maps: (await parts.lookForMaps()).maps,
  graphOf: graphOf(parts),
  planOf: planOf(parts),
  media: await judgeMedia(parts, call, granted),
})

/** The one that it plays is looked up beforehand. */
const playedItem = async ({ store }: WriteParts, { source }: SentManifest): Promise<ItemOf> => {
  const name = source && recordingOf(source)
  const item = name === undefined ? undefined : await store.get(name)
  return (each) => (each === name && item && !isFault(item) ? item : undefined)
}

const judgeMedia = async (
  { media }: WriteParts,
  { body, administers }: NewStream,
  granted: readonly string[],
): Promise<MediaVerdict> => {
  const paths = body.source ? pathsOf(body.source) : []
  if (paths.length === 0 || pathErrors(paths).length > 0) return noFiles // the check of the manifest says what is wrong
  const rules = { roots: await media.roots(), granted, administers }
  const found = paths.map(async (each) => ({
    ...each,
    place: mayBeLookedAt(each.path, rules) ? await media.realPlace(each.path) : null,
  }))
  return judgePaths(await Promise.all(found), rules)
}
