// A peer as people see it: what was registered, what it has said of itself, how old that is, and how the link is.

import type { Static } from 'typebox'
import type { Fault } from '../errors/fault.ts'
import { FaultDocument } from '../errors/fault-document.ts'
import { type Agreement, CapabilityName, DeviceId, Fingerprint, type HeardHello } from '../interdevice/hello.ts'
import { Authority, Inventory } from '../interdevice/inventory.ts'
import { readOwnName } from '../interdevice/own-name.ts'
import { oneLine } from '../schema/one-line.ts'
import { orNull } from '../schema/or-null.ts'
import Type from '../schema/type.ts'
import type { StoredValue } from '../settings/store.ts'
import { shownAddress } from '../stream/sources/camera-address.ts'
import { type ChildSnapshot, type ChildStatus, findPresent } from '../supervision/child.ts'
import { type Integration, IntegrationName, mayBeNative, PeerId, type StoredPeer, UrlStream } from './peer.ts'
import { type PeerHealth, PeerState } from './peer-health.ts'
import { peerLinkState } from './peer-link-machine.ts'
import type { EventPlace } from './peer-messages.ts'

const strict = { additionalProperties: false } as const
const { streams, pipelines, localization_outputs, rig } = Inventory.properties

/** Where a document comes from that is shown here and belongs to a peer. */
export const Origin = Type.Object(
  {
    peer_id: PeerId,
    revision: Type.Integer({ minimum: 0, description: 'Of the document there, when it was read.' }),
    stale: Type.Boolean({ description: 'Whether it may be another by now: there is no link.' }),
  },
  { ...strict, title: 'Origin', description: 'The peer that has it.' },
)

const Compute = Type.Enum(['proxy', 'local_attach'], {
  description: 'Where its pictures are worked on: proxy, on its own device; local_attach, here.',
})

/** As what pictures of a peer pass through this device. */
const PASSED_ON = ['mjpeg', 'jpeg'] as const

/** A stream of a peer. */
export const PeerStream = Type.Object(
  {
    ...streams.items.properties,
    formats: Type.Array(Type.Enum([...PASSED_ON]), {
      maxItems: 8,
      description: oneLine`
        What its pictures can be had as through this device: mjpeg of its preview, jpeg of a frame. H.264 the device
        itself has alone.
      `,
    }),
    origin: Origin,
    compute: Compute,
    local_stream_id: Type.Optional(
      Type.String({
        description: oneLine`
          With local_attach alone: the stream of this device that works on its pictures. Its pipeline and its results
          are there, under \`/v1/streams/{id}\`.
        `,
      }),
    ),
  },
  { ...strict, title: 'PeerStream', description: 'A stream of another device, as it was when it was read.' },
)
export type PeerStream = Static<typeof PeerStream>

/** A peer. */
export const PeerRecord = Type.Object(
  {
    id: PeerId,
    revision: Type.Integer({ minimum: 1, description: 'Of what was registered: it rises with each change.' }),
    device_id: orNull(DeviceId, 'null: it has not greeted yet, or is no device of this kind.'),
    name: Type.String({ description: 'As it was named here, else as it calls itself, else its address.' }),
    base_url: Type.String({ description: 'Where it is.' }),
    integration: orNull(
      IntegrationName,
      oneLine`
        What it is: as it was said to be, else as its greeting shows; legacy also where it was said to be native and has
        never greeted as one. null: nobody knows yet.
      `,
    ),
    status: PeerState,
    authority: Authority,
    protocol_version: orNull(Type.String(), 'What both speak. null: it has not greeted yet.'),
    capabilities: Type.Array(CapabilityName, { description: 'What both know to do together.' }),
    api_base: orNull(Type.String(), 'What paths such as `/v1/streams` follow there.'),
    ws_base: orNull(Type.String(), 'The same for WebSockets.'),
    fingerprint: orNull(Fingerprint, 'What its certificate must be. null: any will do, and no token is sent to it.'),
    has_token: Type.Boolean({ description: 'Whether it gave a token to this device; it is not shown.' }),
    streams: Type.Array(PeerStream),
    url_streams: Type.Array(UrlStream, {
      description:
        'Of a device that is not native, as they were registered. What stands behind ? in an address is not shown.',
    }),
    pipelines,
    localization_outputs,
    rig,
    synced_at_ms: orNull(
      Type.Integer({ minimum: 0 }),
      oneLine`
        When its streams and what follows were read, Unix time of this device. null: not since the start of the service.
      `,
    ),
    stale: Type.Boolean({
      description: 'Whether that may be different by now: there is no link. true while nothing is known.',
    }),
    health: Type.Object(
      {
        round_trip_ms: orNull(Type.Number({ minimum: 0 }), 'Of the latest sign of life; null: none yet.'),
        last_seen_ms: orNull(
          Type.Integer({ minimum: 0 }),
          'When it was heard last, Unix time of this device; null: not yet.',
        ),
      },
      strict,
    ),
    fault: orNull(FaultDocument, 'What is wrong with the link; null: nothing.'),
  },
  { ...strict, title: 'Peer', description: 'Another device, as far as it is known here.' },
)
export type PeerRecord = Static<typeof PeerRecord>

/** What a device has said of itself since the start of the service. null: not yet. event: the newest that was heard. */
export interface PeerKnowledge {
  readonly hello: HeardHello | null
  readonly agreement: Agreement | null
  readonly isLegacy: boolean
  readonly inventory: Inventory | null
  readonly syncedAtMs: number | null
  readonly lastSeenMs: number | null
  readonly roundTripMs: number | null
  readonly event: EventPlace | null
}

export const NOTHING_KNOWN: PeerKnowledge = {
  hello: null,
  agreement: null,
  isLegacy: false,
  inventory: null,
  event: null,
  syncedAtMs: null,
  lastSeenMs: null,
  roundTripMs: null,
}

/**
 * That this device works on the pictures of a stream of another. stream_id: of the stream here; null: that is being
 * ended.
 */
export interface WorkedOnHere {
  readonly stream_id: string | null
}

/** What a record is made of. */
export interface PeerParts {
  readonly id: string
  /** Whether the pictures of a stream there are worked on here. */
  readonly here: (stream_id: string) => WorkedOnHere | undefined
  readonly stored: StoredValue<StoredPeer>
  readonly known: PeerKnowledge
  /** One that can be had. */
  readonly hasToken: boolean
  /** Something of it was told to be another and not read yet. */
  readonly isBehind: boolean
  /** Of the link; undefined while there is none. */
  readonly child: ChildStatus | undefined
  /** Of the link; undefined while there is none. */
  readonly snapshot: ChildSnapshot | undefined
}

/** How the link is. */
export const peerHealthOf = ({
  stored,
  known,
  child,
  snapshot,
}: Omit<PeerParts, 'id' | 'hasToken' | 'isBehind' | 'here'>): PeerHealth => {
  const { status, fault } = linkOf({ stored, child, snapshot })
  return {
    status,
    round_trip_ms: known.roundTripMs,
    last_seen_ms: known.lastSeenMs,
    fault: fault && { code: fault.code, detail: fault.detail },
  }
}

interface Link {
  readonly status: PeerHealth['status']
  readonly fault: Fault | null
}

const linkOf = ({ stored, child, snapshot }: Pick<PeerParts, 'stored' | 'child' | 'snapshot'>): Link => {
  if (!mayBeNative(stored.value)) return { status: 'legacy', fault: null }
  if (!child) return { status: 'starting', fault: null }
  const { state, fault, isRunning } = findPresent(child, snapshot)
  return { status: isRunning ? peerLinkState(snapshot?.value) : (state as PeerHealth['status']), fault }
}

/** What it is, as far as anybody knows: what was said, unless it answers and has never greeted. */
export const integrationOf = (
  { integration, device_id }: StoredPeer,
  { isLegacy, hello }: PeerKnowledge,
): Integration | null => {
  if (integration && !(integration === 'native' && isLegacy && device_id === undefined)) return integration
  if (device_id !== undefined || hello) return 'native'
  return isLegacy ? 'legacy' : null
}

/** The peer as it is shown. */
export const peerRecord = (parts: PeerParts): PeerRecord => {
  const { id, stored, known } = parts
  const { value } = stored
  const { hello, agreement, inventory } = known
  const { status, fault, ...health } = peerHealthOf(parts)
  const ownName = readOwnName(hello?.name) ?? readOwnName(value.own_name)
  const { name = ownName ?? value.base_url, fingerprint = null } = value
  const device_id = value.device_id ?? hello?.device_id ?? null
  return {
    id,
    revision: stored.revision,
    device_id,
    name,
    base_url: value.base_url,
    integration: integrationOf(value, known),
    status,
    authority: 'source',
    protocol_version: agreement?.protocol_version ?? null,
    capabilities: [...(agreement?.capabilities ?? [])],
    api_base: hello && baseOn(value.base_url, hello.api_base),
    ws_base: hello && wsOf(baseOn(value.base_url, hello.api_base)),
    fingerprint,
    has_token: parts.hasToken,
    streams: peerStreams(parts),
    url_streams: (value.streams ?? []).map((stream) => ({ ...stream, url: shownAddress(stream.url) })),
    pipelines: inventory?.pipelines ?? [],
    localization_outputs: inventory?.localization_outputs ?? [],
    rig: inventory?.rig ?? [],
    synced_at_ms: known.syncedAtMs,
    stale: isStale(parts),
    health,
    fault,
  }
}

/** Whether what is known may be old: there is no link, or it has told of something that was not read yet. */
const isStale = (parts: PeerParts): boolean =>
  linkOf(parts).status !== 'linked' || !parts.known.inventory || parts.isBehind

/** Its streams, marked with where they come from. */
export const peerStreams = (parts: PeerParts): PeerStream[] => {
  const { id: peer_id, known, here } = parts
  const stale = isStale(parts)
  return (known.inventory?.streams ?? []).map((said) => {
    const stream = { ...said, formats: PASSED_ON.filter((each) => said.formats.includes(each)) }
    const origin = { peer_id, revision: stream.revision, stale }
    const ours = here(stream.id)
    if (!ours) return { ...stream, origin, compute: 'proxy' }
    return {
      ...stream,
      origin,
      compute: 'local_attach',
      authority: 'local',
      ...(ours.stream_id !== null && { local_stream_id: ours.stream_id }),
    }
  })
}

/**
 * What a device says is its base, without `/v1`; on another host than where it was registered it counts for nothing.
 */
const baseOn = (base_url: string, said: string | undefined): string => {
  const [own, other] = [URL.parse(base_url), said === undefined ? null : URL.parse(said)]
  if (!own || !other || other.hostname !== own.hostname || !/^https?:$/.test(other.protocol)) return base_url
  return other.origin
}

const wsOf = (base: string): string => base.replace(/^http/, 'ws')
