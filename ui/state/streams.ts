// The streams of this device and of the others that it knows.
import { createStore } from '@xstate/store'
import { useSelector } from '@xstate/store-react'
import { type Answer, api, ask, askAll, type Documents } from '../api/client.ts'
import { type FeedEvent, onEvent } from '../api/feed.ts'
import { atBeat } from './beat.ts'
import { createLive, type Heed, useKnownOf } from './live.ts'

/** A stream of this device. */
export type Stream = Documents['Stream']
/** A stream of another device, as this one lists it. */
export type RemoteStream = Documents['ListedPeerStream']
export type AnyStream = Stream | RemoteStream

/** Whether a stream belongs to another device. */
export const isRemote = (stream: AnyStream): stream is RemoteStream => 'origin' in stream

const OF_PEERS = new Set(['peer_inventory', 'peer_changed', 'peer_health'])

/** Reads those of all devices. */
const read = (): Promise<Answer<readonly AnyStream[]>> =>
  askAll((cursor) =>
    api.GET('/v1/streams', { params: { query: { include: 'remote', limit: 500, ...(cursor && { cursor }) } } }),
  )

type StateData = Pick<Stream['status'], 'state' | 'fault'> & {
  readonly pipeline_fault: Stream['status']['pipeline']['fault']
}

type RecordingData = Pick<Stream['status'], 'recording'>

const withStatus = (id: string, change: (status: Stream['status']) => Stream['status']) =>
  ((streams) =>
    streams.map((stream) =>
      stream.id === id && !isRemote(stream) ? { ...stream, status: change(stream.status) } : stream,
    )) satisfies Heed<readonly AnyStream[]>

/** The streams, with one of this device as it is now; a new one after those that are there. */
const putStream = (known: readonly AnyStream[], stream: Stream): readonly AnyStream[] =>
  known.some(({ id }) => id === stream.id)
    ? known.map((each) => (each.id === stream.id ? stream : each))
    : [...known.filter((each) => !isRemote(each)), stream, ...known.filter(isRemote)]

const withoutStream = (known: readonly AnyStream[], id: string): readonly AnyStream[] =>
  known.filter((stream) => stream.id !== id || isRemote(stream))

const heed = ({ kind, resource_ref, resource, data, timestamp_ms }: FeedEvent): Heed<readonly AnyStream[]> => {
  if (OF_PEERS.has(kind)) return 'stale'
  if (resource_ref.peer_id !== undefined) return undefined // its inventory follows
  const id = resource_ref.stream_id ?? ''
  if (kind === 'stream_state') {
    const { state, fault, pipeline_fault } = data as StateData
    if (state === 'live') return 'stale' // with its pictures come their size and their format
    return withStatus(id, (status) => ({
      ...status,
      state,
      fault,
      since_ms: timestamp_ms,
      pipeline: { ...status.pipeline, fault: pipeline_fault },
    }))
  }
  if (kind === 'recording_changed') {
    const { recording } = data as RecordingData
    return withStatus(id, (status) => ({ ...status, recording }))
  }
  if (kind === 'stream_guarded') {
    const { guard } = data as Pick<Stream['status'], 'guard'>
    return withStatus(id, (status) => ({ ...status, guard }))
  }
  if (kind !== 'stream_changed' && kind !== 'pipeline_changed') return undefined
  // at once: who still shows it would ask for what is not there
  if ((data as { readonly deleted?: boolean } | undefined)?.deleted) return (known) => withoutStream(known, id)
  return resource === undefined ? 'stale' : (known) => putStream(known, resource as Stream)
}

/** All streams, those of this device first. */
export const streams = createLive<readonly AnyStream[]>({ read, heed })

/** The stream of another device that a stream of this one works on; undefined: none. */
export const attachedTo = (all: readonly AnyStream[], id: string): RemoteStream | undefined =>
  all.filter(isRemote).find(({ local_stream_id }) => local_stream_id === id)

/** Without those of other devices that stand there already, as the streams of this device that work on them. */
export const shownOnce = (all: readonly AnyStream[]): readonly AnyStream[] => {
  const own = new Set(all.filter((stream) => !isRemote(stream)).map(({ id }) => id))
  return all.filter(
    (stream) => !isRemote(stream) || stream.local_stream_id === undefined || !own.has(stream.local_stream_id),
  )
}

/** What is wrong with a stream, and with its pipeline; of another device, as far as that says it. */
export const faultsOf = (stream: AnyStream) => {
  const { fault = null } = stream.status
  const pipelineFault = isRemote(stream) ? (stream.status.pipeline_fault ?? null) : stream.status.pipeline.fault
  return { fault, pipelineFault }
}

/** One stream, as a component wants it; undefined: there is none of that name, or it is not known yet. */
export const useStream = (id: string): AnyStream | undefined =>
  useKnownOf(streams, ({ value }) => value?.find((stream) => stream.id === id))

/** A stream of another device; undefined: there is none of that name, or it is not known yet. */
export const useRemoteStream = (listedId: string | undefined): RemoteStream | undefined =>
  useKnownOf(streams, ({ value }) => value?.filter(isRemote).find(({ id }) => id === listedId))

/** Streams of this device. */
export const useOwnStreams = (): readonly Stream[] | undefined => {
  const all = useKnownOf(streams, ({ value }) => value)
  return all?.filter((stream): stream is Stream => !isRemote(stream))
}

/** The pipeline that a stream of this device is to run: one that is tried on it, else the one that is stored. */
export const wantedPipeline = ({ spec, status }: Stream): Stream['spec']['pipeline'] =>
  status.pipeline.trial?.graph ?? spec.pipeline

/** One stream, read for itself. */
export const readStream = (id: string) => ask(api.GET('/v1/streams/{id}', { params: { path: { id } } }))

/** What of a stream of this device changes all the time. Those in its document are of when that was read. */
export interface StreamFigures {
  readonly id: string
  readonly fps: number | null
  /** From the middle of the exposure until the results are there. */
  readonly latency_ms: number | null
  readonly viewers: number
  readonly restarts: number
  /** Of its previews over the network; null: nobody watches it there. */
  readonly bandwidth: { readonly sent_mbit_s: number; readonly granted_mbit_s: number } | null
  /** How far the recording is that runs. */
  readonly recording: {
    readonly size_bytes: number
    readonly duration_ms: number
    readonly frames: number
    readonly frames_lost: number
  } | null
  /** What a robot program has set on it; null: nothing. */
  readonly robot: Stream['status']['robot']
}

type AllFigures = Readonly<Record<string, StreamFigures>>

/** Those that are as they were stay the same ones, so that nothing of them is drawn again. */
const withoutChange = (before: AllFigures, now: readonly StreamFigures[]): AllFigures =>
  Object.fromEntries(
    now.map((each) => {
      const known = before[each.id]
      return [each.id, known && JSON.stringify(known) === JSON.stringify(each) ? known : each]
    }),
  )

const FIGURES_EVERY_MS = 500 // in step with what else is told of streams

/** Of all streams of this device, by their ids: told by the feed, once a second while they change. */
export const figures = createStore({
  context: {} as AllFigures,
  on: { told: (before, { now }: { now: readonly StreamFigures[] }) => withoutChange(before, now) },
})

let newest: readonly StreamFigures[] | undefined // that are not shown yet

const showNewest = (): void => {
  const now = newest
  newest = undefined
  if (now) figures.trigger.told({ now })
}

onEvent(({ kind, data, resource_ref }) => {
  if (kind !== 'stream_figures' || resource_ref.peer_id !== undefined) return
  const isFirst = Object.keys(figures.getSnapshot().context).length === 0
  if (newest === undefined) atBeat(isFirst ? 0 : FIGURES_EVERY_MS, showNewest)
  newest = (data as { readonly streams: readonly StreamFigures[] }).streams
})

/** Those of one stream; undefined: not told yet. */
export const useFigures = (id: string): StreamFigures | undefined => useSelector(figures, ({ context }) => context[id])
