// The resource guard: what it takes from streams, and why.
import { type Answer, api, ask, type Documents } from '../api/client.ts'
import type { FeedEvent } from '../api/feed.ts'
import { createLive } from './live.ts'

/** What the service tells of it. */
export type ResourceGuard = Documents['ResourceGuard']

/** What is taken from a stream. */
export type GuardedStatus = Documents['GuardedStatus']

/** What people set. */
export type GuardSettings = ResourceGuard['settings']

const NEWS = new Set([
  ...['stream_guarded', 'resource_guard_state_changed', 'resource_guard_settings_changed', 'stream_changed'],
])

const isNews = ({ kind, resource_ref }: FeedEvent): boolean => resource_ref.peer_id === undefined && NEWS.has(kind)

/** The guard as it was when it last decided anything, or somebody looked. */
export const resourceGuard = createLive<ResourceGuard>({
  read: () => ask(api.GET('/v1/device/resource-guard')),
  heed: (event) => (isNews(event) ? 'stale' : undefined),
})

/** Gives a stream everything back, for a while. */
export const restoreStream = (stream_id: string): Promise<Answer<ResourceGuard>> =>
  ask(api.POST('/v1/device/resource-guard/restore/{stream_id}', { params: { path: { stream_id } }, body: {} }))

/** expected: the revision that the change is made from; null: whatever there is. */
export const writeGuard = (change: Partial<GuardSettings>, expected: number | null): Promise<Answer<ResourceGuard>> =>
  ask(
    api.PATCH('/v1/device/resource-guard', {
      body: { ...change, ...(expected !== null && { expected_revision: expected }) },
    }),
  )
