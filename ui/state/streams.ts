// The streams of this device and of the others that it knows.
import { type Answer, api, ask, askAll, type Documents } from '../api/client.ts'
import type { FeedEvent } from '../api/feed.ts'
import { createLive, type Heed, useKnownOf, withItem } from './live.ts'

/** A stream of this device. */
export type Stream = Documents['Stream']
/** A stream of another device, as this one lists it. */
export type RemoteStream = Documents['ListedPeerStream']
export type AnyStream = Stream | RemoteStream

/** Whether a stream belongs to another device. */
export const isRemote = (stream: AnyStream): stream is RemoteStream => 'origin' in stream

const keyOf = ({ id }: AnyStream): string => id

const OF_PEERS = new Set(['peer_inventory', 'peer_changed', 'peer_health'])

/** Reads those of all devices. */
const read = (): Promise<Answer<readonly AnyStream[]>> =>
  askAll((cursor) =>
    api.GET('/v1/streams', { params: { query: { include: 'remote', limit: 500, ...(cursor && { cursor }) } } }),
  )

type StateData = Pick<Stream['status'], 'state' | 'fault'>

const withStatus = (id: string, change: (status: Stream['status']) => Stream['status']) =>
  ((streams) =>
    streams.map((stream) =>
      stream.id === id && !isRemote(stream) ? { ...stream, status: change(stream.status) } : stream,
    )) satisfies Heed<readonly AnyStream[]>

const heed = ({ kind, resource_ref, data, timestamp_ms }: FeedEvent): Heed<readonly AnyStream[]> => {
  if (OF_PEERS.has(kind)) return 'stale'
  if (resource_ref.peer_id !== undefined) return undefined // its inventory follows
  const id = resource_ref.stream_id ?? ''
  if (kind === 'stream_state') {
    const { state, fault } = data as StateData
    return withStatus(id, (status) => ({ ...status, state, fault, since_ms: timestamp_ms }))
  }
  return kind === 'stream_changed' || kind === 'pipeline_changed' ? 'stale' : undefined
}

/** All streams, those of this device first. */
export const streams = createLive<readonly AnyStream[]>({ read, heed })

/** One stream, as a component wants it; undefined: there is none of that name, or it is not known yet. */
export const useStream = (id: string): AnyStream | undefined =>
  useKnownOf(streams, ({ value }) => value?.find((stream) => stream.id === id))

/** For an answer that holds the stream as it is now. */
export const putStream = (known: readonly AnyStream[], stream: AnyStream): readonly AnyStream[] =>
  withItem(known, stream, keyOf)

/** Streams of this device. */
export const useOwnStreams = (): readonly Stream[] | undefined => {
  const all = useKnownOf(streams, ({ value }) => value)
  return all?.filter((stream): stream is Stream => !isRemote(stream))
}

/** One stream, read for itself. */
export const readStream = (id: string) => ask(api.GET('/v1/streams/{id}', { params: { path: { id } } }))
