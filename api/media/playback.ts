// A recording as live pictures, at the pace at which they were taken: browsers play no JPEGs in MP4.
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { RecordedPicture } from '../../native/media/port.ts'
import type { ServedParts } from '../endpoints/file.ts'
import { END_OF_PART, FIRST_BOUNDARY, PREVIEW_MEDIA_TYPE, partHead } from '../streams/picture-part.ts'

/** Whoever stood still for longer goes on where he was; whoever is a little late catches up. */
const LONGEST_CATCH_UP_MS = 1_000

/** While the camera was away for longer nothing is shown for so long, and then what follows. Whoever leaves meanwhile is noticed after it at the latest. */
const LONGEST_PAUSE_MS = 5_000

/** What is played. close: called once, when nothing is read of them any more. */
export interface Playback {
  readonly pictures: AsyncGenerator<RecordedPicture>
  readonly close: () => Promise<void>
  readonly longestPauseMs?: number
}

/** The parts of an answer that begins now. Ends with the recording, and when its reader has gone. */
export const playback = (played: Playback): ServedParts => {
  const { pictures, close, longestPauseMs = LONGEST_PAUSE_MS } = played
  const parts = Readable.from(partsOf(pictures, longestPauseMs), { objectMode: false, highWaterMark: 1 })
  parts.once('close', () => {
    void pictures.return(undefined).finally(close) // one that was never read from does not close by itself
  })
  return { mediaType: PREVIEW_MEDIA_TYPE, parts }
}

async function* partsOf(pictures: AsyncGenerator<RecordedPicture>, longestPauseMs: number): AsyncGenerator<Uint8Array> {
  yield Buffer.from(FIRST_BOUNDARY)
  let startMs: number | undefined
  let last: RecordedPicture | undefined
  for await (const picture of pictures) {
    const atMs = picture.pts_us / 1000
    startMs ??= performance.now() - atMs
    const lateMs = performance.now() - (startMs + atMs)
    if (lateMs > LONGEST_CATCH_UP_MS) startMs += lateMs
    if (lateMs < -longestPauseMs) startMs += lateMs + longestPauseMs
    if (lateMs < 0) await delay(Math.min(-lateMs, longestPauseMs))
    yield* partOf(picture)
    last = picture
  }
  if (last) yield* partOf(last) // browsers show a picture when the next one begins
}

async function* partOf({ pts_us, size_bytes, pieces }: RecordedPicture): AsyncGenerator<Uint8Array> {
  yield partHead(size_bytes, { 'X-Position-Ms': (pts_us / 1000).toFixed(3) })
  yield* pieces()
  yield Buffer.from(END_OF_PART)
}
