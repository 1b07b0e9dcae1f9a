// How all cameras are solved together, and what is the case with that.
import { api, ask } from '../api/client.ts'
import type { FeedEvent } from '../api/feed.ts'
import { createLive } from './live.ts'
import type { LocalizationDocument } from './localization-wire.ts'

const NEWS = new Set([
  ...['localization_config_changed', 'localization_state_changed', 'field_maps_changed'],
  ...['stream_changed', 'stream_state', 'pose_changed'],
])

const isOwn = ({ kind, resource_ref }: FeedEvent): boolean => resource_ref.peer_id === undefined && NEWS.has(kind)

/** The document, with its revision. */
export const localizationConfig = createLive<LocalizationDocument>({
  read: () => ask(api.GET('/v1/localization/config' as never) as never),
  heed: (event) => (isOwn(event) ? 'stale' : undefined),
})
