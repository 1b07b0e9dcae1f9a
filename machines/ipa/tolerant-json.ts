// JSON as libcamera reads it, with the place of each value in the text. A comma before a closing bracket is none's
// business: shipped tuning files have some, and JSON.parse refuses them.

/** A value, and where it stands: from its first character to after its last. */
export type JsonNode = JsonObject | JsonArray | JsonLeaf

interface Placed {
  readonly start: number
  readonly end: number
}

/** An object, its keys in order; one may be there twice. */
export interface JsonObject extends Placed {
  readonly kind: 'object'
  readonly entries: readonly { readonly key: string; readonly value: JsonNode }[]
}

/** A list. */
export interface JsonArray extends Placed {
  readonly kind: 'array'
  readonly items: readonly JsonNode[]
}

/** Anything else. */
export interface JsonLeaf extends Placed {
  readonly kind: 'leaf'
  readonly value: string | number | boolean | null
}

/** Where a text is no JSON. */
export interface JsonFlaw {
  readonly flaw: string
}

const MAX_DEPTH = 64
const BLANK = /[ \t\r\n]*/y
const LEAF = /"(?:[^"\\\n]|\\[^\n])*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

class NotJson extends Error {}

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  whole(): JsonNode {
    const node = this.#value(0)
    this.#skip(BLANK)
    if (this.#at < this.#text.length) this.#fail('nothing more')
    return node
  }

  #skip(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const [found = ''] = pattern.exec(this.#text) ?? []
    this.#at += found.length
    return found
  }

  #fail(expected: string): never {
    const before = this.#text.slice(0, this.#at).split('\n')
    throw new NotJson(`line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: expected ${expected}`)
  }

  #takes(letter: string): boolean {
    this.#skip(BLANK)
    if (this.#text[this.#at] !== letter) return false
    this.#at += 1
    return true
  }

  #leaf(): JsonLeaf {
    const start = this.#at
    const found = this.#skip(LEAF)
    if (found === '') this.#fail('a value')
    return { kind: 'leaf', start, end: this.#at, value: this.#read(found) }
  }

  #read(found: string): JsonLeaf['value'] {
    try {
      return JSON.parse(found) as JsonLeaf['value']
    } catch {
      return this.#fail('another text or number')
    }
  }

  #value(depth: number): JsonNode {
    if (depth > MAX_DEPTH) this.#fail(`at most ${MAX_DEPTH} levels`)
    this.#skip(BLANK)
    const start = this.#at
    if (this.#takes('{')) {
      const entries = this.#until('}', () => this.#entry(depth))
      return { kind: 'object', start, end: this.#at, entries }
    }
    if (this.#takes('[')) {
      const items = this.#until(']', () => this.#value(depth + 1))
      return { kind: 'array', start, end: this.#at, items }
    }
    return this.#leaf()
  }

  #entry(depth: number) {
    this.#skip(BLANK)
    const { value: key } = this.#leaf()
    if (typeof key !== 'string') this.#fail('a key before this')
    if (!this.#takes(':')) this.#fail('a colon')
    return { key, value: this.#value(depth + 1) }
  }

  #until<Item>(closing: string, read: () => Item): readonly Item[] {
    const all: Item[] = []
    while (!this.#takes(closing)) {
      all.push(read())
      if (this.#takes(',')) continue
      if (!this.#takes(closing)) this.#fail(`a comma or ${closing}`)
      break
    }
    return all
  }
}

/** Reads a text, or says where it is no JSON. */
export const readTolerantJson = (text: string): JsonNode | JsonFlaw => {
  try {
    return new Reader(text).whole()
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    return { flaw: error.message }
  }
}

/** The value of a key; of one that is there twice the last, as others read it. */
export const entryOf = (node: JsonNode | undefined, key: string): JsonNode | undefined =>
  node?.kind === 'object' ? node.entries.findLast((entry) => entry.key === key)?.value : undefined

/** The number that a node is. */
export const numberOf = (node: JsonNode | undefined): number | undefined =>
  node?.kind === 'leaf' && typeof node.value === 'number' ? node.value : undefined

/** The numbers of a list of nothing else. */
export const numbersOf = (node: JsonNode | undefined): readonly number[] | undefined => {
  if (node?.kind !== 'array') return undefined
  const all = node.items.map(numberOf)
  return all.every((each) => each !== undefined) ? all : undefined
}
