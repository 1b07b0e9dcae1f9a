// A picture of a stream that is kept, with what the pipeline found in it.

import { TAKE_SNAPSHOT } from '../../actors/media/tokens.ts'
import { mediaChanged } from '../../machines/media/events.ts'
import { MediaItem, MediaMetadata, mediaExample } from '../../machines/media/item.ts'
import { PortName } from '../../machines/pipeline/graph.ts'
import { about } from '../../machines/schema/about.ts'
import { Name } from '../../machines/schema/name.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import type { Given } from '../../machines/token.ts'
import { MEDIA_STORE } from '../../native/media/port.ts'
import { command } from '../endpoints/command.ts'
import { streamParams } from '../stream/wire.ts'
import { showMadeItem, toDone } from './media-answer.ts'
import { WRITE_FAULTS } from './side-cars.ts'

/** What is wanted of it. */
export const Snapshot = Type.Object(
  {
    output: Type.Optional(
      about(PortName, "The picture that the pipeline makes under that name. Default: the camera's picture."),
    ),
    name: Type.Optional(Name(60, 'What the item is to be called; default: the stream and the time.')),
    metadata: Type.Optional({ ...MediaMetadata, title: 'SnapshotMetadata' }),
    automatic: Type.Optional(MediaItem.properties.automatic),
  },
  { additionalProperties: false, title: 'Snapshot', description: 'What is to be noted down about the picture.' },
)

export const snapshotNeeds = { takeSnapshot: TAKE_SNAPSHOT, store: MEDIA_STORE }

/** The faults of the operation (actors/media). */
export const SNAPSHOT_FAULTS = [
  ...(['stream.not_found', 'stream.no_picture', 'stream.failed', 'picture.too_many_kinds'] as const),
  ...(['output.not_found', 'output.other_kind'] as const),
  ...WRITE_FAULTS,
]

/** The row that keeps a picture. */
export const snapshotRow = ({ takeSnapshot, store }: Given<typeof snapshotNeeds>) =>
  command('POST', '/v1/streams/:id/snapshot', {
    params: streamParams,
    to: 'media',
    summary: 'Keep a picture of a stream',
    about: oneLine`
      Waits up to 2 s for the next picture, and keeps it in full size (the camera's own JPEG, where it makes one; or a
      picture of the pipeline). What the pipeline found in the same frame lies beside it (\`GET
      /v1/media/{name}?as=results\`); where the robot was, which tags were seen, the revision of the stream and its
      crop stand in its metadata.
    `,
    publishes: [mediaChanged],
    body: { schema: Snapshot, example: { metadata: { note: 'by the red goal' } }, optional: true },
    send: async ({ params: { id }, body, mark }) => toDone(await takeSnapshot(id, body, mark)),
    answer: { status: 'created', schema: MediaItem, example: mediaExample, ...showMadeItem(store) },
    faults: SNAPSHOT_FAULTS,
  })
