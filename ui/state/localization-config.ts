// How all cameras are solved together, and what is the case with that.
import { type Answer, api, ask, type Documents } from '../api/client.ts'
import type { FeedEvent } from '../api/feed.ts'
import { createLive } from './live.ts'

/** What is set of it. */
export type LocalizationConfig = Documents['LocalizationConfig']

const NEWS = new Set([
  ...['localization_config_changed', 'localization_state_changed', 'field_maps_changed'],
  ...['stream_changed', 'stream_state', 'pose_changed'],
])

const isNews = ({ kind, resource_ref }: FeedEvent): boolean => resource_ref.peer_id === undefined && NEWS.has(kind)

/** The document, with its revision. */
export const localizationConfig = createLive<Documents['Localization']>({
  read: () => ask(api.GET('/v1/localization/config')),
  heed: (event) => (isNews(event) ? 'stale' : undefined),
})

/** What a config may be; it is the same as long as the service runs. */
export const localizationLimits = createLive<Documents['LocalizationConfigLimits']>({
  read: async () => {
    const answer = await ask(api.GET('/v1/localization/capabilities'))
    return answer.ok ? { ...answer, value: answer.value.config } : answer
  },
  heed: () => undefined,
})

/** Writes it. expected: the revision that it is made from; null: whatever there is. */
export const writeConfig = (
  config: LocalizationConfig,
  expected: number | null,
): Promise<Answer<Documents['Localization']>> =>
  ask(
    api.PUT('/v1/localization/config', {
      body: { ...config, ...(expected !== null && { expected_revision: expected }) },
    }),
  )

/** Whether an event is about a thing that there is once: what is written is pending until its event has come. */
export const isOfDevice = (ref: Readonly<Record<string, string>>): boolean => Object.keys(ref).length === 0
