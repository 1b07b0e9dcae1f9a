// Pictures of the streams here, for other devices: a viewer that is a device is a viewer like any other.

import { isFault } from '../../machines/errors/fault.ts'
import type { Given } from '../../machines/token.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { pictureNeeds, shownRows } from '../stream/preview/pictures.ts'
import type { Previews } from '../stream/preview/preview.ts'
import { sharedStream, sharedStreamNeeds } from './shared-stream.ts'

/** The needs of the pictures. */
export const devicePictureNeeds = {
  ...sharedStreamNeeds,
  ...pictureNeeds,
}
type DevicePictureParts = Given<typeof devicePictureNeeds>

/** previews: who watches. */
export const devicePictureRows = (parts: DevicePictureParts, previews: Previews): readonly Endpoint[] =>
  shownRows(parts, previews, '/v1/interdevice/streams', {
    access: 'peer',
    refuse: (id) => {
      const stream = sharedStream(parts, id)
      return isFault(stream) ? stream : undefined
    },
  })
