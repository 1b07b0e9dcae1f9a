// The plugins of the device, and the packages that were uploaded.
import { api, ask, type Documents } from '../api/client.ts'
import { createLive } from './live.ts'

export type Plugin = Documents['Plugin']
export type PluginUpload = Documents['PluginUpload']
export type PluginManifest = Documents['PluginManifest']
export type Permission = Documents['PluginPermission']

/** What happens to a plugin, and what its program does. */
const NEWS = ['plugin_changed', 'health_changed']

/** All of them. They are few: the list is read again. */
export const plugins = createLive<Documents['PluginList']>({
  read: () => ask(api.GET('/v1/plugins')),
  heed: ({ kind, resource_ref }) => (NEWS.includes(kind) && resource_ref.peer_id === undefined ? 'stale' : undefined),
})

/** What it is called for people. */
export const titleOf = ({ name, manifest }: Pick<Plugin, 'name' | 'manifest'>): string => manifest?.title ?? name
