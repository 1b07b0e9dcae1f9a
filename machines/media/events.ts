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
      deleted: Type.Boolean({ description: 'Whether it is gone.' }),
    },
    { additionalProperties: false, title: 'MediaChange', description: 'What became of a media item.' },
  ),
  revised: false,
  example: {
    resource_ref: { media_name: mediaExample.name },
    data: { kind: mediaExample.kind, state: mediaExample.state, deleted: false },
  },
})
