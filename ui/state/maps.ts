// The field maps of this device.
import { type Answer, api, ask, type Documents } from '../api/client.ts'
import type { FeedEvent } from '../api/feed.ts'
import { createLive, type Live, useKnown } from './live.ts'

const heed = ({ kind, resource_ref }: FeedEvent) =>
  kind === 'field_maps_changed' && resource_ref.peer_id === undefined ? ('stale' as const) : undefined

const ALL = 500 // more than a device has

/** Which there are, how one is added, and which files are none. */
export const maps = createLive<Documents['FieldMapList']>({
  read: () => ask(api.GET('/v1/localization/maps', { params: { query: { limit: ALL } } })),
  heed,
})

/** Without a query for another one the answer is in the form of ours. */
const readMap = (id: string) =>
  ask(api.GET('/v1/localization/maps/{id}', { params: { path: { id } } })) as Promise<Answer<Documents['FieldMap']>>

const known = new Map<string, Live<Documents['FieldMap']>>()

const mapOf = (id: string): Live<Documents['FieldMap']> => {
  const live =
    known.get(id) ??
    createLive<Documents['FieldMap']>({
      read: () => readMap(id),
      heed,
    })
  known.set(id, live)
  return live
}

/** One of them, with its tags. */
export const useMap = (id: string) => useKnown(mapOf(id))
