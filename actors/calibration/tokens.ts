// The tokens of calibrations.
import type { CalibrationSolveRequest } from '../../machines/calibration/solve-request.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { token } from '../../machines/token.ts'
import type { WantedJob } from '../jobs/jobs.ts'
import type { CaptureRegistry } from './capture-registry.ts'
import type { CalibrationCaptures } from './captures.ts'

/** The captures of this device. */
export const CALIBRATION_CAPTURES = token<CalibrationCaptures>('calibration captures')

/** All captures, for what shows and keeps them. */
export const CAPTURE_REGISTRY = token<CaptureRegistry>('capture-registry')

/** The job that solves what a request names, or why there is none. It never rejects. */
export const CALIBRATION_SOLVE =
  token<(request: CalibrationSolveRequest) => Promise<Pick<WantedJob, 'resource_ref' | 'work'> | Fault>>(
    'calibration solve',
  )
