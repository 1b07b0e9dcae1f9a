// Asking a stream for pictures.
import type { Static, TObject } from 'typebox'
import type { StreamRuntime } from '../../../actors/stream/stream-runtime.ts'
import { type Fault, isFault } from '../../../machines/errors/fault.ts'
import { PortName } from '../../../machines/pipeline/graph.ts'
import Type from '../../../machines/schema/type.ts'
import type { Picture, PictureWant, PictureWatch } from '../../../machines/stream/picture.ts'
import { fault } from '../../problems/problem.ts'
import { streamNotFound } from '../of-stream.ts'
import type { StreamParts } from '../parts.ts'
import { whyNoPicture } from '../pipeline/samples.ts'

/** How a viewer wants the pictures. */
export const pictureQuery = {
  output: Type.Optional(
    Type.String({
      ...PortName,
      description:
        "An output of the pipeline that is a picture (`image` in the list of outputs), as the pipeline makes it. Default: the camera's picture.",
    }),
  ),
  max_width: Type.Optional(
    Type.Integer({
      minimum: 16,
      maximum: 8192,
      description: 'Pixels; wider pictures are scaled down. Default: as they are.',
    }),
  ),
  quality: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: "Of the JPEG. Default: the camera's own, else 75." }),
  ),
  overlay: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Outlines and ids of the tags drawn in. With an output it says nothing: its pipeline draws what it draws.',
    }),
  ),
}

type PictureQuery = Static<TObject<typeof pictureQuery>>

/** A share of the pictures of a stream; the caller releases it. fps 0: all of them. isMetered: within the bandwidth budget. */
export const watchPictures = (
  stream: StreamRuntime,
  look: PictureQuery,
  { fps = 0, isMetered = false }: Pick<Partial<PictureWant>, 'fps' | 'isMetered'> = {},
): PictureWatch | Fault => {
  const { max_width = 0, quality = 0, overlay = false, output = '' } = look
  const why = output === '' ? undefined : whyNoPicture(stream.manifest, output)
  return (
    why ??
    stream.pictures.watch({ output, max_width_px: max_width, quality, overlay, fps, isMetered }) ??
    fault(
      'picture.too_many_kinds',
      'too many outputs, sizes, qualities and overlays of it are being watched; ask for one of those',
    )
  )
}

const WAIT_MS = 2_000
const FRESH_US = 1_000_000 // what others are being shown is fresh enough when it is at most this old

/** One picture that was taken just now, or only the next that will be; waits for it. */
export const freshPicture = async (
  parts: StreamParts,
  id: string,
  look: PictureQuery,
  which: 'any' | 'next' = 'any',
): Promise<Picture | Fault> => {
  const { directory, streams } = parts
  const stream = streams.get(id)
  if (!stream) return streamNotFound(id)
  const { state } = stream.status()
  if (state === 'disabled' || state === 'ended')
    return fault('stream.no_picture', `the stream ${id} is ${state}; no picture will come`)
  if (state === 'failed')
    return fault('stream.no_picture', `the stream ${id} has failed; its status says why, and what can be done`)
  const watch = watchPictures(stream, look)
  if (isFault(watch)) return watch
  const nowUs = directory.clock.monotonicUs()
  const picture = await (which === 'any' ? newest(watch, nowUs - FRESH_US) : newest(watch, nowUs, nowUs))
  watch.release()
  return picture ?? fault('stream.no_picture', `the stream ${id} gave no picture within 2 s; see its status`)
}

/** The one that is there, when it was taken since then, else the next that was taken since `nextSinceUs`. */
const newest = ({ pictures }: PictureWatch, sinceUs: number, nextSinceUs = 0): Promise<Picture | undefined> =>
  new Promise((resolve) => {
    if (pictures.value && pictures.value.captured_us >= sinceUs) return resolve(pictures.value)
    const answer = (picture?: Picture) => {
      clearTimeout(timer)
      unsubscribe()
      resolve(picture)
    }
    const timer = setTimeout(answer, WAIT_MS)
    const unsubscribe = pictures.subscribe((picture) => {
      if (picture.captured_us >= nextSinceUs) answer(picture)
    })
  })
