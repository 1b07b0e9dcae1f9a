// Colour: the tuning files of cameras, and matrices that are solved from a picture of a chart.
import { type Answer, api, ask, type Documents } from '../api/client.ts'
import { createLive } from './live.ts'

export type Ipa = Documents['Ipa']
export type CcmSolution = Documents['CcmSolution']

/** What a picture is solved by, beside the picture. */
export interface SolveOptions {
  readonly edition: 'after_2014' | 'before_2014'
  readonly curve: 'srgb' | 'linear' | 'tuning'
  /** Kelvin; null: not said. */
  readonly ct: number | null
  /** Four places, as the interface writes them; null: the chart is looked for. */
  readonly corners: string | null
}

/** The files, and what is in force. */
export const ipa = createLive<Ipa>({
  read: () => ask(api.GET('/v1/device/ipa')),
  heed: ({ kind, resource_ref }) =>
    resource_ref.peer_id === undefined && ['ipa_changed', 'camera_presence', 'camera_changed'].includes(kind)
      ? 'stale'
      : undefined,
})

/** A picture: a file that is sent, or the next of a stream. */
export type ChartPicture = { readonly file: File } | { readonly stream_id: string }

/** Solves it; nothing is written. */
export const solveChart = (
  picture: ChartPicture,
  { edition, curve, ct, corners }: SolveOptions,
): Promise<Answer<CcmSolution>> => {
  const query = {
    edition,
    curve,
    ...(ct !== null && { ct }),
    ...(corners !== null && { corners }),
    ...('stream_id' in picture && { stream_id: picture.stream_id }),
  }
  if ('stream_id' in picture)
    return ask(api.POST('/v1/device/ipa/ccm/solve', { params: { query }, body: '', bodySerializer: () => undefined }))
  return ask(
    api.POST('/v1/device/ipa/ccm/solve', {
      params: { query },
      body: '',
      bodySerializer: () => picture.file,
      headers: { 'content-type': picture.file.type || 'image/png' },
    }),
  )
}

/** Writes a matrix into a copy of a file. */
export const writeCcm = (order: Documents['CcmOrder']) => ask(api.POST('/v1/device/ipa/ccm', { body: order }))
