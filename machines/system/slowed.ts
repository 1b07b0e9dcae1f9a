// Why a processor is slower than it could be, of what the parts of a device say.
import { SLOWED_BY, type SlowedBy } from './metrics.ts'

/** Bits of the word that the firmware of a Raspberry Pi tells; the same 16 higher: at any time since the start. */
const FIRMWARE_BITS: Readonly<Record<SlowedBy, number>> = {
  'under-voltage': 0,
  'frequency-capped': 1,
  throttled: 2,
  'temperature-limit': 3,
}
const SINCE_START = 16

/** What is slowed down, now or since the start of the device. */
export interface Slowed {
  readonly now: readonly SlowedBy[]
  readonly since_start: readonly SlowedBy[]
}

/** The word of the firmware, as `50005` or `throttled=0x50005`; null: it is none. */
export const slowedByFirmware = (text: string | null): Slowed | null => {
  const [, digits] = /^(?:throttled=)?(?:0x)?([\da-f]{1,8})$/i.exec(text ?? '') ?? []
  if (digits === undefined) return null
  const word = Number.parseInt(digits, 16)
  const reasons = (shift: number) => SLOWED_BY.filter((each) => (word >> (FIRMWARE_BITS[each] + shift)) & 1)
  return { now: reasons(0), since_start: reasons(SINCE_START) }
}

/** All reasons that any part gives, each once, in their order; null: no part tells any. */
export const slowedByAny = (parts: readonly (Slowed | null)[]): Slowed | null => {
  const told = parts.filter((each) => each !== null)
  if (told.length === 0) return null
  const among = (sort: keyof Slowed) => SLOWED_BY.filter((each) => told.some((part) => part[sort].includes(each)))
  const now = among('now')
  const before = among('since_start')
  return { now, since_start: SLOWED_BY.filter((each) => now.includes(each) || before.includes(each)) }
}
