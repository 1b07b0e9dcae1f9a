// A name that is found when a test says so, with a clock that a test moves.
import type { LookupAddress } from 'node:dns'
import type { TestContext } from 'node:test'
import type { Lookup } from '../../../native/names/lookup.ts'

/** A lookup of names that waits for the test. */
export interface LateLookup {
  readonly lookup: Lookup
  /** Answers with an address. */
  readonly found: (address: string) => void
  /** Moves `nowMs` and all timeouts. */
  readonly tick: (ms: number) => void
  readonly nowMs: () => number
}

export const lateLookup = (t: TestContext): LateLookup => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let nowMs = 1_000
  let answer: (addresses: readonly LookupAddress[]) => void = () => {}
  return {
    lookup: (_host, _options, done) => {
      answer = (addresses) => (done as (error: null, found: readonly LookupAddress[]) => void)(null, addresses)
    },
    found: (address) => answer([{ address, family: 4 }]),
    tick: (ms) => {
      nowMs += ms
      t.mock.timers.tick(ms)
    },
    nowMs: () => nowMs,
  }
}
