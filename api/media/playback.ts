// A recording as live pictures, at the pace at which they were taken: browsers play no JPEGs in MP4.
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import type { Given } from '../../machines/token.ts'
import { VIEWER_PLACES } from '../../machines/viewers/viewer-places.ts'
import { MEDIA_STORE, type RecordedPicture } from '../../native/media/port.ts'
import type { ServedParts } from '../endpoints/file.ts'
import { END_OF_PART, FIRST_BOUNDARY, PREVIEW_MEDIA_TYPE, partHead } from '../stream/preview/picture-part.ts'
import { STALL_LIMIT_MS } from '../stream/preview/play.ts'

/** The needs of playing a recording. */
export const playbackNeeds = { store: MEDIA_STORE, viewers: VIEWER_PLACES }

/** A viewer that stood still for longer goes on where it was; one that is a little late catches up. */
const MAX_CATCH_UP_MS = 1_000

/**
 * While the camera was away for longer nothing is shown for so long, and then what follows. A viewer that leaves
 * meanwhile is noticed after it at the latest.
 */
const MAX_PAUSE_MS = 5_000

/** What is played, and how long it waits for its reader. close: called once, when nothing is read of them any more. */
export interface Playback {
  readonly pictures: AsyncGenerator<RecordedPicture>
  readonly close: () => Promise<void>
  readonly stallLimitMs?: number
  readonly maxPauseMs?: number
  /** How many times faster than they were taken. */
  readonly speed?: number
}

/**
 * The parts of an answer that begins now. Ends with the recording, when its reader has gone, and when it takes nothing
 * for too long.
 */
export const playback = (played: Playback): ServedParts => {
  const { pictures, close, stallLimitMs = STALL_LIMIT_MS, maxPauseMs = MAX_PAUSE_MS, speed = 1 } = played
  const taken = untilStalled(partsOf(pictures, maxPauseMs, speed), stallLimitMs, () => parts.destroy())
  const parts: Readable = Readable.from(taken, { objectMode: false, highWaterMark: 1 })
  parts.once('close', () => {
    void pictures.return(undefined).finally(close) // one that was never read from does not close by itself
  })
  return { mediaType: PREVIEW_MEDIA_TYPE, parts }
}

/** From when on a recording is played, and how fast. */
interface Playing {
  readonly fromUs: number
  readonly speed: number
}

/** A recording that is played from a time on, by a viewer who has a place for it. */
export const playRecording = async (
  { store, viewers }: Given<typeof playbackNeeds>,
  name: string,
  { fromUs, speed }: Playing,
): Promise<ServedParts | Fault> => {
  const full = viewers.full()
  if (full) return full
  const leave = viewers.take()
  const found = await store.open(name, 'content')
  if (isFault(found)) {
    leave()
    return found
  }
  const close = () => {
    leave()
    return found.close()
  }
  const pictures = await found.pictures(fromUs)
  if (!isFault(pictures)) return playback({ pictures, close, speed })
  await close()
  return pictures
}

async function* partsOf(
  pictures: AsyncGenerator<RecordedPicture>,
  maxPauseMs: number,
  speed: number,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(FIRST_BOUNDARY)
  let startMs: number | undefined
  let last: RecordedPicture | undefined
  for await (const picture of pictures) {
    const atMs = picture.pts_us / 1000 / speed
    startMs ??= performance.now() - atMs
    const lateMs = performance.now() - (startMs + atMs)
    if (lateMs > MAX_CATCH_UP_MS) startMs += lateMs
    if (lateMs < -maxPauseMs) startMs += lateMs + maxPauseMs
    if (lateMs < 0) await delay(Math.min(-lateMs, maxPauseMs))
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

/** The same as long as the next is asked for in time. */
async function* untilStalled(
  pieces: AsyncGenerator<Uint8Array>,
  limitMs: number,
  stalled: () => void,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    const timer = setTimeout(stalled, limitMs)
    try {
      yield piece
    } finally {
      clearTimeout(timer)
    }
  }
}
