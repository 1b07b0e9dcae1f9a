// Reading JSON bodies: as strict as RFC 8259 allows and bounded in depth and width, so that what is validated is what
// was sent.
import type { Fault } from '../../machines/errors/fault.ts'
import { quote } from '../../machines/schema/quote.ts'
import { fault } from '../problems/problem.ts'
import { flawOf } from './flaw.ts'
import { findLoneSurrogate } from './lone-surrogate.ts'
import { noTextFault } from './no-text.ts'
import { placeOf } from './place.ts'
import { findUnsafeKey } from './unsafe-key.ts'

/** Bodies above this are refused with `body.too_large`. */
export const MAX_BODY_BYTES = 1_048_576

/** A graph document is 6 deep; nothing sensible is deeper than this. */
const MAX_DEPTH = 32

/** Documents of this service have 40 at most. */
const MAX_KEYS = 1_000

const BYTE_ORDER_MARK = '\ufeff'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** What a reader makes of what no document of this service has. */
export interface JsonRules {
  /** A byte order mark at the beginning is read over, as editors write it. */
  readonly skipsMark: boolean
  /** Keys may be `__proto__`, and any number: whoever reads the value looks at those that it knows. */
  readonly takesAnyKeys: boolean
}

const STRICT: JsonRules = { skipsMark: false, takesAnyKeys: false }

/** For files that other programs have written. */
export const OF_OTHERS: JsonRules = { skipsMark: true, takesAnyKeys: true }

/**
 * Parses a body. Refuses beyond what JSON.parse does: broken UTF-8, lone surrogates, repeated keys, depth above 32,
 * and, unless the rules say otherwise, `__proto__` and objects of over 1000 keys.
 */
export const readJson = (body: Uint8Array, rules = STRICT): { readonly value: unknown } | Fault => {
  if (body.length === 0) return malformed('the body is missing: it is empty; send a JSON document')
  const whole = decoded(body)
  const text = rules.skipsMark && whole?.startsWith(BYTE_ORDER_MARK) ? whole.slice(1) : whole
  const parsed = text === undefined ? undefined : parse(text)
  if (text === undefined || !parsed)
    return noTextFault(body, text !== undefined) ?? malformed(complaintAbout(text as string))
  const complaint = examine(parsed.value, text, rules)
  return complaint ? malformed(complaint) : parsed
}

const complaintAbout = (text: string): string =>
  text.trim() === ''
    ? 'the body is missing: it holds nothing but blanks; send a JSON document'
    : `the body is not JSON: ${flawOf(text, MAX_DEPTH)}`

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
 * Only that a key stood twice cannot be seen in the value. But each key has a colon behind it: a text with more colons
 * than the value has keys has some within strings, or a key that was overwritten, and only then is it read again.
 */
const examine = (value: unknown, text: string, { takesAnyKeys }: JsonRules): string | undefined => {
  const found = new Findings(text, takesAnyKeys)
  found.walk(value, 1)
  if (found.complaint) return found.complaint(text)
  const odd = hasMoreColons(text, found.keys) ? findUnsafeKey(text, takesAnyKeys) : undefined
  return odd && complaintAboutKey(text, odd)
}

const complaintAboutKey = (text: string, { key, at }: { readonly key: string; readonly at: number }): string => {
  const what = key === '__proto__' ? 'is not possible' : 'stands twice in one object'
  return `${placeOf(text, at)}: the key ${quote(key)} ${what}`
}

const hasMoreColons = (text: string, than: number): boolean => {
  let count = 0
  for (let at = text.indexOf(':'); at >= 0 && count <= than; at = text.indexOf(':', at + 1)) count += 1
  return count > than
}

const TOO_DEEP = (text: string) => flawOf(text, MAX_DEPTH)
const TOO_WIDE = () => `an object in the body has more than ${MAX_KEYS} keys`
const PROTOTYPE = (text: string) => complaintAboutKey(text, findUnsafeKey(text) ?? { key: '__proto__', at: 0 })
const HALF_PAIR = (text: string) => `${placeOf(text, findLoneSurrogate(text))}: a string holds half of a surrogate pair`

/** What a parsed value holds that a body must not, and how many keys it has. */
class Findings {
  keys = 0
  /** Says it, with the place in the text. */
  complaint: ((text: string) => string) | undefined
  /** Without an escape no string can hold half of a surrogate pair. */
  readonly #isEscaped: boolean
  readonly #takesAnyKeys: boolean

  constructor(text: string, takesAnyKeys: boolean) {
    this.#takesAnyKeys = takesAnyKeys
    this.#isEscaped = text.includes('\\u')
  }

  /** depth: of the value, from 1. Goes no deeper than what may be. */
  walk(value: unknown, depth: number): void {
    if (typeof value === 'string') this.#lookAtText(value)
    else if (typeof value !== 'object' || value === null || this.complaint) return
    else if (depth > MAX_DEPTH) this.complaint = TOO_DEEP
    else if (Array.isArray(value)) {
      for (const each of value) if (typeof each === 'object' || typeof each === 'string') this.walk(each, depth + 1)
    } else this.#walkObject(value, depth)
  }

  #walkObject(value: object, depth: number): void {
    const keys = Object.keys(value)
    this.keys += keys.length
    if (keys.length > MAX_KEYS && !this.#takesAnyKeys) this.complaint = TOO_WIDE
    for (const key of keys) {
      if (this.complaint) return
      this.#lookAtText(key)
      if (key === '__proto__' && !this.#takesAnyKeys) this.complaint = PROTOTYPE
      this.walk((value as Record<string, unknown>)[key], depth + 1)
    }
  }

  #lookAtText(text: string): void {
    if (this.#isEscaped && !text.isWellFormed()) this.complaint ??= HALF_PAIR
  }
}
