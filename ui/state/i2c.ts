// The I2C buses of this device.
import { api, ask, type Documents } from '../api/client.ts'
import { createLive } from './live.ts'

export type I2cAdapter = Documents['I2cAdapter']
export type I2cChip = Documents['I2cChip']

/** The kind of its jobs. */
export const SCAN_JOB = 'i2c_scan'

/** All of them, as the system knows them: to read this touches no bus. */
export const i2cBuses = createLive<readonly I2cAdapter[]>({
  read: async () => {
    const answer = await ask(api.GET('/v1/device/i2c'))
    return answer.ok ? { ...answer, value: answer.value.adapters } : answer
  },
  heed: ({ kind, resource_ref, data }) =>
    resource_ref.peer_id === undefined && kind === 'job_changed' && isEndOfScan(data) ? 'stale' : undefined,
})

const isEndOfScan = (data: unknown): boolean => {
  const { kind, state } = data as { readonly kind: string; readonly state: string }
  return kind === SCAN_JOB && state === 'done'
}

/** Scans one: a job. force: also one of which nothing is known. */
export const scanBus = (adapter: number, force: boolean) =>
  ask(api.POST('/v1/device/i2c/scan', { body: { adapter, ...(force && { force }) } }))
