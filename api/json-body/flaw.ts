// Where a text stops being JSON, in words. Asked only about texts that JSON.parse has refused, and whose depth is known to be small.
import { quote } from '../../machines/quote.ts'

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const FIRST_PRINTABLE = 0x20
const SPACES = [0x20, 0x0a, 0x0d, 0x09]
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const WORD = /[^\s,:[\]{}]{1,20}|[\s\S]/uy

/** A sentence with line and column, both from 1. Columns count UTF-16 units, as editors mostly do. */
export const flawOf = (text: string): string => {
  const { at, expected } = new Reader(text).read()
  let line = 1
  let start = 0 // of that line
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', start)) {
    line += 1
    start = end + 1
  }
  const where = `line ${line}, column ${at - start + 1}`
  if (at >= text.length) return `${where}: the text ends where ${expected} is expected`
  if (text.startsWith('\ufeff')) return `${where}: it begins with a byte order mark; leave that out`
  return `${where}: ${expected} is expected, not ${quote(match(WORD, text, at))}`
}

const match = (pattern: RegExp, text: string, at: number): string => {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}

interface Flaw {
  readonly at: number
  readonly expected: string
}

/** Reads as far as the text is JSON. */
class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  read(): Flaw {
    const flaw = this.#value('a value')
    this.#took(Number.NaN) // past what space is left
    return flaw ?? this.#flaw('the end of the text')
  }

  /** The flaw in the value that begins here; undefined behind a value without one. */
  #value(expected: string): Flaw | undefined {
    if (this.#took(OPEN_OBJECT)) return this.#members()
    if (this.#took(OPEN_LIST)) return this.#entries()
    if (this.#text.charCodeAt(this.#at) === QUOTE) return this.#string(expected)
    return this.#skip(SCALAR) ? undefined : this.#flaw(expected)
  }

  /** By hand: a pattern for whole strings would look for other ways to read a long one that has no end. */
  #string(expected: string): Flaw | undefined {
    if (!this.#took(QUOTE)) return this.#flaw(expected)
    for (;;) {
      const code = this.#text.charCodeAt(this.#at)
      if (code === QUOTE) break
      if (code === BACKSLASH) {
        if (!this.#skip(ESCAPE)) return this.#flaw('an escape such as \\" or \\n or \\u00e9')
      } else if (code >= FIRST_PRINTABLE) this.#at += 1
      else return this.#flaw(code < FIRST_PRINTABLE ? 'an escape for this character' : 'the closing quote of a string')
    }
    this.#at += 1
    return undefined
  }

  #members(): Flaw | undefined {
    if (this.#took(CLOSE_OBJECT)) return undefined
    for (;;) {
      const flaw = this.#string('a key in double quotes') ?? this.#colon() ?? this.#value('a value')
      if (flaw || this.#took(CLOSE_OBJECT)) return flaw
      if (!this.#took(COMMA)) return this.#flaw('a comma or }')
    }
  }

  #entries(): Flaw | undefined {
    if (this.#took(CLOSE_LIST)) return undefined
    for (;;) {
      const flaw = this.#value('a value')
      if (flaw || this.#took(CLOSE_LIST)) return flaw
      if (!this.#took(COMMA)) return this.#flaw('a comma or ]')
    }
  }

  #colon(): Flaw | undefined {
    return this.#took(COLON) ? undefined : this.#flaw('a colon')
  }

  /** Past a sign, when it comes next; past the space before it in any case. */
  #took(sign: number): boolean {
    let code = this.#text.charCodeAt(this.#at)
    while (SPACES.includes(code)) code = this.#text.charCodeAt(++this.#at)
    if (code !== sign) return false
    this.#at += 1
    return true
  }

  #skip(pattern: RegExp): boolean {
    const found = match(pattern, this.#text, this.#at)
    this.#at += found.length
    return found.length > 0
  }

  #flaw(expected: string): Flaw {
    return { at: this.#at, expected }
  }
}
