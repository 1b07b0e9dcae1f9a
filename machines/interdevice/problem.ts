// Reads the refusal of another device, whatever was asked.
import { type FaultCode, isFaultCode } from '../errors/catalogue.ts'
import { jsonIn } from '../schema/json.ts'
import { inSentence } from '../schema/quote.ts'

const MAX_DETAIL_LENGTH = 400
const ABOUT_WHO_ASKS: ReadonlySet<number> = new Set([401, 403])
const [FIRST_REFUSAL, LAST_REFUSAL] = [400, 599]

/** A refusal, as far as it is understood. */
export interface HeardProblem {
  /** Undefined: it says none that is known here. */
  readonly code: FaultCode | undefined
  /** The code as it is said, known or not. */
  readonly said: string | undefined
  /** A sentence of 400 characters at most; undefined: it says none. */
  readonly detail: string | undefined
  /** It is a problem document about this answer, with whatever code, so that it may be passed on as it is. */
  readonly isWhole: boolean
  /** It speaks of who asks, and not of what was asked; to others it must not look like a refusal of this device. */
  readonly refusesUs: boolean
}

/** Whether a refusal speaks of who asks, as far as its status tells. */
export const isAboutWhoAsks = (status: number): boolean => ABOUT_WHO_ASKS.has(status)

/** Reads an answer that is no success. body: whatever came of it. */
export const problemIn = (status: number, body: string): HeardProblem => {
  const { code, detail, status: itself } = membersIn(body)
  const isRefusal = status >= FIRST_REFUSAL && status <= LAST_REFUSAL
  return {
    code: isFaultCode(code) ? code : undefined,
    said: typeof code === 'string' ? code : undefined,
    detail: typeof detail === 'string' ? inSentence(detail.slice(0, MAX_DETAIL_LENGTH)) : undefined,
    isWhole: isRefusal && itself === status && typeof code === 'string' && typeof detail === 'string',
    refusesUs: isAboutWhoAsks(status),
  }
}

const membersIn = (body: string): Readonly<Record<string, unknown>> => {
  const document = jsonIn(body)
  return typeof document === 'object' && document !== null ? (document as Readonly<Record<string, unknown>>) : {}
}
