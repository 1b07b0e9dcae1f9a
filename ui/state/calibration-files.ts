// Calibrations as files: those of other programs that are taken, and those that are made for them.
import { type Answer, api, ask, type Documents } from '../api/client.ts'
import type { KeptCalibration } from './calibrations.ts'

/** The formats, by their names on the wire. */
export type CalibrationFormat = Documents['CalibrationFormat']

/** What is said of a file beside what is in it. */
export interface ImportOptions {
  /** The stream whose lens it is. */
  readonly stream_id?: string
  /** Of the pictures, for a file that does not say it. */
  readonly width_px?: number
  readonly height_px?: number
  /** Of a file that has several: 0 for `cam0`. */
  readonly camera?: number
  readonly repair?: 'half_pixel'
}

/** Sends one. */
export const importCalibration = (file: File, query: ImportOptions): Promise<Answer<KeptCalibration>> =>
  ask(
    api.POST('/v1/calibrations/import', {
      params: { query },
      headers: { 'content-type': 'application/octet-stream' }, // the device looks for itself which format it is
      body: file as never,
      bodySerializer: (body: unknown) => body as Blob,
    }),
  )

/** A file for another program. */
export interface ExportedFile {
  readonly name: string
  readonly content: Blob
}

/** Makes one; refused where the format has no room for the lens. */
export const exportCalibration = async (id: string, format: CalibrationFormat): Promise<Answer<ExportedFile>> => {
  const request = api.GET('/v1/calibrations/{id}/export', {
    params: { path: { id }, query: { format } },
    parseAs: 'blob',
  })
  const answer = await ask(request)
  if (!answer.ok) return answer
  const { response } = await request
  const [, name = `${id}-${format}`] =
    /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? []
  return { ...answer, value: { name, content: answer.value as Blob } }
}

/** Has the browser keep a file. */
export const keepFile = ({ name, content }: ExportedFile): void => {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url)) // the browser has taken it by then
}
