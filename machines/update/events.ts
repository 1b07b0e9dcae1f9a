// What is published about updates of the service.
import { eventKind } from '../events/kind.ts'
import { UpdateState, updateExample } from './update-state.ts'

/** An update is in another state, or further than before. */
export const updateChanged = eventKind({
  kind: 'update_changed',
  about: 'An update of the service is in another state, or further than before: told four times a second at most.',
  reference: {},
  resource: 'GET /v1/ota/state',
  data: UpdateState,
  revised: false,
  example: { resource_ref: {}, data: updateExample },
})
