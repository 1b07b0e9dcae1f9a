// The calibrations that are kept: several of each unit and mode, so that one can go back.
import { quote } from '../schema/quote.ts'
import { collection } from '../settings/collection.ts'
import { deleteOrder, type PartOrder, putOrder } from '../settings/commit.ts'
import { isSameJson } from '../settings/same-json.ts'
import type { StoredValue } from '../settings/store.ts'
import type { Intrinsics } from '../stream/manifest.ts'
import { Calibration, CalibrationId } from './calibration.ts'
import { calibrationChanged } from './events.ts'

/** Of all units and modes. */
export const MAX_CALIBRATIONS = 200

export const calibrationCollection = collection({
  name: 'calibrations',
  id: CalibrationId,
  schema: Calibration,
  limit: MAX_CALIBRATIONS + 1, // a new one comes before the oldest goes
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

/** Of one unit and mode; the oldest makes room. */
export const MAX_OF_MODE = 20

/** The calibrations that are kept, by id. */
export type KeptCalibrations = Readonly<Record<string, StoredValue<Calibration>>>

/** A calibration that is to be kept, and its id, which is new. */
export interface NewCalibration {
  readonly id: string
  readonly value: Calibration
}

/**
 * The orders that keep one more, which is the first of them. Where there are too many of its unit and mode, or in all,
 * the oldest that is in force nowhere goes. Where each is in force, none does.
 */
export const keepOrders = (
  kept: KeptCalibrations,
  { id, value }: NewCalibration,
  streams: readonly StreamWithLens[],
): readonly [PartOrder, ...PartOrder[]] => {
  const loose = Object.entries(kept)
    .filter(([, { value: each }]) => inForceOn(each, streams).length === 0)
    .toSorted(([, one], [, other]) => one.value.made_at_ms - other.value.made_at_ms)
    .map(([each, stored]) => ({ id: each, mode: modeOf(stored.value) }))
  const alike = Object.values(kept).filter((each) => modeOf(each.value) === modeOf(value)).length
  const ofMode = loose.filter(({ mode }) => mode === modeOf(value)).slice(0, Math.max(0, alike + 1 - MAX_OF_MODE))
  const left = Object.keys(kept).length + 1 - ofMode.length
  const others = loose.filter((each) => !ofMode.includes(each)).slice(0, Math.max(0, left - MAX_CALIBRATIONS))
  return [
    putOrder(calibrationCollection, id, value, { create_only: true }),
    ...[...ofMode, ...others].map((each) => deleteOrder(calibrationCollection, each.id)),
  ]
}

const modeOf = ({ camera_uid, stream_id, width_px, height_px, pixel_format }: Calibration): string =>
  [camera_uid ?? stream_id, width_px, height_px, pixel_format].join()
