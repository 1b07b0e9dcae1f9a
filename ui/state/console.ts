// The console of the device: whether there is one, and its sessions.
import { api, ask, askAll, type Documents } from '../api/client.ts'
import { createLive } from './live.ts'

export type ConsoleSession = Documents['ConsoleSession']
export type ConsoleProgram = Documents['ConsoleProgram']

/** Whether a shell can be had, and what is true. */
export const deviceConsole = createLive<Documents['DeviceConsole']>({
  read: () => ask(api.GET('/v1/device/console')),
  heed: () => undefined,
})

/** Those that run. Asked for only where they may be seen. */
export const consoleSessions = createLive<readonly ConsoleSession[]>({
  read: () => askAll((cursor) => api.GET('/v1/console/sessions', { params: { query: { ...(cursor && { cursor }) } } })),
  heed: ({ kind, resource_ref }) =>
    kind === 'console_changed' && resource_ref.peer_id === undefined ? 'stale' : undefined,
})

/** Starts one. */
export const startConsole = (program: ConsoleProgram) => ask(api.POST('/v1/console/sessions', { body: { program } }))

/** Ends one, with all that it has started. */
export const endConsole = (session_id: string) =>
  ask(api.DELETE('/v1/console/sessions/{session_id}', { params: { path: { session_id } } }))
