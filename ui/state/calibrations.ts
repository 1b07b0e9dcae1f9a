// The calibrations that this device keeps.
import { api, ask, askAll, type Documents } from '../api/client.ts'
import type { FeedEvent } from '../api/feed.ts'
import { createForgetting } from './forgotten.ts'
import { createLive, type Heed, withItem } from './live.ts'

/** A calibration that is kept. */
export type KeptCalibration = Documents['KeptCalibration']

/** A calibration, with how far it is to be trusted. */
export type Calibration = KeptCalibration['spec']

/** As it is kept, or as it was solved just now: then what came out may be no lens. */
export type FoundCalibration = Omit<Calibration, 'intrinsics'> & {
  readonly intrinsics: Calibration['intrinsics'] | null
}

/** The lens of each stream, as far as events have told it: with another one other calibrations are in force. */
const lenses = new Map<string, string>()

const hasNewLens = ({ resource_ref: { stream_id = '' }, resource }: FeedEvent): boolean => {
  const { spec } = (resource ?? {}) as Partial<Documents['Stream']>
  const lens = JSON.stringify(spec?.intrinsics ?? null)
  const isNew = resource === undefined || lenses.get(stream_id) !== lens
  lenses.set(stream_id, lens)
  return isNew
}

const heed = (event: FeedEvent): Heed<readonly KeptCalibration[]> => {
  const { kind, resource_ref, resource, data } = event
  if (resource_ref.peer_id !== undefined) return undefined
  if (kind === 'stream_changed') return hasNewLens(event) ? 'stale' : undefined
  if (kind !== 'calibration_changed') return undefined
  if ((data as { readonly deleted?: boolean } | undefined)?.deleted)
    return (known) => known.filter(({ id }) => id !== resource_ref.calibration_id)
  return resource === undefined ? 'stale' : (known) => withItem(known, resource as KeptCalibration, ({ id }) => id)
}

/** All of them, in the order in which they were kept. */
export const calibrations = createLive<readonly KeptCalibration[]>({
  read: () =>
    askAll((cursor) => api.GET('/v1/calibrations', { params: { query: { limit: 500, ...(cursor && { cursor }) } } })),
  heed,
})

/** Those that somebody has deleted here, as long as that can be taken back or is on its way. */
export const forgottenCalibrations = createForgetting({
  remove: (id, isLeaving) =>
    ask(api.DELETE('/v1/calibrations/{id}', { params: { path: { id } }, keepalive: isLeaving, body: {} })),
  goneCode: 'calibration.not_found',
})

/** What is expected of the stream, and whether somebody knows that the calibration is poor. */
export interface ApplyOptions {
  /** Of the stream, to whose lens the change was meant. */
  readonly expected_revision: number
  readonly force?: boolean
}

/** Puts one that is kept in force on a stream. */
export const applyCalibration = (stream: string, calibration_id: string, options: ApplyOptions) =>
  ask(
    api.POST('/v1/streams/{id}/calibration/apply', {
      params: { path: { id: stream } },
      body: { calibration_id, ...options },
    }),
  )

/** Keeps what a job has found, for the camera of a stream; `apply` puts it in force there as well. */
export const saveCalibration = (
  stream: string,
  job_id: string,
  options: ApplyOptions & { readonly name: string; readonly apply: boolean },
) =>
  ask(
    api.POST('/v1/streams/{id}/calibration/save', {
      params: { path: { id: stream } },
      body: { job_id, ...options },
    }),
  )
