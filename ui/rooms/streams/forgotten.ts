// Streams that somebody has deleted here, as long as that can be taken back or is on its way.
import { api, ask } from '../../api/client.ts'
import { createForgetting } from '../../state/forgotten.ts'

/** Those of this device. */
export const forgottenStreams = createForgetting({
  remove: (id, isLeaving) => ask(api.DELETE('/v1/streams/{id}', { params: { path: { id } }, keepalive: isLeaving })),
  goneCode: 'stream.not_found',
})

/** Deletes a stream, unless that is taken back in time. */
export const forgetStream = (id: string, alias: string): void => forgottenStreams.forget(id, `${alias} is deleted`)
