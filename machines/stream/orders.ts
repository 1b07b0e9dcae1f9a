// What may be done with streams, whoever asks for it: the order that does it, or why it cannot be done.
import type { Fault } from '../errors/fault.ts'
import type { CanonicalGraph } from '../pipeline/graph.ts'
import type { PlanOf } from '../pipeline/plan.ts'
import { firstError } from '../schema/errors.ts'
import type { SchemaError } from '../schema/explain.ts'
import { freeId } from '../schema/free-id.ts'
import { oneLine } from '../schema/one-line.ts'
import { quote } from '../schema/quote.ts'
import { NAMES_OF_THE_DEVICE } from '../schema/stream-id.ts'
import { putOrder } from '../settings/commit.ts'
import type { Command } from '../supervision/actors.ts'
import { cameraInUse } from './assign.ts'
import { canonicalManifest } from './canonical-manifest.ts'
import { MAX_STREAMS, streamCollection } from './collection.ts'
import type { CanonicalManifest, SentManifest } from './manifest.ts'
import { sourced } from './sent-manifest.ts'
import { type GraphOf, ofStored } from './slots.ts'
import { type CameraOf, withMode } from './sources/camera-mode.ts'
import type { MediaVerdict } from './sources/media-roots.ts'
import { type ItemOf, mediaErrors } from './sources/replay.ts'
import type { PeersStream } from './sources/source-kind.ts'
import { attachedStreamOf } from './sources/traits.ts'

/** What a new stream is judged by. */
export interface StreamRequest {
  /** It has passed its schema. */
  readonly manifest: SentManifest
  /** The field maps by id. */
  readonly maps: Pick<ReadonlyMap<string, unknown>, 'has'>
  /** What is known of a camera. */
  readonly cameraOf: CameraOf
  /** What is known of a recording that it names. */
  readonly itemOf: ItemOf
  /** The stored pipelines, for its slots. */
  readonly graphOf: GraphOf
  /** What can run on this device. */
  readonly planOf: PlanOf
  /** The streams there are. */
  readonly others: readonly CanonicalManifest[]
  /** Whether it may read the files it names; `noFiles` for one that names none. */
  readonly media: MediaVerdict
  /** The stream of a peer whose pictures it has by order; null: there is none. */
  readonly attachedTo: PeersStream | null
}

/** The verdict about a source without files. */
export const noFiles: MediaVerdict = { ok: true, grants: [] }

/** The words that stand in paths of the API where the id of a stream does. */
export const RESERVED_STREAM_IDS: ReadonlySet<string> = new Set([
  'backends',
  'bench',
  'capabilities',
  'codecs',
  'metrics',
  'validate',
])

/** All that no stream may be called. */
const TAKEN_IDS: ReadonlySet<string> = new Set([...RESERVED_STREAM_IDS, ...NAMES_OF_THE_DEVICE])

/** The order that stores a new stream, or why it cannot be. */
export const createStream = (request: StreamRequest): Command<'settings'> | Fault => {
  const { manifest, others } = request
  const ids = others.map(({ id }) => id)
  if (manifest.id !== undefined && ids.includes(manifest.id))
    return {
      code: 'stream.exists',
      detail: `there is a stream ${manifest.id} already; delete it first, or choose another id`,
    }
  const reserved = manifest.id === undefined ? undefined : reservedId(manifest.id)
  if (reserved) return reserved
  if (ids.length >= MAX_STREAMS)
    return { code: 'stream.too_many', detail: `there are ${MAX_STREAMS} streams already; delete one first` }
  const complete = completeManifest(request)
  if ('code' in complete) return complete
  return (
    cameraInUse(complete.source, others) ?? putOrder(streamCollection, complete.id, complete, { create_only: true })
  )
}

/** Why no stream may be called that; undefined: it may. */
const reservedId = (id: string): Fault | undefined => {
  if (!TAKEN_IDS.has(id)) return undefined
  const what = RESERVED_STREAM_IDS.has(id)
    ? 'a word of the API itself'
    : 'the name of what the device itself publishes for robots and other devices'
  const errors = [{ pointer: '/id', message: `is ${quote(id)}, ${what}; choose another` }]
  return { code: 'manifest.invalid', detail: firstError(errors, 'the manifest'), errors }
}

/** The manifest with its id and every default filled in, or `manifest.invalid`. */
export const completeManifest = ({
  manifest,
  others,
  maps,
  media,
  cameraOf,
  itemOf,
  graphOf,
  planOf,
  attachedTo,
}: StreamRequest): CanonicalManifest | Fault => {
  const ids = others.map(({ id }) => id)
  const taken = new Set([...ids, ...TAKEN_IDS])
  const named = sourced(manifest)
  const given = named.ok ? withMode(named.manifest, cameraOf) : named
  const { errors: slotErrors, ...ofSlot } = ofStored(manifest, { graphOf, planOf })
  const canonical = given.ok
    ? canonicalManifest({ ...given.manifest, ...ofSlot }, manifest.id ?? freeId(manifest.alias, taken, 'stream'))
    : given
  const errors = [
    ...(canonical.ok ? [] : canonical.errors),
    ...(media.ok ? [] : media.errors),
    ...(canonical.ok ? mediaErrors(canonical.manifest.source, itemOf) : []),
    ...(canonical.ok ? pipelineErrors(canonical.manifest, planOf) : []),
    ...mapErrors(maps, manifest.map_id),
    ...slotErrors,
    ...peerErrors(manifest.source, attachedTo),
  ]
  if (!canonical.ok || !media.ok || errors.length > 0)
    return { code: 'manifest.invalid', detail: firstError(errors, 'the manifest'), errors }
  return media.grants.length === 0 ? canonical.manifest : { ...canonical.manifest, media_grants: [...media.grants] }
}

/** The order that gives a stream another engine, or why there is none to give. */
export const restartStream = ({
  id,
  enabled,
}: Pick<CanonicalManifest, 'id' | 'enabled'>): Command<'streams'> | Fault =>
  enabled
    ? { type: 'child.restart', id: `${streamCollection.name}/${id}` }
    : {
        code: 'actor.not_now',
        detail: oneLine`
          the stream ${id} is disabled, so that nothing of it runs; delete it and create it again with enabled true`,
      }

/** What keeps a pipeline that can be planned from running on this device. */
const pipelineErrors = ({ pipeline, own_pipeline }: CanonicalManifest, planOf: PlanOf): readonly SchemaError[] => {
  const errorsOf = (graph: CanonicalGraph | undefined, at: string) => {
    const planned = graph && planOf(graph)
    return planned?.ok === false ? planned.errors.map((error) => ({ ...error, pointer: at + error.pointer })) : []
  }
  return [...errorsOf(pipeline, '/pipeline'), ...errorsOf(own_pipeline, '/own_pipeline')]
}

const peerErrors = (source: SentManifest['source'], attachedTo: PeersStream | null): readonly SchemaError[] => {
  const attached = source && attachedStreamOf(source)
  if (!attached) return []
  const { peer_id, stream_id } = attached
  const isSame = peer_id === attachedTo?.peer_id && stream_id === attachedTo.stream_id
  const command = `POST /v1/peers/${peer_id}/streams/${stream_id}/commands`
  return isSame
    ? []
    : [{ pointer: '/source/backend', message: `is "peer", which only the command set_compute makes (${command})` }]
}

const mapErrors = (maps: StreamRequest['maps'], id: string | undefined): readonly SchemaError[] =>
  id === undefined || maps.has(id)
    ? []
    : [{ pointer: '/map_id', message: `is ${quote(id)}, which is no field map; GET /v1/localization/maps lists them` }]
