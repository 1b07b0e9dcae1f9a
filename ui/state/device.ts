// What there is once on a device: who asks, how it is, its link to the robot, its name, the other devices, jobs.
import { api, ask, askAll, type Documents } from '../api/client.ts'
import type { FeedEvent } from '../api/feed.ts'
import { createLive, type Heed, withItem } from './live.ts'

/** Who asks, and what that one may do. */
export const session = createLive<Documents['Session']>({
  read: () => ask(api.GET('/v1/session')),
  heed: () => undefined,
})

type Health = Documents['Health']

/** The service and its parts. */
export const health = createLive<Health>({
  read: () => ask(api.GET('/v1/health')),
  heed: ({ kind }) => (kind === 'health_changed' ? 'stale' : undefined),
})

type Nt4 = Documents['Nt4']

/** The link to the robot. */
export const nt4 = createLive<Nt4>({
  read: () => ask(api.GET('/v1/device/nt4')),
  heed: ({ kind, data, resource_ref }) => {
    if (resource_ref.peer_id !== undefined) return undefined
    if (kind === 'nt4_changed') return 'stale'
    return kind === 'nt4_link' ? (known) => ({ ...known, status: data as Nt4['status'] }) : undefined
  },
})

/** The name of the device. */
export const hostname = createLive<Documents['Hostname']>({
  read: () => ask(api.GET('/v1/device/hostname')),
  heed: ({ kind }) => (kind === 'hostname_changed' ? 'stale' : undefined),
})

type Peer = Documents['Peer']

/** The other devices that this one knows. */
export const peers = createLive<readonly Peer[]>({
  read: () =>
    askAll((cursor) => api.GET('/v1/peers', { params: { query: { limit: 500, ...(cursor && { cursor }) } } })),
  heed: ({ kind, resource }) => {
    if (!kind.startsWith('peer_') || kind === 'peer_candidates_changed') return undefined
    return resource === undefined ? 'stale' : (known) => withItem(known, resource as Peer, ({ id }) => id)
  },
})

/** Cameras that are plugged in. */
export const cameras = createLive<readonly Documents['Camera'][]>({
  read: () =>
    askAll((cursor) => api.GET('/v1/peripherals/cameras', { params: { query: { ...(cursor && { cursor }) } } })),
  heed: ({ kind, resource_ref }) =>
    resource_ref.peer_id === undefined && (kind.startsWith('camera_') || kind === 'stream_changed')
      ? 'stale'
      : undefined,
})

/** Where cameras sit on the robot, and how large it is. */
export const rig = createLive<Documents['CameraLayout']>({
  read: () => ask(api.GET('/v1/device/camera-layout')),
  heed: ({ kind, resource_ref }) =>
    resource_ref.peer_id === undefined &&
    ['rig_changed', 'pose_changed', 'stream_changed', 'camera_presence'].includes(kind)
      ? 'stale'
      : undefined,
})

type Job = Documents['Job']

const heedJob = ({ kind, resource_ref }: FeedEvent): Heed<readonly Job[]> =>
  kind === 'job_changed' && resource_ref.peer_id === undefined ? 'stale' : undefined

/** Work that takes longer than a request. */
export const jobs = createLive<readonly Job[]>({
  read: () => askAll((cursor) => api.GET('/v1/jobs', { params: { query: { ...(cursor && { cursor }) } } })),
  heed: heedJob,
})

type ErrorEntry = Documents['ErrorEntry']

const sameError = ({ code, resource }: ErrorEntry): string => `${code} ${resource}`

/** The error history, newest last. */
export const errors = createLive<readonly ErrorEntry[]>({
  read: () =>
    askAll((cursor) => api.GET('/v1/errors', { params: { query: { limit: 500, ...(cursor && { cursor }) } } })),
  heed: ({ kind, data, resource_ref }) => {
    if (resource_ref.peer_id !== undefined) return undefined
    if (kind === 'errors_cleared') return () => []
    return kind === 'error_recorded' ? (known) => withItem(known, data as ErrorEntry, sameError) : undefined
  },
})
