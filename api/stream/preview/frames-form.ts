// Live pictures on a WebSocket, each a message, with what was found in its very frame where that is asked for: how they
// are asked for and what comes, be it of this device's own streams or of those of a peer.
import { nameList } from '../../../machines/schema/name-list.ts'
import { oneLine } from '../../../machines/schema/one-line.ts'
import Type from '../../../machines/schema/type.ts'
import { pictureQuery } from './picture-query.ts'
import { ABOUT_PICTURE_PACKETS, PICTURE_MEDIA_TYPE } from './video-packet.ts'

/** At most how often. */
export const fps = Type.Optional(Type.Number({ minimum: 0.1, maximum: 240, description: 'At most. Default: all.' }))

const Packet = Type.Unsafe<Uint8Array>({
  type: 'string',
  format: 'binary',
  title: 'PicturePacket',
  description: ABOUT_PICTURE_PACKETS,
})

/** What all rows of such pictures have in common. */
export const framesForm = {
  query: {
    ...pictureQuery,
    fps,
    results: Type.Optional(
      Type.Boolean({
        default: false,
        description: oneLine`
          Each picture with what was found in its very frame (flag 8): all outputs of the pipeline that are no
          pictures, and what the synthetic camera adds.
        `,
      }),
    ),
    outputs: Type.Optional(
      nameList('Of the results these outputs alone, where the pipeline has them. Default: all.', 'tags,pose'),
    ),
  },
  messages: [{ name: 'picture', schema: Packet, mediaType: PICTURE_MEDIA_TYPE }],
} as const
