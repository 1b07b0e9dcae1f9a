// One picture of a stream, for whoever does not want to watch.
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { streamCollection } from '../../machines/stream/collection.ts'
import type { Picture, PictureWatch } from '../../machines/stream/picture.ts'
import { type PictureLook, watchPictures } from '../../machines/stream/watch-pictures.ts'
import type { Clock } from '../../native/clock/port.ts'
import type { StreamRegistry } from './stream-registry.ts'

const WAIT_MS = 2_000
const FRESH_US = 1_000_000 // what others are being shown is fresh enough when it is at most this old

/** Where pictures are asked for. */
export interface PictureParts {
  readonly clock: Pick<Clock, 'monotonicUs'>
  readonly streams: Pick<StreamRegistry, 'get'>
}

/**
 * One picture of a stream that was taken just now, or only the next that will be; waits up to 2 s for it. Faults:
 * `stream.not_found`, `stream.no_picture`, `picture.too_many_kinds`, `output.not_found`, `output.other_kind`.
 */
export type FreshPicture = (id: string, look: PictureLook, which?: 'any' | 'next') => Promise<Picture | Fault>

export const freshPicture =
  ({ clock, streams }: PictureParts): FreshPicture =>
  async (id, look, which = 'any') => {
    const stream = streams.get(id)
    if (!stream) return streamCollection.notFound(id)
    const { state } = stream.status()
    if (state === 'disabled' || state === 'paused' || state === 'ended')
      return noPicture(`the stream ${id} is ${state}; no picture will come`)
    if (state === 'failed') return noPicture(`the stream ${id} has failed; its status says why, and what can be done`)
    const watch = watchPictures(stream, look)
    if (isFault(watch)) return watch
    const nowUs = clock.monotonicUs()
    const picture = await (which === 'any' ? newest(watch, nowUs - FRESH_US) : newest(watch, nowUs, nowUs))
    watch.release()
    return picture ?? noPicture(`the stream ${id} gave no picture within 2 s; see its status`)
  }

const noPicture = (detail: string): Fault => ({ code: 'stream.no_picture', detail })

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
