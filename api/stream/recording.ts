// Recordings of a stream: begun and ended here, kept as media items.

import type { Static } from 'typebox'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { MediaItem, mediaExample } from '../../machines/media/item.ts'
import { Name } from '../../machines/schema/name.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import { recordingChanged } from '../../machines/stream/events.ts'
import type { CanonicalManifest } from '../../machines/stream/manifest.ts'
import { rewindBytes } from '../../machines/stream/rewind.ts'
import type { Command } from '../../machines/supervision/actors.ts'
import type { Given } from '../../machines/token.ts'
import { MEDIA_STORE } from '../../native/media/port.ts'
import { command } from '../endpoints/command.ts'
import { encoderNeeds, h264Encoder } from './h264-encoder.ts'
import { ofStream, ofStreamNeeds } from './of-stream.ts'
import { streamParams } from './wire.ts'

/** The needs of the rows of recordings. */
export const recordingNeeds = {
  ...ofStreamNeeds,
  ...encoderNeeds,
  store: MEDIA_STORE,
}
type RecordingParts = Given<typeof recordingNeeds>

/** What is wanted of a recording. */
export const RecordingRequest = Type.Object(
  {
    name: Type.Optional(Name(60, 'What people call it; default: the id of the stream.')),
    codec: Type.Optional(
      Type.Enum(['mjpeg', 'h264'], {
        title: 'RecordingCodec',
        description: oneLine`
          mjpeg: the camera's own JPEGs as they are. h264: encoded, a tenth as large, and played by browsers; it takes
          processor time. Default: mjpeg.
        `,
      }),
    ),
    rewind: Type.Optional(
      Type.Boolean({
        description: oneLine`
          Whether it begins with the pictures that the stream has kept (\`rewind\` in its manifest), as its origin
          then says. Default: false.
        `,
      }),
    ),
    only_rewind: Type.Optional(
      Type.Boolean({
        description: oneLine`
          Whether it holds the pictures that the stream has kept, and no more. It ends by itself, and is answered when
          the file is whole. Default: false.
        `,
      }),
    ),
  },
  { additionalProperties: false, title: 'RecordingWish', description: 'What is wanted of a recording.' },
)
type RecordingRequest = Static<typeof RecordingRequest>

const example: MediaItem = {
  ...mediaExample,
  name: 'match-12-20260131-142501.mp4',
  kind: 'recording',
  origin: 'recording',
  state: 'writing',
  media_type: 'video/mp4',
  size_bytes: 0,
  etag: null,
  width_px: null,
  height_px: null,
  side_cars: { label: null, imu: null, results: null },
  metadata: {},
}

const startOf = (
  manifest: CanonicalManifest,
  { name, rewind = false, only_rewind: endsAtOnce = false }: RecordingRequest,
  library: string | null,
): Command<`recordings/${string}`> | Fault => {
  const rewinds = rewind || endsAtOnce
  if (rewinds && rewindBytes(manifest) === 0) return keepsNothing(manifest.id, endsAtOnce)
  return { type: 'recording.start', name: name ?? null, rewinds, endsAtOnce, library }
}

const keepsNothing = (id: string, endsAtOnce: boolean): Fault => ({
  code: 'body.invalid',
  detail: oneLine`
    the stream ${id} keeps none of its pictures, so there is nothing to begin with; start without rewind, or have the
    stream keep them from now on: give it \`rewind\` in its manifest
  `,
  errors: [
    { pointer: endsAtOnce ? '/only_rewind' : '/rewind', message: 'is true, but the stream keeps none of its pictures' },
  ],
})

/** A disk that is busy takes its time to take a file, and more to let go of one. */
export const START_LIMIT_MS = 30_000
export const STOP_LIMIT_MS = 60_000

/** One that ends at once is answered when it is whole. */
const startLimitOf = (request: RecordingRequest = {}): number =>
  START_LIMIT_MS + (request.only_rewind ? STOP_LIMIT_MS : 0)

/** Who records a stream. */
export const recorderOf = (id: string) => `recordings/${id}` as const

/** The order that begins a recording, or why there is none to give. */
export const startOrder = async (
  parts: RecordingParts,
  id: string,
  request: RecordingRequest,
): Promise<Command<`recordings/${string}`> | Fault> => {
  const library = request.codec === 'h264' ? await h264Encoder(parts) : null
  if (isFault(library)) return library
  return ofStream(parts, id, ({ manifest }) => startOf(manifest, request, library))
}

/** The order that ends it. */
export const stopOrder = (parts: RecordingParts, id: string): Command<`recordings/${string}`> | Fault =>
  ofStream(parts, id, () => ({ type: 'recording.stop' as const }))

/** What can keep a stream from being recorded. */
export const START_FAULTS = [
  ...(['body.invalid', 'codec.unavailable', 'stream.not_found', 'recording.failed', 'recording.unavailable'] as const),
  ...(['storage.full', 'storage.failed', 'media.not_found'] as const),
]

export const recordingRows = (parts: RecordingParts) => [
  command('POST', '/v1/streams/:id/recording/start', {
    params: streamParams,
    summary: 'Start recording a stream',
    about: oneLine`
      A fragmented MP4: the camera's own JPEGs as they are, other pictures encoded to JPEG; and beside it, as the
      item's \`results\`, a line of JSON for each processed frame with the same time; where the device has an IMU, what
      that said lies beside it too (\`GET /v1/media/{name}/imu\`). A power cut, or a crash of the
      engine, costs the last second at most; after a crash the recording goes on in another item. The status of the
      stream tells how far it is, and what was lost to a slow disk; live pictures never are.
    `,
    body: { schema: RecordingRequest, example: { name: 'Match 12' }, optional: true },
    publishes: [recordingChanged],
    to: ({ params }) => recorderOf(params.id),
    send: ({ params, body: request = {} }) => startOrder(parts, params.id, request),
    limitMs: ({ body }) => startLimitOf(body),
    answer: {
      status: 'created',
      schema: MediaItem,
      example,
      of: (_call, { id }) => parts.store.get(id),
      location: ({ name }: MediaItem) => `/v1/media/${name}`,
    },
    faults: START_FAULTS,
  }),

  command('POST', '/v1/streams/:id/recording/stop', {
    params: streamParams,
    summary: 'Stop recording a stream',
    about: 'Answers when the file is whole and on the disk; at once when nothing is being recorded.',
    to: ({ params }) => recorderOf(params.id),
    send: ({ params }) => stopOrder(parts, params.id),
    limitMs: STOP_LIMIT_MS,
    faults: ['stream.not_found', 'recording.failed'],
  }),
]
