// The logs of the device: which there are, and how much the service writes into its own.
import { api, ask, type Documents } from '../api/client.ts'
import { createLive } from './live.ts'

export type LogLine = Documents['LogLine']
export type LogSources = Documents['LogSources']
export type LogLevel = Documents['LogLevelName']
export type LogSourceName = Documents['LogSourceName']

/** All of them. */
export const logSources = createLive<LogSources>({
  read: () => ask(api.GET('/v1/device/logs/sources')),
  heed: ({ kind }) => (kind === 'log_changed' ? 'stale' : undefined),
})

export const LEVELS: readonly LogLevel[] = ['error', 'warn', 'info', 'debug']
