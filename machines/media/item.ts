// A media item as the wire has it: what is known of a stored file.

import type { Static } from 'typebox'
import type { Fault } from '../errors/fault.ts'
import { Model } from '../models/model.ts'
import { enumOf } from '../schema/enum-of.ts'
import { oneLine } from '../schema/one-line.ts'
import { quote } from '../schema/quote.ts'
import { StreamId } from '../schema/stream-id.ts'
import Type from '../schema/type.ts'
import { MEDIA_KINDS, MEDIA_TYPES } from './media-type.ts'
import { MediaName } from './name.ts'

const strict = { additionalProperties: false } as const

/** Where items come from. */
const ORIGINS = {
  upload: 'somebody sent it',
  snapshot: 'a picture of a stream that was ordered',
  recording: 'a recording of a stream that was ordered',
  rewind: 'the last seconds of a stream, saved afterwards',
  edit: 'made of another item',
  found: 'its file lay in the folder of the media',
} as const
export type MediaOrigin = keyof typeof ORIGINS

/** How it ended, when it did not end as it should. */
const FLAWS = {
  interrupted: 'the service or the device stopped while it was being written; what is whole of it was kept',
  truncated: 'its writing ended early, as when the storage was full or the engine failed; what is whole of it was kept',
} as const
export type MediaFlaw = keyof typeof FLAWS

const Pixels = (side: string) =>
  Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
    description: `${side} as it is seen: turned as its notes (EXIF, the matrix of a video) say. null: not known.`,
  })
const Maybe = (what: string) => Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description: what })

/**
 * What lies beside an item. label: what is to be seen in it. imu: how the camera moved. results: what the pipeline
 * found, one line for each frame.
 */
export const SIDE_CARS = ['label', 'imu', 'results'] as const
export type SideCar = (typeof SIDE_CARS)[number]

/** What people and programs put beside an item; results are the device's own. */
export type Attachable = Exclude<SideCar, 'results'>

/** JSON, one document on each line. */
export const RESULTS_MEDIA_TYPE = 'application/x-ndjson'

const SideCarFacts = Type.Union(
  [
    Type.Object(
      {
        media_type: Type.String({ description: 'Of its content.' }),
        size_bytes: Type.Integer({ minimum: 0, description: 'Of its content.' }),
      },
      { ...strict, title: 'MediaSideCar', description: 'A file that belongs to an item.' },
    ),
    Type.Null(),
  ],
  { description: 'null: there is none.' },
)

/** Longer notes belong into a file. Twenty thousand of this length are a third of what the store may hold. */
export const MAX_METADATA_CHARACTERS = 2_048

/** Facts that people and programs keep with an item. */
export const MediaMetadata = Type.Record(Type.String({ maxLength: 64 }), Type.Unknown(), {
  title: 'MediaMetadata',
  description: oneLine`
    What people and programs note down about an item; at most ${MAX_METADATA_CHARACTERS} characters of JSON.
  `,
})

/** A stored item. */
export const MediaItem = Type.Object(
  {
    name: MediaName,
    revision: Type.Integer({ minimum: 1, description: 'Of what is known of the item: it rises with each change.' }),
    kind: Type.Enum([...MEDIA_KINDS], {
      title: 'MediaKind',
      description: 'What it is. picture: one image. recording: a video. model: a network that a pipeline can run.',
    }),
    origin: enumOf(ORIGINS, 'MediaOrigin'),
    state: Type.Enum(['writing', 'ready'], {
      title: 'MediaState',
      description: 'writing: it is being recorded, and can be played when it is over. ready: it is whole.',
    }),
    media_type: Type.Enum([...MEDIA_TYPES], { title: 'MediaType', description: 'Of its content.' }),
    size_bytes: Type.Integer({ minimum: 0, description: 'Of its content; 0 while it is being written.' }),
    etag: Type.Union([Type.String(), Type.Null()], {
      description: 'Of its content, which never changes, as the header ETag has it; null while it is being written.',
    }),
    created_at_ms: Type.Integer({ minimum: 0, description: 'When it was begun here, Unix time.' }),
    captured_at_ms: Maybe(
      oneLine`
        When its first picture was taken, Unix time; of a recording, when it was ordered, until it is ready. null: not
        known.
      `,
    ),
    stream_id: Type.Union([StreamId, Type.Null()], {
      description: 'Whose pictures these are; null: of no stream here.',
    }),
    width_px: Pixels('Width'),
    height_px: Pixels('Height'),
    duration_ms: Maybe('Of a recording; null: not known.'),
    frames: Maybe('Of a recording; null: not known.'),
    flaw: Type.Union([enumOf(FLAWS, 'MediaFlaw'), Type.Null()], {
      description: 'null: it ended as it should.',
    }),
    automatic: Type.Boolean({
      description: 'Whether the device may delete it, the oldest first, when it needs the room.',
    }),
    model: Type.Optional({ ...Model, description: 'Of a model: what it takes and gives. Left out of all else.' }),
    edited_from: Type.Union([MediaName, Type.Null()], {
      description: 'The item that it was made of; that may be gone.',
    }),
    side_cars: Type.Object(
      { label: SideCarFacts, imu: SideCarFacts, results: SideCarFacts },
      { ...strict, title: 'MediaSideCars', description: 'What lies beside it.' },
    ),
    metadata: MediaMetadata,
  },
  { ...strict, title: 'MediaItem', description: 'A stored picture, recording or model, and what is known of it.' },
)
export type MediaItem = Static<typeof MediaItem>

/** Which side-cars an item has. */
export const besideOf = ({ side_cars }: MediaItem): readonly SideCar[] =>
  SIDE_CARS.filter((part) => side_cars[part] !== null)

/** An item as the references show one. */
export const mediaExample: MediaItem = {
  name: 'front-20260131-142501.jpg',
  revision: 1,
  kind: 'picture',
  origin: 'snapshot',
  state: 'ready',
  media_type: 'image/jpeg',
  size_bytes: 81_242,
  etag: '"8f3kq0-1"',
  created_at_ms: 1_769_869_501_000,
  captured_at_ms: 1_769_869_500_960,
  stream_id: 'front',
  width_px: 1280,
  height_px: 800,
  duration_ms: null,
  frames: null,
  flaw: null,
  automatic: false,
  edited_from: null,
  side_cars: { label: null, imu: null, results: { media_type: 'application/x-ndjson', size_bytes: 512 } },
  metadata: { note: 'by the red goal' },
}

export const mediaNotFound = (name: string): Fault => ({
  code: 'media.not_found',
  detail: `there is no media item ${quote(name)}; GET /v1/media lists them`,
})
