// Calibrations of cameras: those that are kept, and what computes them.
import * as Effect from 'effect/Effect'
import { CALIBRATION_CAPTURES, noCaptures } from '../../actors/calibration/captures.ts'
import { calibrationCollection } from '../../machines/calibration/collection.ts'
import { branch } from '../composition/branch.ts'
import { value } from '../composition/container.ts'
import { calibrationPorts } from './ports.ts'

/** Starts nothing: jobs do. */
export const calibrationBranch = branch({
  collections: [calibrationCollection],
  ports: calibrationPorts,
  offers: [value(CALIBRATION_CAPTURES, noCaptures)],
  needs: {},
  start: () => Effect.void,
})
