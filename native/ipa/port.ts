// The tuning files of the cameras of this device, and the program that finds a colour chart in a picture.
import type * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { ChartLook, PixelPoint } from '../../machines/ipa/chart-look.ts'
import type { TuningLook } from '../../machines/ipa/places.ts'
import { token } from '../../machines/token.ts'
import type { Arriving } from '../media/port.ts'

export interface IpaPort {
  /** It never fails: what cannot be read is not there. */
  readonly look: Effect.Effect<TuningLook>
  /** All bytes of a file; null: it cannot be read. */
  readonly bytes: (path: string) => Effect.Effect<Uint8Array | null>
  /** Writes a copy, whole or not at all, and notes that it is of this service. `storage.full`, `storage.failed`. */
  readonly put: (path: string, bytes: Uint8Array) => Effect.Effect<void, Fault>
  /** Removes such a copy. Fails with `storage.failed`. */
  readonly remove: (path: string) => Effect.Effect<void, Fault>
}

/** Looks for a chart in pictures, in a process of its own. */
export interface ChartFinder {
  /**
   * picture: JPEG or PNG. corners: of the chart, from that of its first patch on, clockwise; none: it is looked for.
   * Fails with `chart.not_found`, `media.invalid`, `device.failed`.
   */
  readonly find: (picture: Uint8Array, corners: readonly PixelPoint[] | null) => Effect.Effect<ChartLook, Fault>
  /** A picture as it arrives, all of it; `media.invalid`, `request.timeout`, `request.malformed`. */
  readonly receive: (bytes: Arriving) => Promise<Uint8Array | Fault>
}

/** The tuning files. */
export const IPA = token<IpaPort>('ipa')

/** Who finds charts. */
export const CHART_FINDER = token<ChartFinder>('chart-finder')
