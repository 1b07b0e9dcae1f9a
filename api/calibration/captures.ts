// The rows of guided captures.
import { CAPTURE_REGISTRY } from '../../actors/calibration/tokens.ts'
import { DIRECTORY } from '../../actors/directory.ts'
import {
  CaptureRequest,
  CaptureSpec,
  CaptureStatus,
  captureSpecExample,
  captureStatusExample,
} from '../../machines/calibration/capture/capture.ts'
import { captureCollection, captureIdOf } from '../../machines/calibration/capture/collection.ts'
import { captureSpecOf, captureStatusOf } from '../../machines/calibration/capture/view.ts'
import { captureSeen } from '../../machines/calibration/events.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { putOrder } from '../../machines/settings/commit.ts'
import type { Given } from '../../machines/token.ts'
import { resource } from '../endpoints/resource.ts'
import { fault } from '../problems/problem.ts'
import { ofStream, ofStreamNeeds } from '../stream/of-stream.ts'

/** The needs of the rows. */
export const captureNeeds = { ...ofStreamNeeds, directory: DIRECTORY, captures: CAPTURE_REGISTRY }

const EXAMPLE_ID = 'cap-q3vbn7xd'

/** The rows. */
export const captureRows = (parts: Given<typeof captureNeeds>) => {
  const { directory, captures } = parts
  const statusOf = (id: string): CaptureStatus | undefined => {
    const kept = captures.stored(id)?.value
    if (!kept) return undefined
    captures.ask(id)
    return captureStatusOf(kept, captures.viewOf(id))
  }
  const rows = resource('/v1/calibration/captures', {
    collection: captureCollection,
    title: 'Capture',
    about: 'Pictures of a board that are taken one after the other, so that a lens can be computed of them.',
    spec: CaptureSpec,
    status: CaptureStatus,
    example: { id: EXAMPLE_ID, spec: captureSpecExample, status: captureStatusExample },
    specOf: captureSpecOf,
    statusOf,
  })
  return [
    rows.list({
      summary: 'All guided captures',
      about: 'There is one of each stream at most.',
      order: 'In the order in which they were begun.',
    }),

    rows.create({
      summary: 'Begin a guided capture',
      about: oneLine`
        From now on a board is looked for in the live pictures of the stream, five times a second, by a process that
        gives way to all others. What board it is, is found out. A picture in which it is held still, sharp and where it
        is of use is taken by itself: its corners are stored, and the picture as a media item that the device may delete
        when it needs the room. \`${captureSeen.kind}\` tells what is seen and where the board is to be held next,
        without anybody asking. It ends by \`enough\`; then it is solved by POST /v1/calibration/solve with its id. It
        survives a restart of the service. Nothing is looked at when nobody was there for ten minutes, until somebody
        asks for it. With \`media_ids\` pictures and recordings are looked at instead, one after the other; what was
        taken of them by then is all there is.
      `,
      created: true,
      body: {
        schema: CaptureRequest,
        example: { stream_id: 'front', square_width_mm: 24, square_height_mm: 24 },
      },
      send: ({ body: { stream_id, square_width_mm, square_height_mm = square_width_mm, media_ids = [] } }) =>
        ofStream(parts, stream_id, () => {
          const id = captureIdOf(stream_id)
          if (captures.stored(id)) return alreadyThere(id, stream_id)
          const kept = {
            stream_id,
            square_width_mm,
            square_height_mm,
            created_at_ms: directory.clock.nowMs(),
            media_ids,
            board: null,
            width_px: null,
            height_px: null,
            pictures: [],
          }
          return putOrder(captureCollection, id, kept, { create_only: true })
        }),
      faults: ['stream.not_found', 'document.exists'],
    }),

    rows.read({ summary: 'One guided capture', about: 'Whoever asks for it is there: it goes on looking.' }),

    rows.delete({
      summary: 'End a guided capture',
      about: 'Its corners are forgotten; its pictures stay among the media items.',
    }),
  ]
}

const alreadyThere = (id: string, stream_id: string) =>
  fault(
    'document.exists',
    `the stream ${stream_id} has a capture already, ${id}: go on with it, or DELETE it to begin again`,
  )
