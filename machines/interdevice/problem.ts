// What another device says when it refuses something: the one reading of it, whatever was asked.
import { type FaultCode, isFaultCode } from '../errors/catalogue.ts'
import { jsonIn } from '../schema/json.ts'

const LONGEST_DETAIL = 400
const ABOUT_WHO_ASKS: ReadonlySet<number> = new Set([401, 403])
const [FIRST_REFUSAL, LAST_REFUSAL] = [400, 599]

/**
 * A refusal, as far as it is understood.
 *
 * code: undefined: it says none that is known here. detail: a sentence of 400 characters at most; undefined: it says none. isWhole: it is a problem document about this answer, with whatever
 * code, so that it may be passed on as it is. refusesUs: it speaks of who asks, and not of what was asked; to others it must not look like a refusal of this device.
 */
export interface HeardProblem {
  readonly code: FaultCode | undefined
  readonly detail: string | undefined
  readonly isWhole: boolean
  readonly refusesUs: boolean
}

/** Reads an answer that is no success. body: whatever came of it. */
export const problemIn = (status: number, body: string): HeardProblem => {
  const { code, detail, status: said } = membersIn(body)
  const isRefusal = status >= FIRST_REFUSAL && status <= LAST_REFUSAL
  return {
    code: isFaultCode(code) ? code : undefined,
    detail: typeof detail === 'string' ? detail.slice(0, LONGEST_DETAIL) : undefined,
    isWhole: isRefusal && said === status && typeof code === 'string' && typeof detail === 'string',
    refusesUs: ABOUT_WHO_ASKS.has(status),
  }
}

const membersIn = (body: string): Readonly<Record<string, unknown>> => {
  const document = jsonIn(body)
  return typeof document === 'object' && document !== null ? (document as Readonly<Record<string, unknown>>) : {}
}
