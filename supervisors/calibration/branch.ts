// Calibrations of cameras: those that are kept, the captures of pictures for them, and what computes them.
import * as Effect from 'effect/Effect'
import { CaptureRegistry } from '../../actors/calibration/capture-registry.ts'
import { CALIBRATION_CAPTURES, CALIBRATION_SOLVE, CAPTURE_REGISTRY } from '../../actors/calibration/tokens.ts'
import { wantedSolve } from '../../actors/calibration/wanted-solve.ts'
import { CAMERAS } from '../../actors/cameras/tokens.ts'
import { DIRECTORY } from '../../actors/directory.ts'
import { JOBS } from '../../actors/jobs/tokens.ts'
import { answerOf } from '../../actors/run.ts'
import { settingsWriter } from '../../actors/settings/write-settings.ts'
import { STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import { captureCollection } from '../../machines/calibration/capture/collection.ts'
import { calibrationCollection } from '../../machines/calibration/collection.ts'
import { captureSeen } from '../../machines/calibration/events.ts'
import { CALIBRATION } from '../../native/calibration/port.ts'
import { CLOCK } from '../../native/clock/port.ts'
import { MEDIA_STORE } from '../../native/media/port.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'
import { ON_BUG, RECORD, supervision } from '../composition/tokens.ts'
import { keepAsWanted } from '../supervision/keep-as-wanted.ts'
import { CaptureChildren } from './children.ts'
import { calibrationPorts } from './ports.ts'

export const calibrationBranch = branch({
  collections: [calibrationCollection, captureCollection],
  events: [captureSeen],
  ports: calibrationPorts,
  offers: [
    offer(
      CAPTURE_REGISTRY,
      { directory: DIRECTORY, onBug: ON_BUG },
      ({ directory, onBug }) => new CaptureRegistry({ directory, onBug: onBug('captures') }),
    ),
    offer(CALIBRATION_CAPTURES, { captures: CAPTURE_REGISTRY }, ({ captures }) => captures),
    offer(
      CALIBRATION_SOLVE,
      {
        calibration: CALIBRATION,
        captures: CALIBRATION_CAPTURES,
        clock: CLOCK,
        streams: STREAM_REGISTRY,
        cameras: CAMERAS,
        store: MEDIA_STORE,
        directory: DIRECTORY,
      },
      (parts) => (request) => answerOf(wantedSolve(parts, request)),
    ),
  ],
  needs: {
    ...supervision,
    directory: DIRECTORY,
    captures: CAPTURE_REGISTRY,
    calibration: CALIBRATION,
    streams: STREAM_REGISTRY,
    media: MEDIA_STORE,
    jobs: JOBS,
    record: RECORD,
  },
  start: ({ directory, ...parts }) =>
    Effect.gen(function* () {
      const { clock, settings } = directory
      const children = new CaptureChildren({ ...parts, clock, settings, write: settingsWriter(directory) })
      yield* Effect.acquireRelease(
        Effect.sync(() => children.follow()),
        (stop) => Effect.sync(stop),
      )
      yield* keepAsWanted(parts, children)
    }),
})
