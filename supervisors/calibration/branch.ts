// Calibrations of cameras: those that are kept, and what computes them.
import * as Effect from 'effect/Effect'
import { noCaptures } from '../../actors/calibration/captures.ts'
import { CALIBRATION_CAPTURES, CALIBRATION_SOLVE } from '../../actors/calibration/tokens.ts'
import { wantedSolve } from '../../actors/calibration/wanted-solve.ts'
import { CAMERAS } from '../../actors/cameras/tokens.ts'
import { answerOf } from '../../actors/run.ts'
import { STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import { calibrationCollection } from '../../machines/calibration/collection.ts'
import { CALIBRATION } from '../../native/calibration/port.ts'
import { CLOCK } from '../../native/clock/port.ts'
import { MEDIA_STORE } from '../../native/media/port.ts'
import { branch } from '../composition/branch.ts'
import { offer, value } from '../composition/container.ts'
import { calibrationPorts } from './ports.ts'

/** Starts nothing: jobs do. */
export const calibrationBranch = branch({
  collections: [calibrationCollection],
  ports: calibrationPorts,
  offers: [
    value(CALIBRATION_CAPTURES, noCaptures),
    offer(
      CALIBRATION_SOLVE,
      {
        calibration: CALIBRATION,
        captures: CALIBRATION_CAPTURES,
        clock: CLOCK,
        streams: STREAM_REGISTRY,
        cameras: CAMERAS,
        store: MEDIA_STORE,
      },
      (parts) => (request) => answerOf(wantedSolve(parts, request)),
    ),
  ],
  needs: {},
  start: () => Effect.void,
})
