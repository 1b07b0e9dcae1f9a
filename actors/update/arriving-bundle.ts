// The bundle that is uploaded, as the rows of the API have it: its bytes go to the disk, and everybody sees how many.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { Latest } from '../../machines/latest.ts'
import type { UpdateFigures } from '../../machines/update/progress.ts'
import type { BundleStore } from '../../native/update/port.ts'
import type { ArrivingBundle } from './tokens.ts'

/** The store, without Effect. */
export const arrivingBundle = (store: BundleStore, progress: Latest<UpdateFigures>): ArrivingBundle => ({
  kept: () => resultOf(store.kept),
  append: (id, offset, body) =>
    resultOf(store.append(id, offset, body, (bytes, totalBytes) => progress.set({ bytes, totalBytes }))),
})

const resultOf = <Value>(work: Effect.Effect<Value, Fault>): Promise<Value | Fault> =>
  Effect.runPromise(Effect.catch(work, (fault) => Effect.succeed(fault)))
