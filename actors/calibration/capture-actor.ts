// A guided capture, with its effects: the pictures of its stream, what looks for the board in them, and where those
// that are taken are kept.
import * as Effect from 'effect/Effect'
import type { SolveResult } from '../../machines/calibration/calibration.ts'
import type { KeptCapture, KeptPicture } from '../../machines/calibration/capture/capture.ts'
import { captureCollection } from '../../machines/calibration/capture/collection.ts'
import type { GuideAnswer, GuideKnown, GuideLook } from '../../machines/calibration/capture/look.ts'
import { hasMoved } from '../../machines/calibration/capture/rules.ts'
import {
  type CaptureActions,
  type CaptureEffects,
  type CaptureEvent,
  captureMachine,
  type FittingLook,
  type SolveOutcome,
  type TakenPicture,
} from '../../machines/calibration/capture-machine.ts'
import { SOLVE_KIND } from '../../machines/calibration/solve-request.ts'
import type { FoundCorner } from '../../machines/calibration/task.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { hasEnded, type Job } from '../../machines/jobs/job.ts'
import { changeOrder } from '../../machines/settings/commit.ts'
import type { CalibrationPort, CaptureGuide } from '../../native/calibration/port.ts'
import type { Clock } from '../../native/clock/port.ts'
import type { MediaStore } from '../../native/media/port.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { fromEffect, fromScoped } from '../run.ts'
import type { WriteSettings } from '../settings/write-settings.ts'
import type { StreamRegistry } from '../stream/stream-registry.ts'
import type { CaptureRegistry } from './capture-registry.ts'
import { captureNotFound } from './captures.ts'
import { storedPictures } from './stored-pictures.ts'
import { latestPictures, MAX_LOOKS_PER_S, type SeenPicture } from './watch-pictures.ts'

/** What a capture works with. */
export interface CaptureParts {
  readonly id: string
  readonly captures: CaptureRegistry
  readonly calibration: Pick<CalibrationPort, 'guide'>
  readonly streams: Pick<StreamRegistry, 'get'>
  readonly media: Pick<MediaStore, 'put' | 'open'>
  readonly jobs: Pick<Jobs, 'all' | 'store'>
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicUs'>
  readonly write: WriteSettings
  /** Enters a fault in the error history. */
  readonly record: (fault: Fault) => void
}

const PAUSE_MS = 1_000 / MAX_LOOKS_PER_S
const ATTENTION_MS = 600_000 // a person who fetches another board is back by then

/** For one capture, for as long as it is stored. */
export const captureActor = (parts: CaptureParts) => {
  const { id, captures, calibration, streams, media, jobs, clock, write, record } = parts
  /** Of the pictures that are being looked at. */
  let session: { readonly guide: CaptureGuide; known: GuideKnown | undefined } | undefined
  let newest: { readonly key: number; readonly picture: SeenPicture } | undefined
  /** Done when no picture is being taken. */
  let taken: Promise<unknown> = Promise.resolve()

  const kept = Effect.suspend(() => {
    const stored = captures.stored(id)
    return stored ? Effect.succeed(stored.value) : Effect.fail(captureNotFound(id))
  })

  /** What was taken earlier is made known to what looks from now on. */
  const resume = (guide: CaptureGuide, capture: KeptCapture) =>
    Effect.gen(function* () {
      const { board, width_px, height_px, pictures } = capture
      if (!board || width_px === null || height_px === null) return undefined
      const size = { width_px, height_px }
      let { known } = yield* guide.setBoard(board, size)
      for (const { corners } of pictures) known = (yield* guide.take(size, cornersOf(corners))).known ?? known
      return known
    })

  const watchJobs = fromScoped<never, void, CaptureEvent>((_, { send, guard }) =>
    Effect.gen(function* () {
      let told: string | undefined
      const follow = () => {
        const sinceMs = captures.stored(id)?.value.created_at_ms ?? 0
        const job = jobs.all().findLast((each) => isOf(each, id) && each.created_at_ms >= sinceMs)
        const now = job && `${job.id} ${hasEnded(job)}`
        if (!job || now === told) return
        const isNew = told?.split(' ')[0] !== job.id
        told = now
        if (isNew && isUseless(job)) return
        if (isNew) send({ type: 'solve.began', job_id: job.id })
        if (hasEnded(job)) send({ type: 'solve.ended', outcome: outcomeOf(job) })
      }
      const subscription = jobs.store.subscribe(guard(follow))
      yield* Effect.addFinalizer(() => Effect.sync(() => subscription.unsubscribe()))
      follow()
      return yield* Effect.never
    }),
  )

  const watchPictures = fromScoped<never, void, CaptureEvent>((_, { send }) =>
    Effect.gen(function* () {
      const capture = yield* kept
      const { square_width_mm: width_mm, square_height_mm: height_mm } = capture
      const guide = yield* calibration.guide({ width_mm, height_mm })
      const known = yield* resume(guide, capture)
      const own = { guide, known }
      session = own
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          if (session === own) session = undefined
        }),
      )
      if (known) send({ type: 'guide.known', known, taken: capture.pictures.map(viewOf) })
      const { media_ids } = capture
      const isStored = media_ids.length > 0
      const next = isStored
        ? yield* storedPictures(media, media_ids)
        : yield* latestPictures({ streams, clock }, capture.stream_id)
      let thereMs = clock.nowMs()
      let still: GuideLook | undefined
      let missing: string | undefined
      let key = 0
      while (true) {
        const picture = yield* next
        if ('ended' in picture) {
          send({ type: 'pictures.ended' })
          return yield* Effect.never
        }
        if (!isStored && clock.nowMs() - Math.max(thereMs, captures.askedMs(id)) > ATTENTION_MS) {
          send({ type: 'attention.lost' })
          return yield* Effect.never
        }
        if ('missing' in picture) {
          if (missing !== picture.missing) send({ type: 'pictures.missing', detail: picture.missing })
          missing = picture.missing
          continue
        }
        const sinceUs = clock.monotonicUs()
        const answer = yield* guide.look(picture.jpeg)
        own.known = answer.known ?? own.known
        if ('detail' in answer) {
          if (missing !== answer.detail) send({ type: 'pictures.missing', detail: answer.detail })
          missing = answer.detail
          continue
        }
        missing = undefined
        if (hasMoved(answer, still)) {
          still = answer
          thereMs = clock.nowMs()
        }
        key += 1
        newest = { key, picture }
        send({ type: 'look.seen', look: lookOf(answer, key, picture), isLive: picture.isLive, ...knownIn(answer) })
        if (isStored) yield* Effect.promise(() => taken)
        else yield* Effect.sleep(Math.max(0, PAUSE_MS - (clock.monotonicUs() - sinceUs) / 1000))
      }
    }),
  )

  const takePicture = fromEffect((look: FittingLook) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    taken = promise
    return Effect.ensuring(take(look), Effect.sync(resolve))
  })

  const take = (look: FittingLook) =>
    Effect.gen(function* () {
      const known = session?.known
      const picture = newest?.key === look.key ? newest.picture : undefined
      if (!session || !known) return yield* Effect.fail(ENDED)
      const kept = yield* store(look, picture)
      yield* write(
        changeOrder(captureCollection, id, (before) => ({
          ...before,
          board: boardOf(known),
          width_px: look.width_px,
          height_px: look.height_px,
          pictures: [...before.pictures, kept],
        })),
      )
      const answer = yield* session.guide.take(look, look.corners)
      session.known = answer.known ?? session.known
      return { view: viewOf(kept), known: session.known as GuideKnown } satisfies TakenPicture
    })

  /** Its corners are what counts: where there is no room for the picture, they are kept without it. */
  const store = (look: FittingLook, picture: SeenPicture | undefined): Effect.Effect<KeptPicture, Fault> =>
    Effect.gen(function* () {
      const { stream_id } = yield* kept
      const captured_at_ms = picture?.captured_at_ms ?? clock.nowMs()
      const isNew = picture?.media_id === null
      const item = isNew
        ? yield* Effect.promise(() =>
            media.put(
              {
                kind: 'picture',
                origin: 'snapshot',
                media_type: 'image/jpeg',
                name: `${stream_id}-board`,
                stream_id,
                automatic: true,
                captured_ms: captured_at_ms,
                metadata: { capture_id: id },
              },
              { bytes: picture.jpeg, width_px: look.width_px, height_px: look.height_px },
            ),
          )
        : null
      if (isFault(item)) record(item)
      const corners = look.corners.map(([column, row, u, v]) => [column, row, u, v])
      return {
        media_id: item && !isFault(item) ? item.name : (picture?.media_id ?? null),
        captured_at_ms,
        edge_px: look.edge_px,
        corners,
      }
    })

  return captureMachine.provide({
    actions: { record: (_, fault: Fault) => record(fault) } satisfies Required<CaptureActions>,
    actors: { watchJobs, watchPictures, takePicture } satisfies Required<CaptureEffects>,
  })
}

const ENDED: Fault = { code: 'calibration.child_died', detail: 'what looks for the board has ended; try again' }

/** A previous capture of the same stream had the same id. */
const isOf = ({ kind, resource_ref }: Job, id: string): boolean => kind === SOLVE_KIND && resource_ref.capture_id === id

const outcomeOf = ({ state, result }: Job): SolveOutcome => {
  if (state !== 'done') return 'failed'
  const { calibration } = result as SolveResult // of that kind of jobs
  return calibration?.verdict === 'good' ? 'good' : 'lacking'
}

/** One that ended without a result before anybody followed it is no news. */
const isUseless = (job: Job): boolean => hasEnded(job) && job.state !== 'done'

const knownIn = ({ known }: GuideAnswer): { readonly known?: GuideKnown } => (known ? { known } : {})

const lookOf = (
  { width_px, height_px, markers, corners, edge_px, lowers, outline }: GuideLook,
  key: number,
  { at_ms }: SeenPicture,
): FittingLook => ({
  key,
  at_ms,
  width_px,
  height_px,
  markers,
  corners,
  edge_px,
  lowers,
  ...(outline && { outline }),
})

const boardOf = ({ board }: GuideKnown): KeptCapture['board'] => {
  const { family, columns, rows, starts_white, marker_share } = board
  return { family, columns, rows, starts_white, marker_share }
}

const cornersOf = (corners: KeptPicture['corners']): readonly FoundCorner[] =>
  corners as unknown as readonly FoundCorner[]

const viewOf = ({ corners, edge_px }: KeptPicture) => ({ corners: cornersOf(corners), edge_px })
