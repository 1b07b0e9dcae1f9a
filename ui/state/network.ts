// The networks of the device, and the change of one that is tried.
import { api, ask, type Documents } from '../api/client.ts'
import { createLive } from './live.ts'

export type Network = Documents['Network']
export type NetworkInterface = Documents['NetworkInterface']
export type NetworkChange = Documents['NetworkChangeOrder']
export type ShownChange = NonNullable<Network['change']>

/** All interfaces, the team's addresses, and the change under way. */
export const network = createLive<Network>({
  read: () => ask(api.GET('/v1/device/network')),
  heed: ({ kind, resource_ref }) => {
    if (resource_ref.peer_id !== undefined) return undefined
    return kind === 'network_changed' || kind === 'nt4_changed' || kind === 'nt4_link' ? 'stale' : undefined
  },
})

/** The same with the devices of the team asked just now. */
export const lookAround = () => ask(api.GET('/v1/device/network', { params: { query: { check: 'true' } } }))

/** Orders a change. */
export const orderChange = (body: NetworkChange) => ask(api.POST('/v1/device/network', { body }))

const ATTEMPT_MS = 2_000 // the connection that there was may lead to an address that is gone

/** Says that the device is reached from here. */
export const confirmChange = () =>
  ask(api.POST('/v1/device/network/confirm', { signal: AbortSignal.timeout(ATTEMPT_MS) }))

/** The first address of a network in an interface that was given to it. */
export const givenAddress = ({ addresses }: Pick<NetworkInterface, 'addresses'>) =>
  addresses.find(({ family, scope }) => family === 'ipv4' && scope === 'global')
