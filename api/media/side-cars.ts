// The files beside an item: labels, and measurements of an IMU.

import type { ClientCode } from '../../machines/errors/catalogue.ts'
import { isFault } from '../../machines/errors/fault.ts'
import { mediaChanged } from '../../machines/media/events.ts'
import { type Attachable, MediaItem, mediaExample, type SideCar } from '../../machines/media/item.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import type { Expected } from '../../machines/settings/commit.ts'
import type { MediaStore, OpenMedia } from '../../native/media/port.ts'
import { command } from '../endpoints/command.ts'
import { file, type ServedFile } from '../endpoints/file.ts'
import { type ArrivingBytes, upload } from '../endpoints/upload.ts'
import { findKept } from './media-answer.ts'
import {
  imuExample,
  LabelDocument,
  LabelLines,
  labelDocumentExample,
  labelExample,
  mediaParams as params,
} from './wire.ts'

/** The faults of the index and the folder. */
export const READ_FAULTS: readonly ClientCode[] = [
  'storage.failed',
  'storage.full',
  'storage.in_use',
  'storage.unavailable',
  'actor.unavailable',
]
export const WRITE_FAULTS: readonly ClientCode[] = READ_FAULTS

const shown = (part: 'content' | SideCar): boolean => part === 'content'

/** A file of an item as the API serves it. */
export const served = (open: OpenMedia, part: 'content' | SideCar): ServedFile => ({
  ...open,
  name:
    part === 'content'
      ? open.item.name
      : `${open.item.name}.${part}${open.media_type.includes('json') ? '.json' : '.txt'}`,
  mediaType: open.media_type,
  sizeBytes: open.size_bytes,
  etag:
    part === 'content' ? (open.item.etag as string) : `"${open.item.etag?.slice(1, -1)}-${part}-${open.item.revision}"`,
  isShown: shown(part),
})

const answer = { status: 'ok', schema: MediaItem, example: mediaExample } as const

/** All of them. */
export const sideCarRows = (store: MediaStore) => {
  const open =
    (part: Attachable) =>
    async ({ params: { name } }: { readonly params: { readonly name: string } }) => {
      const found = await store.open(name, part)
      return isFault(found) ? found : served(found, part)
    }
  const take =
    (part: Attachable) =>
    async (
      { params: { name }, expected }: { readonly params: { readonly name: string }; readonly expected: Expected },
      bytes: ArrivingBytes,
    ) => {
      const done = await store.attach(name, part, { ...bytes, ...expected })
      return isFault(done) ? done : store.get(name)
    }
  const reading = ['media.not_found', 'media.no_side_car', 'media.not_ready', ...READ_FAULTS] as const
  const writing = ['media.not_found', 'media.not_ready', 'media.invalid', ...WRITE_FAULTS] as const

  return [
    file('GET', '/v1/media/:name/label', {
      params,
      summary: 'The label of a media item',
      mediaType: '*/*',
      open: open('label'),
      faults: reading,
    }),

    upload('POST', '/v1/media/:name/label', {
      params,
      summary: 'Put a label beside a media item',
      about: oneLine`
        What is to be seen in it: lines as YOLO has them (a class and the centre, width and height, or the corners of
        a polygon, all from 0 to 1), or one JSON document; at most 1 MiB. Beside a model: the names of its classes,
        one on each line, the first of them that of class 0. Replaces the one before.
      `,
      conditional: true,
      mediaTypes: ['text/plain', 'application/json'],
      described: {
        'text/plain': { schema: LabelLines, example: labelExample.toString() },
        'application/json': { schema: LabelDocument, example: labelDocumentExample },
      },
      upload: labelExample,
      publishes: [mediaChanged],
      answer,
      take: take('label'),
      faults: writing,
    }),

    file('GET', '/v1/media/:name/imu', {
      params,
      summary: 'The measurements of an IMU beside a media item',
      about: oneLine`
        JSON lines, as somebody has put them there; or as the device's own IMU said them while it was recorded, then
        along the axes of the robot (x forward, y left, z up) and without the bias. \`pts_us\` is that of the results.
      `,
      mediaType: 'application/x-ndjson',
      open: open('imu'),
      faults: reading,
    }),

    upload('POST', '/v1/media/:name/imu', {
      params,
      summary: 'Put measurements of an IMU beside a media item',
      about: oneLine`
        JSON, one measurement on each line, in order of time: \`pts_us\` (as in the results of a recording), and
        \`gyro_rad_s\` or \`accel_m_s2\` with three numbers each, or both; at most 128 MiB. Replaces those before.
      `,
      conditional: true,
      mediaTypes: ['application/x-ndjson'],
      upload: imuExample,
      publishes: [mediaChanged],
      answer,
      take: take('imu'),
      faults: writing,
    }),

    command('DELETE', '/v1/media/:name/imu', {
      params,
      summary: 'Remove the measurements of an IMU from a media item',
      to: 'media',
      conditional: true,
      publishes: [mediaChanged],
      send: async ({ params: { name }, expected }) =>
        (await store.whenReady()) ?? { type: 'media.detach', name, part: 'imu', ...expected },
      answer: { ...answer, canBeGone: true, of: ({ params: { name } }) => findKept(store, name) },
      faults: ['media.not_found', 'media.no_side_car', 'media.not_ready', ...WRITE_FAULTS],
    }),
  ]
}
