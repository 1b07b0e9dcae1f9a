// The calibrations that are kept: several of each unit and mode, so that one can go back.
import { quote } from '../schema/quote.ts'
import { collection } from '../settings/collection.ts'
import { isSameJson } from '../settings/same-json.ts'
import type { Intrinsics } from '../stream/manifest.ts'
import { Calibration, CalibrationId } from './calibration.ts'
import { calibrationChanged } from './events.ts'

/** Of all units and modes. */
export const MAX_CALIBRATIONS = 200

export const calibrationCollection = collection({
  name: 'calibrations',
  id: CalibrationId,
  schema: Calibration,
  limit: MAX_CALIBRATIONS,
  changed: calibrationChanged,
  notFound: (id) => ({
    code: 'calibration.not_found',
    detail: `there is no calibration ${quote(id)}; GET /v1/calibrations lists them`,
  }),
  check: ({ width_px, height_px, intrinsics }) =>
    intrinsics.width_px === width_px && intrinsics.height_px === height_px
      ? []
      : [{ pointer: '/intrinsics', message: `are not of ${width_px}x${height_px}` }],
})

const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567'

/** A name for a new one, from at least 8 random bytes. */
export const calibrationIdFrom = (bytes: Uint8Array): string =>
  `cal-${Array.from(bytes.subarray(0, 8), (byte) => LETTERS[byte % LETTERS.length]).join('')}`

/** A stream, as much of it as calibrations have to do with. */
export interface StreamWithLens {
  readonly id: string
  readonly intrinsics?: Intrinsics | undefined
}

/** The streams on which a calibration is in force: those that have exactly its numbers. */
export const inForceOn = ({ intrinsics }: Pick<Calibration, 'intrinsics'>, streams: readonly StreamWithLens[]) =>
  streams.flatMap((stream) => (isSameJson(stream.intrinsics, intrinsics) ? [stream.id] : []))
