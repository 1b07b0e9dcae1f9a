// Who says where the robot is: streams, other devices, other programs.
import { api, ask, askAll, type Documents } from '../api/client.ts'
import { createForgetting } from './forgotten.ts'
import { createLive } from './live.ts'

/** An output that says where something is. */
export type PlaceSource = Documents['LocalizationSource']

/** Another program that sends poses. */
export type ExternalSource = Documents['ExternalSource']

const OF_SOURCES = new Set([
  ...['localization_source_changed', 'localization_config_changed', 'localization_state_changed'],
  ...['external_source_changed', 'external_output_changed'],
  ...['stream_changed', 'stream_state', 'pipeline_changed', 'pose_changed', 'peer_inventory'],
])

/** What was read, and when, on the clock of this page (`performance.now`): ages are of that moment. */
export interface ReadSources {
  readonly items: readonly PlaceSource[]
  readonly readMs: number
}

/** All of them. */
export const placeSources = createLive<ReadSources>({
  read: async () => {
    const answer = await askAll((cursor) =>
      api.GET('/v1/localization/sources', { params: { query: { limit: 500, ...(cursor && { cursor }) } } }),
    )
    return answer.ok ? { ...answer, value: { items: answer.value, readMs: performance.now() } } : answer
  },
  heed: ({ kind }) => (OF_SOURCES.has(kind) ? 'stale' : undefined),
})

/** Those of other programs, with what has come of each. */
export const externalSources = createLive<readonly ExternalSource[]>({
  read: () =>
    askAll((cursor) =>
      api.GET('/v1/localization/external/sources', { params: { query: { limit: 500, ...(cursor && { cursor }) } } }),
    ),
  heed: ({ kind, resource_ref }) =>
    resource_ref.peer_id === undefined && (kind === 'external_source_changed' || kind === 'external_output_changed')
      ? 'stale'
      : undefined,
})

/** Those that somebody has removed here, as long as that can be taken back or is on its way. */
export const forgottenSources = createForgetting({
  remove: (id, isLeaving) =>
    ask(
      api.DELETE('/v1/localization/external/sources/{id}', {
        params: { path: { id } },
        keepalive: isLeaving,
        body: {},
      }),
    ),
  goneCode: 'external_source.not_found',
})
