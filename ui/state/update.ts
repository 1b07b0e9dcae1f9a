// Where an update of the service stands.
import { api, ask, type Documents } from '../api/client.ts'
import { createLive } from './live.ts'

export type UpdateState = Documents['UpdateState']

/** Of this device. */
export const update = createLive<UpdateState>({
  read: () => ask(api.GET('/v1/ota/state')),
  heed: ({ kind, data, resource_ref }) =>
    kind === 'update_changed' && resource_ref.peer_id === undefined ? () => data as UpdateState : undefined,
})
