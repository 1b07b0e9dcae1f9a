// The thing that a fault is about, with a way to it.
import type { ReactNode } from 'react'
import { Link } from 'wouter'

const ROOMS: Readonly<Record<string, string>> = {
  streams: '/streams',
  recordings: '/streams',
  extcam: '/streams',
  'own-table': '/streams',
  peers: '/peers',
  pairing: '/peers',
  'remote-streams': '/peers',
  'dns-sd': '/peers',
  'peer-scan': '/peers',
  media: '/media',
  cameras: '/streams',
  pipelines: '/pipelines',
  graphs: '/pipelines',
  maps: '/field',
  'nt4-link': '/nt4',
  'nt4-server': '/nt4',
}

/** Where something is shown, by its name as faults and parts have it (`streams/front`). */
export const placeOf = (resource: string): string => {
  const [area = '', ...rest] = resource.split('/')
  if (area.startsWith('nt4')) return '/nt4'
  if (area === 'jobs') return '/errors?tab=jobs'
  const room = ROOMS[area]
  if (room === undefined) return '/device'
  const name = rest.join('/')
  return name === '' || room === '/field' ? room : `${room}/${encodeURIComponent(name)}`
}

/** A thing by its name, or as it is called; empty: the device as a whole. */
export const ResourceLink = ({ resource, children }: { readonly resource: string; readonly children?: ReactNode }) => (
  <Link href={placeOf(resource)}>{children ?? (resource === '' ? 'this device' : resource)}</Link>
)
