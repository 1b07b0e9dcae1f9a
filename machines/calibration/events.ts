// What is published about calibrations.
import { documentEvent } from '../events/kind.ts'
import { CalibrationId } from './calibration.ts'

/** A calibration was kept or forgotten. */
export const calibrationChanged = documentEvent({
  kind: 'calibration_changed',
  about: 'A calibration was kept, was given another name, or was forgotten.',
  of: { field: 'calibration_id', id: CalibrationId, example: 'cal-m4q2ptza' },
  resource: 'GET /v1/calibrations/{id}',
})
