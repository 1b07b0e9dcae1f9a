// Reading JSON bodies: as strict as RFC 8259 allows and bounded in depth and width, so that what is validated is what was sent.
import type { Fault } from '../machines/fault.ts'
import { quote } from '../machines/quote.ts'
import { flawOf } from './json-body/flaw.ts'
import { outlineOf, repeatedKey } from './json-body/outline.ts'
import { fault } from './problem.ts'

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
  const outline = outlineOf(text)
  if (outline.depth > MAX_DEPTH) return malformed(`the body is nested deeper than ${MAX_DEPTH}`)
  if (outline.keys > MAX_KEYS) return malformed(`an object in the body has more than ${MAX_KEYS} keys`)
  const parsed = parse(text)
  if (!parsed) return malformed(`the body is not JSON: ${flawOf(text)}`)
  const complaint = examine(parsed.value, text, outline.members)
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

/** members: how many the text has; when the value has fewer, one was overwritten by another of its name. */
const examine = (value: unknown, text: string, members: number): string | undefined => {
  const found = new Findings(text)
  found.walk(value)
  if (found.complaint) return found.complaint
  return found.members < members ? `the key ${quote(repeatedKey(text))} stands twice in one object` : undefined
}

/** What a parsed value holds that a body must not. */
class Findings {
  members = 0
  complaint: string | undefined
  /** Without an escape no string can hold half of a pair, and no key can hide. */
  readonly #isEscaped: boolean
  readonly #mayNameProto: boolean

  constructor(text: string) {
    this.#isEscaped = text.includes('\\u')
    this.#mayNameProto = this.#isEscaped || text.includes('__proto__')
  }

  /** Recursive: the depth of the text is known to be small. */
  walk(value: unknown): void {
    if (typeof value === 'string') {
      if (this.#isEscaped) this.#checkText(value)
    } else if (Array.isArray(value)) {
      for (const each of value) if (typeof each === 'object' || typeof each === 'string') this.walk(each)
    } else if (typeof value === 'object' && value !== null) this.#walkObject(value)
  }

  #walkObject(value: object): void {
    const keys = Object.keys(value)
    this.members += keys.length
    for (const key of keys) {
      if (this.#isEscaped) this.#checkText(key)
      if (this.#mayNameProto && key === '__proto__') this.complaint ??= 'the key "__proto__" is not possible'
      this.walk((value as Record<string, unknown>)[key])
    }
  }

  #checkText(text: string): void {
    if (!text.isWellFormed()) this.complaint ??= 'a string holds half of a surrogate pair'
  }
}
