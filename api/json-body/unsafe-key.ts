// Finds a key that stands twice in an object, or is `__proto__`. Called only for texts that are JSON, and that probably
// have one.

const STRUCTURE = /[^"[\]{}:]*/y
const PLAIN = /[^"\\]*/y

/** The first such key and its index; undefined when there is none after all. takesPrototype: `__proto__` is none. */
export const findUnsafeKey = (
  text: string,
  takesPrototype = false,
): { readonly key: string; readonly at: number } | undefined => {
  const keysOfOpen: Set<string>[] = []
  let depth = 0
  let from = 0 // of the last string
  let to = 0
  for (let at = past(STRUCTURE, text, 0); at < text.length; at = past(STRUCTURE, text, at + 1)) {
    const sign = text[at]
    if (sign === '"') {
      from = at
      to = at = endOfString(text, at)
    } else if (sign === '[' || sign === '{') {
      depth += 1
      if (keysOfOpen[depth]?.size !== 0) keysOfOpen[depth] = new Set()
    } else if (sign === ':') {
      const raw = text.slice(from, to + 1)
      const key = raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1)
      if ((key === '__proto__' && !takesPrototype) || keysOfOpen[depth]?.has(key)) return { key, at: from }
      keysOfOpen[depth]?.add(key)
    } else depth -= 1
  }
  return undefined
}

/** Where a pattern that always fits ends. */
const past = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at
  pattern.test(text)
  return pattern.lastIndex
}

const endOfString = (text: string, from: number): number => {
  let at = past(PLAIN, text, from + 1)
  while (text[at] === '\\') at = past(PLAIN, text, at + 2)
  return at
}
