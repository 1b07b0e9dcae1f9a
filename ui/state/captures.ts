// Guided captures: pictures of a board that the device takes while somebody holds it in front of a camera.
import { api, ask, askAll, type Documents } from '../api/client.ts'
import type { FeedEvent } from '../api/feed.ts'
import { createForgetting } from './forgotten.ts'
import { createLive, type Heed, withItem } from './live.ts'

/** A capture, with how far it is. */
export type Capture = Documents['Capture']

/** What it sees changes several times a second, and is told as it is. */
type CaptureNews = Partial<Capture['status']>

const heed = ({ kind, resource_ref, resource, data }: FeedEvent): Heed<readonly Capture[]> => {
  if (resource_ref.peer_id !== undefined) return undefined
  const id = resource_ref.capture_id
  if (kind === 'calibration_capture_seen')
    return (known) =>
      known.map((each) => (each.id === id ? { ...each, status: { ...each.status, ...(data as CaptureNews) } } : each))
  if (kind !== 'calibration_capture_changed') return undefined
  if ((data as { readonly deleted?: boolean } | undefined)?.deleted)
    return (known) => known.filter((each) => each.id !== id)
  return resource === undefined ? 'stale' : (known) => withItem(known, resource as Capture, (each) => each.id)
}

/** Those that are under way, or wait to be solved: one of each stream at most. */
export const captures = createLive<readonly Capture[]>({
  read: () =>
    askAll((cursor) => api.GET('/v1/calibration/captures', { params: { query: { ...(cursor && { cursor }) } } })),
  heed,
})

/** Begins one. */
export const beginCapture = (wanted: Documents['CaptureRequest']) =>
  ask(api.POST('/v1/calibration/captures', { body: wanted }))

/** Ends one, and forgets what it has found; its pictures stay. isLeaving: the page is being left. */
export const endCapture = (id: string, isLeaving = false) =>
  ask(api.DELETE('/v1/calibration/captures/{id}', { params: { path: { id } }, keepalive: isLeaving, body: {} }))

/** Those that somebody has stopped here, as long as that can be taken back or is on its way. */
export const forgottenCaptures = createForgetting({
  remove: endCapture,
  goneCode: 'calibration.capture_not_found',
})
