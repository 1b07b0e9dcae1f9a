// Requests of the API that come from inside this service: of plugins, which are nobody outside.
import type { Latest } from '../latest.ts'
import { token } from '../token.ts'

/** Who asks. */
export interface InsideCaller {
  /** The name of the plugin. */
  readonly plugin: string
  /** The permissions that it was granted. */
  readonly granted: readonly string[]
}

/** What is asked. path: with its query. */
export interface InsideRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  /** A document; undefined: there is none. */
  readonly body?: unknown
}

/** media_type null: it has no body. */
export interface InsideAnswer {
  /** Whether it was done. */
  readonly ok: boolean
  readonly status: number
  readonly media_type: string | null
  readonly body: Uint8Array
}

/** Asks the server; never rejects. */
export type AskInside = (request: InsideRequest, caller: InsideCaller) => Promise<InsideAnswer>

/** Set by the server while it is there. */
export const INSIDE = token<Latest<AskInside | undefined>>('inside')
