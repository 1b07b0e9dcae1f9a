// Media: the pictures and recordings that are stored on the device.

import { isFault } from '../../machines/errors/fault.ts'
import { mediaChanged } from '../../machines/media/events.ts'
import { MediaItem, MediaMetadata, mediaExample } from '../../machines/media/item.ts'
import { MEDIA_TYPES } from '../../machines/media/media-type.ts'
import { cursorOf, type MediaOrder, placeOf } from '../../machines/media/query.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import { areaOf } from '../endpoints/area.ts'
import { command } from '../endpoints/command.ts'
import { area } from '../endpoints/endpoint.ts'
import { file } from '../endpoints/file.ts'
import { read } from '../endpoints/read.ts'
import { upload } from '../endpoints/upload.ts'
import { fault } from '../problems/problem.ts'
import { editRow } from './edits.ts'
import { findKept } from './media-answer.ts'
import { onePicture } from './one-picture.ts'
import { playbackNeeds, playRecording } from './playback.ts'

import { READ_FAULTS, served, sideCarRows, WRITE_FAULTS } from './side-cars.ts'
import { snapshotNeeds, snapshotRow } from './snapshot.ts'
import { DEFAULT_ITEMS, mediaQuery, mediaParams as params, pngExample, uploadQuery } from './wire.ts'

const strict = { additionalProperties: false } as const

/** The removal of a large file from a slow card takes seconds. */
const LIMIT_MS = 15_000

const MediaDisk = Type.Object(
  {
    total_bytes: Type.Integer({ minimum: 0, description: 'Of the disk.' }),
    free_bytes: Type.Integer({ minimum: 0, description: 'That nothing uses. Some of it is kept for the device.' }),
  },
  { ...strict, title: 'MediaDisk', description: 'The disk that the items lie on.' },
)

const MediaList = Type.Object(
  {
    items: Type.Array(MediaItem, { description: 'In the order that was asked for.' }),
    next_cursor: Type.Union([Type.String(), Type.Null()], {
      description: 'Asks for the next page; null: there is none.',
    }),
    disk: Type.Union([MediaDisk, Type.Null()], { description: 'null: it does not say.' }),
  },
  { ...strict, title: 'MediaList', description: 'A page of the stored pictures, recordings and models.' },
)

const diskExample = { total_bytes: 31_000_000_000, free_bytes: 12_400_000_000 }

const MediaChange = Type.Object(
  {
    metadata: Type.Optional({
      ...MediaMetadata,
      title: 'MediaMetadataChange',
      description: 'Merged into what is noted down already; null removes.',
    }),
    automatic: Type.Optional({ ...MediaItem.properties.automatic }),
  },
  { ...strict, title: 'MediaChange', description: 'What is to be noted down about an item.' },
)

export const mediaArea = areaOf({ ...playbackNeeds, ...snapshotNeeds }, ({ store, takeSnapshot, ...parts }) =>
  area('media', 'Pictures, recordings and learned models that are stored on the device.', [
    read('GET', '/v1/media', {
      summary: 'All media items',
      about: 'Recordings stand in it from their beginning on, in state `writing`.',
      query: mediaQuery,
      answer: MediaList,
      example: { items: [mediaExample], next_cursor: null, disk: diskExample },
      get: async ({ query: { limit = DEFAULT_ITEMS, cursor, sort = '-created', ...which } }) => {
        const order: MediaOrder = sort
        const after = cursor === undefined ? undefined : placeOf(order, cursor)
        if (cursor !== undefined && !after)
          return fault('cursor.unknown', 'the cursor is not one of this list in this order; begin again without it')
        const page = await store.page({ order, limit, ...which, ...(after && { after }) })
        if (isFault(page)) return page
        const disk = await store.disk()
        const next_cursor = page.next && cursorOf(order, page.next)
        return { items: page.items, next_cursor, disk: isFault(disk) ? null : disk }
      },
      faults: ['cursor.unknown', ...READ_FAULTS],
    }),

    upload('POST', '/v1/media', {
      summary: 'Store a picture, a video or a learned model',
      about: oneLine`
        The body is the file itself. It is checked by its content: a JPEG or PNG of up to 64 million pixels, an MP4 or
        QuickTime video, whole; an ONNX model of up to 256 MiB that takes one picture, which is loaded and run once in
        a process of its own. The name of the item is made of the one that is given, with a number when that is taken.
        At least 64 KiB must come every 20 s, all of it within an hour. Not to be repeated by a key: a second upload
        is a second item.
      `,
      query: uploadQuery,
      mediaTypes: ['image/png', ...MEDIA_TYPES.filter((type) => type !== 'image/png'), 'application/octet-stream'],
      upload: pngExample,
      publishes: [mediaChanged],
      answer: {
        status: 'created',
        schema: MediaItem,
        example: { ...mediaExample, origin: 'upload', stream_id: null },
        location: ({ name }: MediaItem) => `/v1/media/${name}`,
      },
      take: ({ query: { name } }, bytes) => store.receive({ ...bytes, ...(name !== undefined && { name }) }),
      faults: ['media.invalid', 'device.failed', ...WRITE_FAULTS],
    }),

    file('GET', '/v1/media/:name', {
      params,
      summary: 'The content of a media item, or its results',
      about:
        'Heeds `Range` (one range), `If-Range` and `If-None-Match`. The content of an item never changes: it is what ' +
        'was sent, to the byte. Browsers and players turn it as its notes say; sizes, edits, results and overlays ' +
        'are of what is seen then.',
      query: {
        as: Type.Optional(
          Type.Enum(['content', 'results', 'picture', 'multipart'], {
            default: 'content',
            description: oneLine`
              content: the picture, video or model. results: what the pipeline found, JSON, one line for each frame.
              picture: one picture of a recording of JPEGs, upright; of a picture, its content. multipart: a recording
              of JPEGs as live pictures, upright, at the pace at which they were taken, each with X-Position-Ms;
              browsers play such recordings in no other way. Its reader is a viewer like those of previews: he is let go
              when he takes nothing for 30 s.
            `,
          }),
        ),
        from_ms: Type.Optional(
          Type.Number({
            minimum: 0,
            maximum: 1e9,
            description: 'Where picture and multipart begin; default: at the first picture.',
          }),
        ),
        speed: Type.Optional(
          Type.Number({
            minimum: 0.1,
            maximum: 8,
            default: 1,
            description: 'How many times faster than they were taken multipart plays the pictures.',
          }),
        ),
      },
      mediaType: '*/*',
      open: async ({ params: { name }, query: { as = 'content', from_ms = 0, speed = 1 } }) => {
        const fromUs = from_ms * 1000
        if (as === 'multipart') return playRecording({ store, ...parts }, name, { fromUs, speed })
        if (as === 'picture') return onePicture(store, name, fromUs)
        const found = await store.open(name, as)
        return isFault(found) ? found : served(found, as)
      },
      faults: [
        ...(['media.not_found', 'media.not_ready', 'media.no_side_car', 'media.no_pictures'] as const),
        ...(['viewer.too_many', ...READ_FAULTS] as const),
      ],
    }),

    command('DELETE', '/v1/media/:name', {
      params,
      summary: 'Delete a media item, with all that lies beside it',
      about: 'Not one that a stream plays, nor a model that its pipeline runs: change that stream first.',
      to: 'media',
      limitMs: LIMIT_MS,
      conditional: true,
      publishes: [mediaChanged],
      send: async ({ params: { name }, expected }) =>
        (await store.whenReady()) ?? { type: 'media.remove', name, ...expected },
      faults: ['media.not_found', 'media.not_ready', 'media.in_use', ...WRITE_FAULTS],
    }),

    read('GET', '/v1/media/:name/metadata', {
      params,
      summary: 'What is known of a media item',
      answer: MediaItem,
      example: mediaExample,
      get: ({ params: { name } }) => store.get(name),
      faults: ['media.not_found', ...READ_FAULTS],
    }),

    command('PATCH', '/v1/media/:name/metadata', {
      params,
      summary: 'Note something down about a media item',
      to: 'media',
      conditional: true,
      publishes: [mediaChanged],
      body: { schema: MediaChange, example: { metadata: { note: 'by the red goal', match: 12 } } },
      send: async ({ params: { name }, body, expected }) =>
        (await store.whenReady()) ?? { type: 'media.describe', name, ...body, ...expected },
      answer: {
        schema: MediaItem,
        example: mediaExample,
        canBeGone: true,
        of: ({ params: { name } }) => findKept(store, name),
      },
      faults: ['media.not_found', 'media.not_ready', ...WRITE_FAULTS],
    }),

    editRow(store),
    ...sideCarRows(store),
    snapshotRow({ takeSnapshot, store }),
  ]),
)
