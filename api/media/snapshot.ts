// A picture of a stream that is kept, with what the pipeline found in it.

import type { Directory } from '../../actors/directory.ts'
import type { StreamRuntime } from '../../actors/stream/stream-runtime.ts'
import { cropNote } from '../../machines/cameras/crop.ts'
import { header, type Result } from '../../machines/engine/result.ts'
import { rowDocuments } from '../../machines/engine/row-documents.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { mediaChanged } from '../../machines/media/events.ts'
import { MediaItem, MediaMetadata, mediaExample } from '../../machines/media/item.ts'
import { PortName } from '../../machines/pipeline/graph.ts'
import { recordOf, type SidecarHead } from '../../machines/recording/sidecar.ts'
import { Name } from '../../machines/schema/name.ts'
import Type from '../../machines/schema/type.ts'
import type { Picture } from '../../machines/stream/picture.ts'
import { sendDocument } from '../endpoints/answer.ts'
import { custom } from '../endpoints/custom.ts'
import { fault } from '../problems/problem.ts'
import type { StreamParts } from '../streams/parts.ts'
import { freshPicture } from '../streams/preview/watch.ts'
import { streamParams } from '../streams/wire.ts'
import { WRITE_FAULTS } from './side-cars.ts'

const Snapshot = Type.Object(
  {
    output: Type.Optional(
      Type.String({
        ...PortName,
        description: "The picture that the pipeline makes under that name. Default: the camera's picture.",
      }),
    ),
    name: Type.Optional(Name(60, 'What the item is to be called; default: the stream and the time.')),
    metadata: Type.Optional({ ...MediaMetadata, title: 'SnapshotMetadata' }),
    automatic: Type.Optional(MediaItem.properties.automatic),
  },
  { additionalProperties: false, title: 'Snapshot', description: 'What is to be noted down about the picture.' },
)

/** The one row of it. */
export const snapshotRow = (parts: StreamParts) =>
  custom('POST', '/v1/streams/:id/snapshot', {
    params: streamParams,
    because: 'the picture comes from the engine of a stream, and the item from the store',
    summary: 'Keep a picture of a stream',
    about:
      "Waits up to 2 s for the next picture, and keeps it in full size (the camera's own JPEG, where it makes one; or a picture of the pipeline). What the pipeline found in the same frame lies beside it " +
      '(`GET /v1/media/{name}?as=results`); where the robot was, which tags were seen, the revision of the stream and its crop stand in its metadata.',
    publishes: [mediaChanged],
    body: { schema: Snapshot, example: { metadata: { note: 'by the red goal' } }, optional: true },
    answer: {
      ...{ status: 'created', mediaType: 'application/json', schema: MediaItem, example: mediaExample },
      headers: { Location: 'Where it is found from now on.' },
    },
    serve: async ({ params: { id }, body: { output, name, metadata = {}, automatic = false }, directory }, reply) => {
      const look = output === undefined ? {} : { output }
      const seen = await nextSeen(parts, id, look)
      if (isFault(seen)) return sendDocument(reply, 'created', seen)
      const { picture, result, stream } = seen
      const { width_px, height_px, jpeg } = picture
      const item = await parts.store.put(
        {
          ...{ kind: 'picture', origin: 'snapshot', media_type: 'image/jpeg', stream_id: id, automatic },
          ...{ captured_ms: capturedMs(directory, picture), metadata: { ...found(seen), ...look, ...metadata } },
          ...(name !== undefined && { name }),
        },
        { bytes: jpeg, width_px, height_px, ...(result && { results: linesOf(directory, stream, picture, result) }) },
      )
      if (!isFault(item)) reply.header('location', `/v1/media/${item.name}`)
      return sendDocument(reply, 'created', item)
    },
    faults: [
      ...(['stream.not_found', 'stream.no_picture', 'stream.failed', 'picture.too_many_kinds'] as const),
      ...(['output.not_found', 'output.other_kind'] as const),
      ...WRITE_FAULTS,
    ],
  })

interface Seen {
  readonly stream: StreamRuntime
  readonly picture: Picture
  readonly result: Result | undefined
}

/** The next picture, with the result of the same frame, which comes before it as a rule. */
const nextSeen = async (parts: StreamParts, id: string, look: { readonly output?: string }): Promise<Seen | Fault> => {
  const stream = parts.streams.get(id)
  if (stream?.status().state === 'failed')
    return fault('stream.failed', `the stream ${id} has failed; its status says why, and what can be done`)
  const results = new Map<number, Result>()
  const stop = stream?.results.subscribe((result) => results.set(header(result, 'seq'), result))
  try {
    const picture = await freshPicture(parts, id, look, 'next')
    if (isFault(picture) || !stream) return picture as Fault
    return { stream, picture, result: results.get(picture.seq) }
  } finally {
    stop?.()
  }
}

const capturedMs = ({ clock }: Directory, { captured_us }: Picture): number =>
  Math.round(clock.nowMs() - (clock.monotonicUs() - captured_us) / 1000)

const MOST_TAGS = 50 // their numbers, in metadata; all of them stand in the results

/** What of a frame is worth to be seen at once. */
const found = ({ stream, picture, result }: Seen): Record<string, unknown> => {
  const about = {
    ...{ seq: picture.seq, stream_revision: stream.stored.revision },
    ...cropNote(stream.opened.value?.crop),
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
      .slice(0, MOST_TAGS)
      .map(({ id }) => id),
    ...(pose && { field_robot: pose.field_robot }),
  }
}

/** As beside a recording: what was taken and when, then the result. */
const linesOf = (directory: Directory, stream: StreamRuntime, picture: Picture, result: Result): string => {
  const opened = stream.opened.value
  const head: SidecarHead = {
    ...{ epoch_ms: capturedMs(directory, picture), monotonic_us_of_pts_0: picture.captured_us, stream: stream.id },
    mode: {
      pixel_format: opened?.pixel_format ?? '',
      ...{ width_px: picture.width_px, height_px: picture.height_px, fps: opened?.fps ?? 0 },
    },
    ...cropNote(opened?.crop),
  }
  return [head, recordOf(result, picture.captured_us)].map((line) => `${JSON.stringify(line)}\n`).join('')
}
