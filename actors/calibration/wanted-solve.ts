// A request to solve, with what it names: the capture, the media items, the stream.
import * as Effect from 'effect/Effect'
import { calibrationCollection } from '../../machines/calibration/collection.ts'
import { type CalibrationSolveRequest, givenBoard, squareOf } from '../../machines/calibration/solve-request.ts'
import type { Coefficients } from '../../machines/calibration/task.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { documentOf } from '../../machines/settings/store.ts'
import { streamCollection } from '../../machines/stream/collection.ts'
import type { MediaStore } from '../../native/media/port.ts'
import type { Cameras } from '../cameras/cameras.ts'
import type { Directory } from '../directory.ts'
import type { WantedJob } from '../jobs/jobs.ts'
import { answerOrFail } from '../run.ts'
import type { StreamRegistry } from '../stream/stream-registry.ts'
import type { CalibrationCaptures } from './captures.ts'
import { lensOfStream, NO_LENS } from './lens-of-stream.ts'
import { type SolveParts, solveWork, type WantedSolve } from './solve-work.ts'

/** Where what a request names is found. */
export interface WantedSolveParts extends SolveParts {
  readonly captures: CalibrationCaptures
  readonly streams: Pick<StreamRegistry, 'get'>
  readonly cameras: Pick<Cameras, 'units'>
  readonly directory: Pick<Directory, 'settings'>
  readonly store: Pick<MediaStore, 'get' | 'pathOf'>
}

/** The job that solves it; what it names has to be there. The request has no flaws (flawsOfRequest). */
export const wantedSolve = (
  parts: WantedSolveParts,
  request: CalibrationSolveRequest,
): Effect.Effect<Pick<WantedJob, 'resource_ref' | 'work'>, Fault> =>
  Effect.gen(function* () {
    const { stream_id: named, derive_from } = request
    const { settings } = parts.directory
    const other = derive_from === undefined ? undefined : documentOf(settings, calibrationCollection, derive_from)
    if (derive_from !== undefined && !other) return yield* Effect.fail(calibrationCollection.notFound(derive_from))
    if (named !== undefined && !parts.streams.get(named)) return yield* Effect.fail(streamCollection.notFound(named))
    const pictures = yield* picturesOf(parts, request)
    const stream = parts.streams.get(named ?? pictures.stream_id ?? '')
    return {
      resource_ref: {
        ...(stream && { stream_id: stream.id }),
        ...(request.capture_id !== undefined && { capture_id: request.capture_id }),
      },
      work: solveWork(parts, {
        from: pictures.from,
        names: pictures.names,
        square: squareOf(request),
        coefficients: (request.coefficients ?? 0) as Coefficients,
        leaveOut: request.leave_out ?? [],
        deriveFrom: derive_from !== undefined && other ? { id: derive_from, value: other.value } : undefined,
        of: stream ? lensOfStream(stream, parts.cameras) : NO_LENS,
      }),
    }
  })

interface Pictures extends Pick<WantedSolve, 'from' | 'names'> {
  /** Of which stream they say that they are. */
  readonly stream_id: string | null
}

const picturesOf = (parts: WantedSolveParts, request: CalibrationSolveRequest): Effect.Effect<Pictures, Fault> => {
  const { capture_id, media_ids = [], pictures, board } = request
  if (capture_id !== undefined)
    return Effect.map(parts.captures.picturesOf(capture_id), (captured) => ({
      stream_id: captured.stream_id,
      from: { board: captured.board },
      names: captured.names,
    }))
  if (pictures && board)
    return Effect.succeed({
      stream_id: null,
      from: { board: givenBoard(board, pictures) },
      names: pictures.map(({ name }) => ({ name, media_id: null })),
    })
  return mediaPictures(parts, media_ids)
}

const mediaPictures = ({ store }: WantedSolveParts, ids: readonly string[]): Effect.Effect<Pictures, Fault> =>
  Effect.gen(function* () {
    const paths: string[] = []
    const streams = new Set<string | null>()
    for (const id of ids) {
      const item = yield* answerOrFail(() => store.get(id))
      if (item.kind !== 'picture')
        return yield* Effect.fail<Fault>({
          code: 'calibration.not_solvable',
          detail: `${id} is a ${item.kind}, and pictures are needed; take snapshots of it`,
        })
      paths.push(yield* answerOrFail(() => store.pathOf(id)))
      streams.add(item.stream_id)
    }
    const [only = null, ...others] = streams
    return {
      stream_id: others.length === 0 ? only : null,
      from: { paths },
      names: ids.map((name) => ({ name, media_id: name })),
    }
  })
