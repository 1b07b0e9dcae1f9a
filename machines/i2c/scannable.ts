// The bus that somebody wants to have scanned, or why it is not.
import type { Fault } from '../errors/fault.ts'
import { NO_ADAPTER } from './inventory.ts'
import type { I2cAdapterFacts, I2cReading } from './reading.ts'
import { scanRule } from './scan-rules.ts'

/** What is scanned. */
export interface WantedScan {
  /** Its number. */
  readonly adapter: number
  /** Also one of which nothing is known. */
  readonly force: boolean
}

/** Why it is not. */
export type ScanRefusal = Fault & { readonly code: 'i2c.unavailable' | 'i2c.not_found' | 'i2c.refused' }

/** Finds it. */
export const scannable = (reading: I2cReading, { adapter, force }: WantedScan): I2cAdapterFacts | ScanRefusal => {
  if (reading.length === 0) return NO_ADAPTER
  const found = reading.find(({ number }) => number === adapter)
  if (!found) {
    const there = reading.map(({ number }) => `i2c-${number}`).join(', ')
    return { code: 'i2c.not_found', detail: `there is no bus i2c-${adapter}; there are ${there}` }
  }
  const { word, why } = scanRule(found, reading)
  const name = `i2c-${adapter} (${found.name})`
  if (word === 'allowed' || (word === 'unknown' && force)) return found
  if (word === 'not_possible') return { code: 'i2c.unavailable', detail: `${name} cannot be scanned: ${why}` }
  const how = word === 'unknown' ? 'scanned by `force` alone' : 'never scanned'
  return { code: 'i2c.refused', detail: `${name} is ${how}: ${why}` }
}
