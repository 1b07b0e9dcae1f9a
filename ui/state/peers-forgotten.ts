// Devices that somebody has forgotten here, as long as that can be taken back or is on its way.
import { api, ask } from '../api/client.ts'
import { createForgetting } from './forgotten.ts'

/** Other devices. */
export const forgottenPeers = createForgetting({
  remove: (id, isLeaving) => ask(api.DELETE('/v1/peers/{id}', { params: { path: { id } }, keepalive: isLeaving })),
  goneCode: 'peer.not_found',
})

/** Forgets a device, unless that is taken back in time. */
export const forgetPeer = (id: string, name: string): void => forgottenPeers.forget(id, `${name} is forgotten`)
