// A fault: what went wrong, as a value. Expected failure is returned or sent, never thrown.

import type { SchemaError } from '../schema/explain.ts'
import type { FaultCode } from './catalogue.ts'

/** A fault: something the world, or the caller, got wrong. */
export interface Fault {
  /** Stable key `thing.what`, of machines/errors/catalogue.ts. */
  readonly code: FaultCode
  /** A sentence for people: what happened and what to do. */
  readonly detail: string
  /** What it concerns (`streams/front`), the second half of the key under which the error history counts it. */
  readonly resource?: string
  /** RFC 6901 pointers into the request body, each with a sentence. */
  readonly errors?: readonly SchemaError[]
  /** Facts a program can use: `{ revision: 7 }` on a stale write. */
  readonly context?: Readonly<Record<string, unknown>>
}

/** The answer of an actor to a command. `refused`: wrong moment or argument. `failed`: the world said no. */
export type Reply<Value = unknown> =
  | { readonly type: 'reply'; readonly ask: number; readonly outcome: 'done'; readonly value?: Value }
  | { readonly type: 'reply'; readonly ask: number; readonly outcome: 'refused' | 'failed'; readonly fault: Fault }

export const isFault = (value: unknown): value is Fault =>
  typeof value === 'object' && value !== null && 'code' in value && 'detail' in value

/**
 * The fault in what an effect ended with (`event.error`); anything that is not one is a bug and becomes
 * `actor.crashed`.
 */
export const faultOf = (error: unknown): Fault =>
  isFault(error)
    ? error
    : { code: 'actor.crashed', detail: error instanceof Error ? `${error.name}: ${error.message}` : String(error) }
