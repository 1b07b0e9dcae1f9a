// Pictures of the streams here, for other devices: a viewer that is a device is a viewer like any other.

import type { Static, TObject } from 'typebox'
import { leavesDevice } from '../../machines/bandwidth/budget.ts'
import { isFault } from '../../machines/errors/fault.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import { whyNoPicture } from '../../machines/stream/outputs.ts'
import { watchPictures } from '../../machines/stream/watch-pictures.ts'
import type { Given } from '../../machines/token.ts'
import type { Call, Endpoint } from '../endpoints/endpoint.ts'
import { feed } from '../endpoints/feed.ts'
import { pictureQuery } from '../stream/preview/picture-query.ts'
import { pictureNeeds, shownRows } from '../stream/preview/pictures.ts'
import type { Previews } from '../stream/preview/preview.ts'
import { ABOUT_PICTURE_PACKETS, PICTURE_MEDIA_TYPE } from '../stream/preview/video-packet.ts'
import { streamParams } from '../stream/wire.ts'
import { sharedStream, sharedStreamNeeds } from './shared-stream.ts'

/** The needs of the pictures. */
export const devicePictureNeeds = {
  ...sharedStreamNeeds,
  ...pictureNeeds,
}
type DevicePictureParts = Given<typeof devicePictureNeeds>

const STREAMS = '/v1/interdevice/streams'

const frameQuery = {
  ...pictureQuery,
  fps: Type.Optional(Type.Number({ minimum: 0.1, maximum: 240, description: 'At most. Default: all.' })),
}

const Packet = Type.Unsafe<Uint8Array>({
  type: 'string',
  format: 'binary',
  title: 'PicturePacket',
  description: ABOUT_PICTURE_PACKETS,
})

const TRY_AGAIN_LATER = 1013

/** previews: who watches. */
export const devicePictureRows = (parts: DevicePictureParts, previews: Previews): readonly Endpoint[] => [
  ...shownRows(parts, previews, STREAMS, {
    access: 'peer',
    refuse: (id) => {
      const stream = sharedStream(parts, id)
      return isFault(stream) ? stream : undefined
    },
  }),

  feed('GET', `${STREAMS}/:id/frames` as '/:id', {
    params: streamParams,
    summary: 'Live pictures, each a message',
    about: oneLine`
      The same pictures as those of the preview as MJPEG. Who is slow misses pictures, the newest wins; who takes none
      for 30 s is cut off. Closed with 1001 when the stream is deleted, with 1013 when there is no room by then.
    `,
    access: 'peer',
    query: frameQuery,
    messages: [{ name: 'picture', schema: Packet, mediaType: PICTURE_MEDIA_TYPE }],
    admit: ({ params: { id }, query: { output } }) => {
      const stream = sharedStream(parts, id)
      if (isFault(stream)) return stream
      return parts.viewers.full() ?? (output === undefined ? undefined : whyNoPicture(stream.manifest, output))
    },
    accept: (call, socket) => {
      const view = viewOf(parts, call)
      const full = parts.viewers.full() // others may have come since it was let in
      if (isFault(view) || full) {
        if (!isFault(view)) view.watch.release()
        socket.close(TRY_AGAIN_LATER, 'there is no room for another viewer of this kind; ask for a frame to hear why')
        return
      }
      previews.showMessages({ socket, connection: call.request.socket }, view)
    },
    faults: ['stream.not_found', 'viewer.too_many', 'output.not_found', 'output.other_kind'],
  }),
]

type FrameCall = Pick<Call<'id', Static<TObject<typeof frameQuery>>>, 'params' | 'query' | 'request' | 'directory'>

const viewOf = (parts: DevicePictureParts, { params, query: { fps = 0, ...look }, request, directory }: FrameCall) => {
  const stream = sharedStream(parts, params.id)
  if (isFault(stream)) return stream
  const isMetered = parts.budget.mbit_s !== null && leavesDevice(request.socket)
  const watch = watchPictures(stream, look, { fps, isMetered })
  return isFault(watch) ? watch : { clock: directory.clock, stream, watch, fps, output: look.output ?? '' }
}
