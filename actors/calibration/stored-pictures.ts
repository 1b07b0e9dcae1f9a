// The pictures of media items for a capture: of a recording five a second, as a live stream would have given them.
import * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import type { MediaStore, OpenMedia } from '../../native/media/port.ts'
import { wholeOf } from '../media/whole.ts'
import { MAX_LOOKS_PER_S, type NextPicture, type SeenPicture } from './watch-pictures.ts'

const BETWEEN_US = 1_000_000 / MAX_LOOKS_PER_S
const BETWEEN_ITEMS_MS = 60_000 // by which a board that moves from one to the next does not move

/** One after the other, in the order of their names; at last `ended`. Files are closed with the scope. */
export const storedPictures = (
  media: Pick<MediaStore, 'open'>,
  names: readonly string[],
): Effect.Effect<NextPicture, never, Scope.Scope> =>
  Effect.gen(function* () {
    const all = yield* Effect.acquireRelease(
      Effect.sync(() => picturesOf(media, names)),
      (pictures) => Effect.promise(() => pictures.return(undefined)),
    )
    return Effect.map(
      Effect.promise(() => all.next()),
      ({ value, done }) => {
        if (done || !value) return { ended: true } as const
        return isFault(value) ? { missing: value.detail } : value
      },
    )
  })

async function* picturesOf(
  media: Pick<MediaStore, 'open'>,
  names: readonly string[],
): AsyncGenerator<SeenPicture | Fault, undefined> {
  let base_ms = 0
  for (const name of names) {
    const opened = await media.open(name, 'content')
    if (isFault(opened)) {
      yield opened
      continue
    }
    try {
      for await (const picture of picturesIn(opened, base_ms)) {
        yield picture
        if (!isFault(picture)) base_ms = picture.at_ms
      }
    } finally {
      await opened.close()
    }
    base_ms += BETWEEN_ITEMS_MS
  }
  return undefined
}

async function* picturesIn(opened: OpenMedia, base_ms: number): AsyncGenerator<SeenPicture | Fault> {
  const { item, size_bytes } = opened
  const seen = (jpeg: Uint8Array, pts_us: number): SeenPicture => ({
    jpeg,
    media_id: item.name,
    at_ms: base_ms + pts_us / 1000,
    captured_at_ms: Math.round((item.captured_at_ms ?? item.created_at_ms) + pts_us / 1000),
    isLive: item.kind === 'recording',
  })
  if (item.kind !== 'recording') {
    if (size_bytes > 0) yield seen(await wholeOf(opened.stream(0, size_bytes - 1)), 0)
    return
  }
  const pictures = await opened.pictures(0)
  if (isFault(pictures)) {
    yield pictures
    return
  }
  let nextUs = 0
  for await (const { pts_us, pieces } of pictures) {
    if (pts_us < nextUs) continue
    nextUs = pts_us + BETWEEN_US
    yield seen(await wholeOf(pieces()), pts_us)
  }
}
