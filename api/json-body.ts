// Reading JSON bodies: as strict as RFC 8259 allows, with a bound on depth, so that what is validated is what was sent.
import type { Fault } from '../machines/fault.ts'
import { fault } from './problem.ts'

/** Bodies above this are refused with `body.too_large`. */
export const MAX_BODY_BYTES = 1_048_576

/** A graph document is 6 deep; nothing sensible is deeper than this. */
const MAX_DEPTH = 32

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Parses a body. Beyond what JSON.parse refuses: broken UTF-8, lone surrogates, repeated keys, `__proto__`, and depth above 32. */
export const readJson = (body: Uint8Array): { readonly value: unknown } | Fault => {
  if (body.length === 0) return malformed('the body is empty; send a JSON document, or no content-type')
  try {
    const text = utf8.decode(body)
    const value: unknown = JSON.parse(text)
    const complaint = examine(text)
    return complaint ? malformed(complaint) : { value }
  } catch (error) {
    if (error instanceof SyntaxError) return malformed(error.message)
    if (error instanceof TypeError) return malformed('the body is not UTF-8')
    throw error
  }
}

const malformed = (detail: string): Fault => fault('body.malformed', detail)

const TOKENS = /"(?:[^"\\]+|\\.)*"|[{}[\]:]/g

/** Walks the brackets, keys and strings of a text that JSON.parse has accepted. */
const examine = (text: string): string | undefined => {
  const keysOfOpenObjects: (Set<string> | undefined)[] = [] // undefined: an array
  let lastString = ''
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') {
      if (keysOfOpenObjects.push(token === '{' ? new Set() : undefined) > MAX_DEPTH)
        return `it is nested deeper than ${MAX_DEPTH}`
    } else if (token === '}' || token === ']') {
      keysOfOpenObjects.pop()
    } else if (token === ':') {
      const keys = keysOfOpenObjects.at(-1) as Set<string>
      if (lastString === '__proto__') return 'the key "__proto__" is not possible'
      if (keys.has(lastString)) return `the key ${JSON.stringify(lastString)} stands twice in one object`
      keys.add(lastString)
    } else {
      lastString = JSON.parse(token) as string
      if (!lastString.isWellFormed()) return 'a string holds half of a surrogate pair'
    }
  }
  return undefined
}
