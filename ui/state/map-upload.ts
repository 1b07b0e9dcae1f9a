// A field map on its way to the device.
import { type Answer, api, ask, type Documents, type Problem } from '../api/client.ts'

/** What is said of a file beside what is in it. */
export interface MapUploadOptions {
  /** Of the field in metres, for a file that does not say it. */
  readonly size?: { readonly length_m: number; readonly width_m: number }
  /** Whether another map of that id is replaced. */
  readonly mayReplace?: boolean
}

/** A map that is there now, and how it was read. */
export type UploadedMap = Documents['FieldMapSummary'] & {
  readonly form: 'vedette' | 'wpilib' | 'wpilib-2027' | 'fmap'
  readonly size_from: 'file' | 'query' | 'season'
}

/** What is wrong with a file, and where in it. */
export interface Flaw {
  /** RFC 6901, into the file; empty: the whole of it. */
  readonly pointer: string
  readonly message: string
}

/** What a refusal says of single places in the file. */
export const flawsIn = ({ context }: Problem): readonly Flaw[] => (context?.errors as readonly Flaw[] | undefined) ?? []

/** Whether all that a file lacks is how large its field is. */
export const lacksSize = (problem: Problem): boolean => {
  const flaws = flawsIn(problem)
  return flaws.length > 0 && flaws.every(({ pointer }) => pointer === '/fieldlength' || pointer === '/fieldwidth')
}

const MAX_NAME = 120

/** What a map is called whose file does not say it: as the file, without what follows the last point. */
export const nameFrom = (file: string): string => file.replace(/\.[^.]*$/, '').slice(0, MAX_NAME)

/** Whether the file says what it is called; of one that cannot be read the device says what is wrong. */
const saysName = (text: string): boolean => {
  try {
    return typeof JSON.parse(text.replace(/^\uFEFF/, ''))?.name === 'string'
  } catch {
    return false
  }
}

/** Sends it. */
export const uploadMap = async (
  file: File,
  { size, mayReplace = false }: MapUploadOptions,
): Promise<Answer<UploadedMap>> => {
  const name = saysName(await file.text()) ? {} : { name: nameFrom(file.name) }
  const query = { ...name, ...size, ...(mayReplace && { replace: true }) }
  const post = api.POST as unknown as (path: string, init: object) => Parameters<typeof ask<UploadedMap>>[0]
  return ask(
    post('/v1/localization/maps/upload', {
      params: { query },
      headers: { 'content-type': 'application/octet-stream' }, // the device looks for itself which form it is
      body: file,
      bodySerializer: (body: unknown) => body,
    }),
  )
}
