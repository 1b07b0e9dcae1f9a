// Which other devices are trusted here, and may do what is meant for devices.
import { api, ask, askAll, type Documents } from '../api/client.ts'
import { createLive } from './live.ts'

/** A device that is trusted. */
export type Trust = Documents['Trust']

/** All of them, for administrators. */
export const trusted = createLive<readonly Trust[]>({
  read: () => askAll((cursor) => api.GET('/v1/peers/trust', { params: { query: { ...(cursor && { cursor }) } } })),
  heed: ({ kind }) => (kind === 'trust_changed' ? 'stale' : undefined),
})

/** Whatever it has open here is closed at once. */
export const revokeTrust = (id: string) => ask(api.DELETE('/v1/peers/trust/{id}', { params: { path: { id } } }))

/** By its certificate, or without a fingerprint by a token, which is in this answer and never told again. */
export const trustDevice = (body: Documents['TrustOrder']) => ask(api.POST('/v1/peers/trust', { body }))

/** Who this device is, to others. */
export const ownIdentity = createLive<Documents['InterdeviceHello']>({
  read: () => ask(api.GET('/v1/interdevice/hello')),
  heed: () => undefined, // it keeps its certificate
})
