// The live pictures of a stream for a capture: the newest one, MAX_LOOKS_PER_S times a second at most, as sharp as the
// stream has them. Whoever looks at them is slower than the camera as a rule.
import * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import { MIN_LOOK_PERIOD_MS } from '../../machines/calibration/capture/rules.ts'
import { isFault } from '../../machines/errors/fault.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import type { Picture, PictureWatch } from '../../machines/stream/picture.ts'
import { watchPictures } from '../../machines/stream/watch-pictures.ts'
import type { Clock } from '../../native/clock/port.ts'
import type { StreamRegistry } from '../stream/stream-registry.ts'
import type { StreamRuntime } from '../stream/stream-runtime.ts'
import { untilHeard } from '../until-heard.ts'

/** How often pictures are looked at. */
export const MAX_LOOKS_PER_S = 1_000 / MIN_LOOK_PERIOD_MS
/** How long a picture is waited for before it is said that none comes. */
const WAIT = '2 seconds'
const OWN_QUALITY = 0 // the camera's own JPEGs, as they are
const SHARP_QUALITY = 95 // of other pictures: at 75 corners err by a tenth more

/** A picture that is looked at. */
export interface SeenPicture {
  readonly jpeg: Uint8Array
  /** The media item that it is; null: it is none yet. */
  readonly media_id: string | null
  /** Of one clock for all of them. */
  readonly at_ms: number
  /** Unix time. */
  readonly captured_at_ms: number
  /** It is one of a row of pictures. */
  readonly isLive: boolean
}

/** The next picture that was not given yet; why none comes, in words; or that there are no more. */
export type NextPicture = Effect.Effect<SeenPicture | { readonly missing: string } | { readonly ended: true }>

/** Where live pictures come from. */
export interface LivePicturesParts {
  readonly streams: Pick<StreamRegistry, 'get'>
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicUs'>
}

/** Watches the pictures of a stream for as long as the scope is open. */
export const latestPictures = (
  { streams, clock }: LivePicturesParts,
  id: string,
): Effect.Effect<NextPicture, never, Scope.Scope> =>
  Effect.gen(function* () {
    let watched: { readonly stream: StreamRuntime; readonly quality: number; readonly watch: PictureWatch } | undefined
    let lastSeq = -1
    const release = () => {
      watched?.watch.release()
      watched = undefined
    }
    yield* Effect.addFinalizer(() => Effect.sync(release))

    const seenNow = ({ jpeg, captured_us }: Picture): SeenPicture => ({
      jpeg,
      media_id: null,
      at_ms: captured_us / 1000,
      captured_at_ms: Math.round(clock.nowMs() - (clock.monotonicUs() - captured_us) / 1000),
      isLive: true,
    })

    const look = (stream: StreamRuntime, quality: number): string | PictureWatch => {
      if (watched?.stream === stream && watched.quality === quality) return watched.watch
      release()
      const watch = watchPictures(stream, { quality }, { fps: MAX_LOOKS_PER_S })
      if (isFault(watch)) return watch.detail
      watched = { stream, quality, watch }
      lastSeq = -1
      return watch
    }

    const next = (): NextPicture =>
      Effect.suspend(() => {
        const stream = streams.get(id)
        if (!stream) return missing(`the stream ${id} is gone`)
        const watch = look(stream, watched?.stream === stream ? watched.quality : OWN_QUALITY)
        if (typeof watch === 'string') return missing(watch)
        return Effect.flatMap(newest(watch, lastSeq), (picture) => {
          if (!picture) return Effect.succeed({ missing: whyNone(stream) })
          lastSeq = picture.seq
          if (!picture.passthrough && watched?.quality === OWN_QUALITY) {
            look(stream, SHARP_QUALITY)
            return next()
          }
          const smaller = whySmaller(stream, picture)
          return Effect.succeed(smaller === undefined ? seenNow(picture) : { missing: smaller })
        })
      })
    return next()
  })

/** Not at once: whoever asks asks again. */
const missing = (why: string): NextPicture => Effect.as(Effect.sleep(WAIT), { missing: why })

/** A picture that is there, or the next one; none within the time. */
const newest = ({ pictures }: PictureWatch, lastSeq: number): Effect.Effect<Picture | undefined> =>
  untilHeard<Picture>((done) => {
    if (pictures.value && pictures.value.seq !== lastSeq) done(Effect.succeed(pictures.value))
    return pictures.subscribe((picture) => done(Effect.succeed(picture)))
  }).pipe(Effect.timeoutOrElse({ duration: WAIT, orElse: () => Effect.succeed(undefined) }))

const whyNone = (stream: StreamRuntime): string => {
  const { state } = stream.status()
  return state === 'live'
    ? `the stream ${stream.id} gives no pictures at present`
    : `the stream ${stream.id} is ${state}: it goes on when pictures come`
}

/** Corners of a picture that was made smaller are not those of the mode. */
const whySmaller = (stream: StreamRuntime, { width_px, height_px, passthrough }: Picture): string | undefined => {
  const opened = stream.engine.opened.value
  const isLimited = stream.guard.limit.preview_width_px !== null && !passthrough
  if (!isLimited || !opened || opened.width_px <= width_px) return undefined
  return oneLine`
    the device shows pictures of ${width_px}x${height_px} instead of ${opened.width_px}x${opened.height_px} at present,
    since it is too warm or short of power: it goes on when they are whole again
  `
}
