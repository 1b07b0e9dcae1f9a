// What events are about, as it is read: told with the event, so that whoever listens need not ask for it.
import { JOBS } from '../../actors/jobs/tokens.ts'
import { PEER_REGISTRY } from '../../actors/peers/tokens.ts'
import { STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import { type EventDocument, MAX_RESOURCE_CHARACTERS } from '../../machines/events/event.ts'
import { jobChanged } from '../../machines/jobs/events.ts'
import { peerChanged, peerHealth, peerInventory } from '../../machines/peers/events.ts'
import { streamChanged } from '../../machines/stream/events.ts'
import { shownManifest } from '../../machines/stream/shown-manifest.ts'
import type { Given } from '../../machines/token.ts'

/** The needs of telling resources. */
export const resourceNeeds = { streams: STREAM_REGISTRY, jobs: JOBS, peers: PEER_REGISTRY }
type ResourceParts = Given<typeof resourceNeeds>

type Reference = Readonly<Record<string, unknown>>

/** Finds what events are about, by kind. */
export const resourceFinder = ({ streams, jobs, peers }: ResourceParts) => {
  const stream = ({ stream_id }: Reference) => {
    const found = streams.get(String(stream_id))
    if (!found) return undefined
    const { revision, value } = found.stored
    return { id: found.id, revision, spec: shownManifest(value), status: found.status() }
  }
  const job = ({ job_id }: Reference) => jobs.get(String(job_id))
  const peer = ({ peer_id }: Reference) => peers.get(String(peer_id))?.record()
  const finders = new Map<string, (reference: Reference) => object | undefined>([
    [streamChanged.kind, stream],
    [jobChanged.kind, job],
    [peerChanged.kind, peer],
    [peerHealth.kind, peer],
    [peerInventory.kind, peer],
  ])
  /** The event with its resource, where that is here and short. */
  return (event: EventDocument): EventDocument & { readonly resource?: object } => {
    const { kind, resource_ref } = event
    const isRelayed = kind === streamChanged.kind && Object.hasOwn(resource_ref, 'peer_id')
    const resource = isRelayed ? undefined : finders.get(kind)?.(resource_ref)
    return resource && JSON.stringify(resource).length <= MAX_RESOURCE_CHARACTERS ? { ...event, resource } : event
  }
}
