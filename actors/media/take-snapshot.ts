// A picture of a stream that is kept, with what the pipeline found in it. The HTTP API and robots take it by the same
// operation.
import { cropNote } from '../../machines/cameras/crop.ts'
import { header, type Result } from '../../machines/engine/result.ts'
import { rowDocuments } from '../../machines/engine/row-documents.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import type { MediaItem } from '../../machines/media/item.ts'
import { recordOf, type SidecarHead } from '../../machines/recording/sidecar.ts'
import type { RequestMark } from '../../machines/requests/request.ts'
import type { Picture } from '../../machines/stream/picture.ts'
import type { Clock } from '../../native/clock/port.ts'
import type { MediaStore } from '../../native/media/port.ts'
import { freshPicture } from '../stream/fresh-picture.ts'
import type { StreamRegistry } from '../stream/stream-registry.ts'
import type { StreamRuntime } from '../stream/stream-runtime.ts'

/** What a snapshot is made of. */
export interface SnapshotParts {
  readonly clock: Clock
  readonly streams: Pick<StreamRegistry, 'get'>
  readonly store: Pick<MediaStore, 'put'>
}

/** What is wanted of it. */
export interface SnapshotRequest {
  /** Of the pipeline; none: the camera's picture. */
  readonly output?: string
  /** What the item is to be called; none: the stream and the time. */
  readonly name?: string
  /** To be noted down beside what was found. */
  readonly metadata?: Readonly<Record<string, unknown>>
  /** Nobody asked for this one, so that it may be deleted when room is needed. */
  readonly automatic?: boolean
}

/**
 * Waits up to 2 s for the next picture of a stream and stores it in full size, with the results of the same frame.
 * Faults: `stream.not_found`, `stream.failed`, `stream.no_picture`, `picture.too_many_kinds`, `output.not_found`,
 * `output.other_kind`, and those of writing media (`storage.full`, `storage.failed`, `actor.unavailable`). request: of
 * the client that ordered it, when that may be repeated.
 */
export type TakeSnapshot = (
  streamId: string,
  wanted?: SnapshotRequest,
  request?: RequestMark,
) => Promise<MediaItem | Fault>

export const takeSnapshot =
  (parts: SnapshotParts): TakeSnapshot =>
  async (id, { output, name, metadata = {}, automatic = false } = {}, request) => {
    const look = output === undefined ? {} : { output }
    const seen = await nextSeen(parts, id, look)
    if (isFault(seen)) return seen
    const { picture, result, stream } = seen
    const { width_px, height_px, jpeg } = picture
    return parts.store.put(
      {
        kind: 'picture',
        origin: 'snapshot',
        media_type: 'image/jpeg',
        stream_id: id,
        automatic,
        captured_ms: capturedMs(parts.clock, picture),
        metadata: { ...found(seen), ...look, ...metadata },
        ...(name !== undefined && { name }),
        ...(request && { request }),
      },
      { bytes: jpeg, width_px, height_px, ...(result && { results: linesOf(parts.clock, stream, picture, result) }) },
    )
  }

interface Seen {
  readonly stream: StreamRuntime
  readonly picture: Picture
  readonly result: Result | undefined
}

/** The next picture, with the result of the same frame, which comes before it as a rule. */
const nextSeen = async (
  parts: SnapshotParts,
  id: string,
  look: { readonly output?: string },
): Promise<Seen | Fault> => {
  const stream = parts.streams.get(id)
  if (stream?.status().state === 'failed')
    return {
      code: 'stream.failed',
      detail: `the stream ${id} has failed; its status says why, and what can be done`,
    }
  const results = new Map<number, Result>()
  const stop = stream?.results.subscribe((result) => results.set(header(result, 'seq'), result))
  try {
    const picture = await freshPicture(parts)(id, look, 'next')
    if (isFault(picture) || !stream) return picture as Fault
    return { stream, picture, result: results.get(picture.seq) }
  } finally {
    stop?.()
  }
}

const capturedMs = (clock: Clock, { captured_us }: Picture): number =>
  Math.round(clock.nowMs() - (clock.monotonicUs() - captured_us) / 1000)

const MAX_TAGS = 50 // their numbers, in metadata; all of them stand in the results

/** What of a frame is worth to be seen at once. */
const found = ({ stream, picture, result }: Seen): Record<string, unknown> => {
  const about = {
    seq: picture.seq,
    stream_revision: stream.stored.revision,
    ...cropNote(stream.engine.opened.value?.crop),
  }
  if (!result) return about
  const of = <Kind extends 'detections' | 'field_pose'>(kind: Kind) =>
    result.layout.outputs
      .filter((output) => output.kind === kind)
      .flatMap(({ port }) => rowDocuments(result, port, kind) ?? [])
  const [pose] = of('field_pose')
  return {
    ...about,
    tags: of('detections')
      .slice(0, MAX_TAGS)
      .map(({ id }) => id),
    ...(pose && { field_robot: pose.field_robot }),
  }
}

/** As beside a recording: what was taken and when, then the result. */
const linesOf = (clock: Clock, stream: StreamRuntime, picture: Picture, result: Result): string => {
  const opened = stream.engine.opened.value
  const head: SidecarHead = {
    epoch_ms: capturedMs(clock, picture),
    monotonic_us_of_pts_0: picture.captured_us,
    stream: stream.id,
    mode: {
      pixel_format: opened?.pixel_format ?? '',
      width_px: picture.width_px,
      height_px: picture.height_px,
      fps: opened?.fps ?? 0,
    },
    ...cropNote(opened?.crop),
  }
  return [head, recordOf(result, picture.captured_us)].map((line) => `${JSON.stringify(line)}\n`).join('')
}
