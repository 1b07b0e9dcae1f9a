// What is published about calibrations.
import { documentEvent, eventKind } from '../events/kind.ts'
import { oneLine } from '../schema/one-line.ts'
import { StreamId } from '../schema/stream-id.ts'
import { CalibrationId } from './calibration.ts'
import { CaptureId, CaptureNews, captureNewsExample } from './capture/capture.ts'

/** A calibration was kept or forgotten. */
export const calibrationChanged = documentEvent({
  kind: 'calibration_changed',
  about: 'A calibration was kept, was given another name, or was forgotten.',
  of: { field: 'calibration_id', id: CalibrationId, example: 'cal-m4q2ptza' },
  resource: 'GET /v1/calibrations/{id}',
})

/** A capture was begun, has another picture, or is gone. */
export const captureChanged = documentEvent({
  kind: 'calibration_capture_changed',
  about: 'A guided capture was begun, has taken a picture, or is gone.',
  of: { field: 'capture_id', id: CaptureId, example: 'cap-q3vbn7xd' },
  resource: 'GET /v1/calibration/captures/{id}',
})

/** What a capture sees. */
export const captureSeen = eventKind({
  kind: 'calibration_capture_seen',
  about: oneLine`
    What a guided capture sees has changed: its state, why a picture is refused, where the board is to be held. Told to
    those who listen now, several times a second at most.
  `,
  reference: { capture_id: CaptureId, stream_id: StreamId },
  resource: 'GET /v1/calibration/captures/{id}',
  data: CaptureNews,
  revised: false,
  isEphemeral: true,
  example: {
    resource_ref: { capture_id: 'cap-q3vbn7xd', stream_id: 'front' },
    data: captureNewsExample,
  },
})
