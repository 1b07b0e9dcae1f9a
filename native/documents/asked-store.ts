// The interface of an open store, in this thread or in another.
import type * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import type { Fault } from '../../machines/errors/fault.ts'
import type { Operations, StoreFile } from './sqlite-store.ts'

/** An open store that answers one request after the other. faults: what went wrong on opening without stopping it. */
export interface AskedStore {
  readonly faults: readonly Fault[]
  readonly ask: <Name extends keyof Operations>(
    name: Name,
    ...values: Parameters<Operations[Name]>
  ) => Effect.Effect<ReturnType<Operations[Name]>, Fault>
}

/** How a store is opened; it is closed with the scope. */
export type OpenStore = (where: StoreFile) => Effect.Effect<AskedStore, Fault, Scope.Scope>
