// A recording as live pictures, at the pace at which they were taken: browsers play no JPEGs in MP4.
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { RecordedPicture } from '../../native/media/port.ts'
import type { ServedParts } from '../endpoints/file.ts'
import { FIRST_BOUNDARY, PREVIEW_MEDIA_TYPE, partWith } from '../streams/picture-part.ts'

/** Whoever stood still for longer goes on where he was; whoever is a little late catches up. */
const LONGEST_CATCH_UP_MS = 1_000

/** The parts of an answer that begins now. Ends with the recording, and when its reader has gone; closes it then. */
export const playback = (pictures: AsyncGenerator<RecordedPicture>, close: () => Promise<void>): ServedParts => {
  const ended = new AbortController()
  const parts = Readable.from(partsOf(pictures, ended.signal), { objectMode: false, highWaterMark: 1 })
  parts.once('close', () => {
    ended.abort()
    void pictures.return(undefined).finally(close) // one that was never read from does not close by itself
  })
  return { mediaType: PREVIEW_MEDIA_TYPE, parts }
}

async function* partsOf(pictures: AsyncGenerator<RecordedPicture>, ended: AbortSignal): AsyncGenerator<Buffer> {
  yield Buffer.from(FIRST_BOUNDARY)
  let startMs: number | undefined
  let last: Buffer | undefined
  for await (const { pts_us, jpeg } of pictures) {
    startMs ??= performance.now() - pts_us / 1000
    const lateMs = performance.now() - (startMs + pts_us / 1000)
    if (lateMs > LONGEST_CATCH_UP_MS) startMs += lateMs
    else if (lateMs < 0) await delay(-lateMs, undefined, { signal: ended })
    last = partWith(jpeg, { 'X-Position-Ms': (pts_us / 1000).toFixed(3) })
    yield last
  }
  if (last) yield last // browsers show a picture when the next one begins
}
