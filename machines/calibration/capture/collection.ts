// The captures that are under way, or wait to be solved: one of each stream.
import { quote } from '../../schema/quote.ts'
import { collection } from '../../settings/collection.ts'
import { captureChanged } from '../events.ts'
import { CaptureId, KeptCapture } from './capture.ts'

export const captureCollection = collection({
  name: 'captures',
  id: CaptureId,
  schema: KeptCapture,
  limit: 32,
  changed: captureChanged,
  notFound: (id) => ({
    code: 'calibration.capture_not_found',
    detail: `there is no capture ${quote(id)}; GET /v1/calibration/captures lists them`,
  }),
})

const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567'
const SEEDS = [0x811c9dc5, 0x01234567] as const
const PRIME = 0x01000193
const LETTERS_OF_EACH = 4
const BITS = 5

/** The id of the capture of a stream: the same each time, so that two at once are not possible. */
export const captureIdOf = (stream_id: string): string => {
  const letters = SEEDS.flatMap((seed) => {
    const hash = [...stream_id].reduce<number>(
      (so, each) => Math.imul(so ^ (each.codePointAt(0) ?? 0), PRIME) >>> 0,
      seed,
    )
    return Array.from({ length: LETTERS_OF_EACH }, (_, at) => LETTERS[(hash >>> (at * BITS + BITS)) & 31])
  })
  return `cap-${letters.join('')}`
}
