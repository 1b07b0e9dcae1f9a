// Limits how many hosts are looked up at a time for strangers.
import type { Fault } from '../../machines/errors/fault.ts'
import type { Lookup } from './lookup.ts'

/**
 * Takes looks, `most` of them at a time; further ones are `busy`.
 *
 * A look ends in time, the lookup of its name does not: such lookups would pile up, and the robot's own name would wait
 * behind them. So a look keeps its place until both have ended.
 */
export const limitConcurrentLookups = (most: number, lookup: Lookup, busy: Fault) => {
  let looks = 0
  return async <Seen>(take: (lookup: Lookup) => Promise<Seen | Fault>): Promise<Seen | Fault> => {
    if (looks >= most) return busy
    looks += 1
    let holders = 1
    const release = () => {
      holders -= 1
      if (holders === 0) looks -= 1
    }
    const holding: Lookup = (host, options, found) => {
      holders += 1
      lookup(host, options, (...answer) => {
        release()
        found(...answer)
      })
    }
    try {
      return await take(holding)
    } finally {
      release()
    }
  }
}
