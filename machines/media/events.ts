// What is published about media items.
import { eventKind } from '../events/kind.ts'
import Type from '../schema/type.ts'
import { MediaItem, mediaExample } from './item.ts'
import { MediaName } from './name.ts'

/** A media item came, changed or went. */
export const mediaChanged = eventKind({
  kind: 'media_changed',
  about: 'A media item was begun, is whole, was changed or is gone.',
  reference: { media_name: MediaName },
  data: Type.Object(
    {
      kind: Type.Union([MediaItem.properties.kind, Type.Null()], { description: 'null: it is gone.' }),
      state: Type.Union([MediaItem.properties.state, Type.Null()], { description: 'null: it is gone.' }),
      stream_id: Type.Union(MediaItem.properties.stream_id.anyOf, {
        description: 'Whose pictures these are; null: of no stream here, or it is gone.',
      }),
      size_bytes: Type.Union([MediaItem.properties.size_bytes, Type.Null()], {
        description: 'Of its content; 0 while it is being written. null: it is gone.',
      }),
      deleted: Type.Boolean({ description: 'Whether it is gone.' }),
    },
    { additionalProperties: false, title: 'MediaChange', description: 'What became of a media item.' },
  ),
  revised: false,
  example: {
    resource_ref: { media_name: mediaExample.name },
    data: {
      kind: mediaExample.kind,
      state: mediaExample.state,
      stream_id: mediaExample.stream_id,
      size_bytes: mediaExample.size_bytes,
      deleted: false,
    },
  },
})
