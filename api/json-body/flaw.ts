// Finds where a text stops being JSON, and says it in words. Called only for texts that were refused.
import { quote } from '../../machines/schema/quote.ts'
import { placeOf } from './place.ts'

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const FIRST_PRINTABLE = 0x20
const BLANK = 0x20
const SPACES = [0x20, 0x0a, 0x0d, 0x09]
const SPACE = /[ \t\n\r]*/y
const LETTER_E = 0x65
const LOWER_CASE = 0x20
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const WORDS = ['true', 'false', 'null']
const FRACTION = /(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const PLAIN = /[ !#-[\]-\uffff]*/y // all but quotes, backslashes and control characters
const ESCAPE_LENGTH = 2 // the digits of \u are plain
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const TOKEN = /[^\s,:[\]{}]{1,20}|[\s\S]/uy

/** A sentence with line and column. Looks no deeper than `deepest`. */
export const flawOf = (text: string, deepest: number): string => {
  const { at, expected } = new Reader(text, deepest).read()
  const where = placeOf(text, at)
  if (at >= text.length) return `${where}: the text ends where ${expected} is expected`
  if (text.startsWith('\ufeff')) return `${where}: it begins with a byte order mark; leave that out`
  return `${where}: ${expected} is expected, not ${quote(match(TOKEN, text, at))}`
}

const match = (pattern: RegExp, text: string, at: number): string => {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE

/** What a string does not go on with; NaN behind the end of the text. */
const expectedInString = (code: number): string => {
  if (code === BACKSLASH) return 'an escape such as \\" or \\n or \\u00e9'
  return code < FIRST_PRINTABLE ? 'an escape for this character' : 'the closing quote of a string'
}

interface Flaw {
  readonly at: number
  readonly expected: string
}

/** Reads as far as the text is JSON. */
class Reader {
  readonly #text: string
  readonly #deepest: number
  #at = 0
  #depth = 0

  constructor(text: string, deepest: number) {
    this.#text = text
    this.#deepest = deepest
  }

  read(): Flaw {
    const flaw = this.#value('a value')
    this.#next() // past what space is left
    return flaw ?? this.#flaw('the end of the text')
  }

  /** The flaw in the value that begins here; undefined behind a value without one. */
  #value(expected: string): Flaw | undefined {
    const code = this.#next()
    if (code === OPEN_OBJECT || code === OPEN_LIST) {
      const flaw = this.#deeper()
      this.#at += 1
      return flaw ?? (code === OPEN_OBJECT ? this.#members() : this.#entries())
    }
    if (code === QUOTE) return this.#string(expected)
    return this.#number() || this.#word() ? undefined : this.#flaw(expected)
  }

  /** Piece by piece: a pattern for whole strings would look for other ways to read a long one that has no end. */
  #string(expected: string): Flaw | undefined {
    if (!this.#took(QUOTE)) return this.#flaw(expected)
    const text = this.#text
    for (let at = this.#at; ; at += ESCAPE_LENGTH) {
      PLAIN.lastIndex = at
      PLAIN.test(text)
      at = PLAIN.lastIndex
      const code = text.charCodeAt(at)
      if (code === QUOTE) {
        this.#at = at + 1
        return undefined
      }
      if (code !== BACKSLASH || match(ESCAPE, text, at) === '') return { at, expected: expectedInString(code) }
    }
  }

  /** By hand: a body of numbers has hundreds of thousands. */
  #number(): boolean {
    const text = this.#text
    let at = this.#at
    if (text.charCodeAt(at) === MINUS) at += 1
    if (text.charCodeAt(at) === ZERO) at += 1
    else {
      const from = at
      while (isDigit(text.charCodeAt(at))) at += 1
      if (at === from) return false
    }
    const next = text.charCodeAt(at)
    this.#at = next === POINT || (next | LOWER_CASE) === LETTER_E ? at + match(FRACTION, text, at).length : at
    return true
  }

  #deeper(): Flaw | undefined {
    this.#depth += 1
    return this.#depth > this.#deepest ? this.#flaw(`a value no deeper than ${this.#deepest}`) : undefined
  }

  #members(): Flaw | undefined {
    if (this.#closed(CLOSE_OBJECT)) return undefined
    for (;;) {
      const flaw = this.#string('a key in double quotes') ?? this.#colon() ?? this.#value('a value')
      if (flaw || this.#closed(CLOSE_OBJECT)) return flaw
      if (!this.#took(COMMA)) return this.#flaw('a comma or }')
    }
  }

  #entries(): Flaw | undefined {
    if (this.#closed(CLOSE_LIST)) return undefined
    for (;;) {
      const flaw = this.#value('a value')
      if (flaw || this.#closed(CLOSE_LIST)) return flaw
      if (!this.#took(COMMA)) return this.#flaw('a comma or ]')
    }
  }

  #colon(): Flaw | undefined {
    return this.#took(COLON) ? undefined : this.#flaw('a colon')
  }

  #closed(sign: number): boolean {
    const isClosed = this.#took(sign)
    if (isClosed) this.#depth -= 1
    return isClosed
  }

  /** Past a sign, when it comes next; past the space before it in any case. */
  #took(sign: number): boolean {
    const isNext = this.#next() === sign
    if (isNext) this.#at += 1
    return isNext
  }

  /** What comes next that is no space. */
  #next(): number {
    const code = this.#text.charCodeAt(this.#at)
    if (!(code <= BLANK)) return code
    const behind = this.#text.charCodeAt(this.#at + 1)
    if (behind > BLANK && SPACES.includes(code)) {
      this.#at += 1
      return behind
    }
    SPACE.lastIndex = this.#at
    SPACE.test(this.#text)
    this.#at = SPACE.lastIndex
    return this.#text.charCodeAt(this.#at)
  }

  #word(): boolean {
    const word = WORDS.find((each) => this.#text.startsWith(each, this.#at))
    this.#at += word?.length ?? 0
    return word !== undefined
  }

  #flaw(expected: string): Flaw {
    return { at: this.#at, expected }
  }
}
