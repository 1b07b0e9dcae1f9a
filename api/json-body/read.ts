// Reading JSON bodies: as strict as RFC 8259 allows and bounded in depth and width, so that what is validated is what was sent.
import type { Fault } from '../../machines/errors/fault.ts'
import { quote } from '../../machines/schema/quote.ts'
import { fault } from '../problems/problem.ts'
import { flawOf } from './flaw.ts'
import { repeatedKey } from './repeated-key.ts'

/** Bodies above this are refused with `body.too_large`. */
export const MAX_BODY_BYTES = 1_048_576

/** A graph document is 6 deep; nothing sensible is deeper than this. */
const MAX_DEPTH = 32

/** Documents of this service have 40 at most. */
const MAX_KEYS = 1_000

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Parses a body. Refuses beyond what JSON.parse does: broken UTF-8, lone surrogates, repeated keys, `__proto__`, depth above 32, objects of over 1000 keys. */
export const readJson = (body: Uint8Array): { readonly value: unknown } | Fault => {
  if (body.length === 0) return malformed('the body is missing: it is empty; send a JSON document')
  const text = decoded(body)
  if (text === undefined) return malformed('the body is not UTF-8')
  const parsed = parse(text)
  if (!parsed) return malformed(`the body is not JSON: ${flawOf(text, MAX_DEPTH)}`)
  const complaint = examine(parsed.value, text)
  return complaint ? malformed(complaint) : parsed
}

const malformed = (detail: string): Fault => fault('body.malformed', detail)

const decoded = (body: Uint8Array): string | undefined => {
  try {
    return utf8.decode(body)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

const parse = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/**
 * Looks at what was parsed, since looking at the text again would cost several times as much as parsing it.
 *
 * Only that a key stood twice cannot be seen in the value. But each key has a colon behind it: a text with more colons than the value has keys has some
 * within strings, or a key that was overwritten, and only then is it read again.
 */
const examine = (value: unknown, text: string): string | undefined => {
  const found = new Findings(text)
  found.walk(value, 1)
  if (found.complaint) return found.complaint
  const repeated = hasMoreColons(text, found.keys) ? repeatedKey(text) : undefined
  return repeated === undefined ? undefined : `the key ${quote(repeated)} stands twice in one object`
}

const hasMoreColons = (text: string, than: number): boolean => {
  let count = 0
  for (let at = text.indexOf(':'); at >= 0 && count <= than; at = text.indexOf(':', at + 1)) count += 1
  return count > than
}

/** What a parsed value holds that a body must not, and how many keys it has. */
class Findings {
  keys = 0
  complaint: string | undefined
  /** Without an escape no string can hold half of a surrogate pair. */
  readonly #isEscaped: boolean

  constructor(text: string) {
    this.#isEscaped = text.includes('\\u')
  }

  /** depth: of the value, from 1. Goes no deeper than what may be. */
  walk(value: unknown, depth: number): void {
    if (typeof value === 'string') this.#lookAtText(value)
    else if (typeof value !== 'object' || value === null || this.complaint) return
    else if (depth > MAX_DEPTH) this.complaint = `the body is nested deeper than ${MAX_DEPTH}`
    else if (Array.isArray(value)) {
      for (const each of value) if (typeof each === 'object' || typeof each === 'string') this.walk(each, depth + 1)
    } else this.#walkObject(value, depth)
  }

  #walkObject(value: object, depth: number): void {
    const keys = Object.keys(value)
    this.keys += keys.length
    if (keys.length > MAX_KEYS) this.complaint = `an object in the body has more than ${MAX_KEYS} keys`
    for (const key of keys) {
      if (this.complaint) return
      this.#lookAtText(key)
      if (key === '__proto__') this.complaint = 'the key "__proto__" is not possible'
      this.walk((value as Record<string, unknown>)[key], depth + 1)
    }
  }

  #lookAtText(text: string): void {
    if (this.#isEscaped && !text.isWellFormed()) this.complaint ??= 'a string holds half of a surrogate pair'
  }
}
