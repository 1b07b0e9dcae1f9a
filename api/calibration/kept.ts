// The rows of calibrations that are kept.
import { CAMERAS } from '../../actors/cameras/tokens.ts'
import { DIRECTORY } from '../../actors/directory.ts'
import type { StreamRuntime } from '../../actors/stream/stream-runtime.ts'
import { STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import {
  Calibration,
  CalibrationStatus,
  calibrationExample,
  calibrationStatusExample,
} from '../../machines/calibration/calibration.ts'
import { calibrationCollection, inForceOn, type StreamWithLens } from '../../machines/calibration/collection.ts'
import { outdatedReasons, type StreamInForce } from '../../machines/calibration/outdated.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { documentOf } from '../../machines/settings/store.ts'
import { ownCameraOf, sizeOfSource } from '../../machines/stream/sources/traits.ts'
import type { Given } from '../../machines/token.ts'
import { resource } from '../endpoints/resource.ts'

/** The needs of the rows. */
export const keptNeeds = { directory: DIRECTORY, streams: STREAM_REGISTRY, cameras: CAMERAS }

const EXAMPLE_ID = 'cal-m4q2ptza'

/** Of all streams. */
export const lensesOf = ({ streams }: Pick<Given<typeof keptNeeds>, 'streams'>): readonly StreamWithLens[] =>
  streams.all().map(({ id, manifest: { intrinsics } }) => ({ id, intrinsics }))

const inForce = (stream: StreamRuntime | undefined): readonly StreamInForce[] => {
  if (!stream) return []
  const { source } = stream.manifest
  const camera = ownCameraOf(source)
  const size = sizeOfSource(source)
  return [
    {
      id: stream.id,
      camera_uid: camera?.camera_uid ?? null,
      pixel_format: camera?.pixel_format ?? null,
      width_px: size?.width_px ?? null,
      height_px: size?.height_px ?? null,
    },
  ]
}

/** The example of those that are kept. */
export const keptExample = { id: EXAMPLE_ID, spec: calibrationExample, status: calibrationStatusExample }

/** The calibrations, as a resource. */
export const calibrationsOf = ({ directory, streams, cameras }: Given<typeof keptNeeds>) => {
  const statusOf = (id: string): CalibrationStatus | undefined => {
    const stored = documentOf(directory.settings, calibrationCollection, id)
    if (!stored) return undefined
    const in_force_on = inForceOn(stored.value, lensesOf({ streams }))
    const device = { units: cameras.units, streams: in_force_on.flatMap((each) => inForce(streams.get(each))) }
    return { in_force_on, reasons: outdatedReasons(stored.value, device) }
  }
  return resource('/v1/calibrations', {
    collection: calibrationCollection,
    title: 'KeptCalibration',
    about: 'A calibration that is kept.',
    spec: Calibration,
    status: CalibrationStatus,
    example: keptExample,
    statusOf,
  })
}

/** The rows. */
export const keptRows = (parts: Given<typeof keptNeeds>) => {
  const calibrations = calibrationsOf(parts)
  return [
    calibrations.list({
      summary: 'All calibrations that are kept',
      about: oneLine`
        Of all cameras and modes. \`status.in_force_on\` names the streams that have exactly these intrinsics.
      `,
      order: 'In the order in which they were kept.',
    }),

    calibrations.read({ summary: 'One calibration' }),

    calibrations.delete({
      summary: 'Forget a calibration',
      about: 'A stream on which it is in force keeps its intrinsics; nobody knows any more where they came from.',
    }),
  ]
}
