// How the pictures of a stream are taken, for another device that works on them itself.

import { isFault } from '../../machines/errors/fault.ts'
import { StreamCapture } from '../../machines/interdevice/capture.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import type { Given } from '../../machines/token.ts'
import { read } from '../endpoints/read.ts'
import { specExample, streamParams } from '../stream/wire.ts'
import { sharedStream, sharedStreamNeeds } from './shared-stream.ts'

/** The needs of the row of the capture. */
export const captureNeeds = sharedStreamNeeds
type CaptureParts = Given<typeof captureNeeds>

export const captureRow = (parts: CaptureParts) =>
  read('GET', '/v1/interdevice/streams/:id/capture', {
    params: streamParams,
    summary: 'How the pictures of a stream are taken',
    about: oneLine`
      What another device needs to work on them itself: the lens, where the camera sits, the field map, and the
      pipeline that runs here. The pictures are those of the preview.
    `,
    access: 'peer',
    answer: StreamCapture,
    example: captureExample,
    get: ({ params: { id } }) => {
      const stream = sharedStream(parts, id)
      if (isFault(stream)) return stream
      const { revision, value } = stream.stored
      const is_live = stream.state === 'live'
      const opened = is_live ? stream.engine.opened.value : undefined
      return {
        revision,
        is_live,
        alias: value.alias,
        map_id: value.map_id,
        pipeline: value.pipeline,
        fps: opened?.fps ?? null,
        intrinsics: opened?.intrinsics ?? null,
        pose: value.pose ?? null,
      }
    },
    faults: ['stream.not_found'],
  })

export const captureExample: StreamCapture = {
  revision: 3,
  is_live: true,
  alias: 'Front',
  fps: 30,
  intrinsics: null,
  pose: null,
  map_id: specExample.map_id,
  pipeline: specExample.pipeline,
}
