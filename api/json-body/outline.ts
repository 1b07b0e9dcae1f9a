// The brackets and colons of a JSON text, counted in one pass and without a copy of anything. A text that is no JSON gets some outline too.

const QUOTE = 0x22
const COLON = 0x3a
const BACKSLASH = 0x5c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** Nothing deeper is counted: whoever asks has refused the text long before. */
const DEEPEST = 64

/** depth: of the deepest bracket (counted up to 64). keys: of the widest object. members: of all objects together. */
export interface Outline {
  readonly depth: number
  readonly keys: number
  readonly members: number
}

/** The outline of a text, as far as it is not deeper than 64. */
export const outlineOf = (text: string): Outline => {
  const keysAt = new Uint32Array(DEEPEST + 1)
  let depth = 0
  let deepest = 0
  let keys = 0
  let members = 0
  for (let at = 0; at < text.length && deepest < DEEPEST; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at)
        break
      case OPEN_LIST:
      case OPEN_OBJECT:
        depth += 1
        keysAt[depth] = 0
        if (depth > deepest) deepest = depth
        break
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        if (depth > 0) depth -= 1
        break
      case COLON: {
        members += 1
        const inThis = (keysAt[depth] ?? 0) + 1
        keysAt[depth] = inThis
        if (inThis > keys) keys = inThis
      }
    }
  }
  return { depth: deepest, keys, members }
}

/** So many characters are looked at one by one before the native search, which is faster only for long strings without escapes. */
const SHORT = 32

/** The closing quote of the string that begins at a quote; the end of the text when there is none. */
const endOfString = (text: string, from: number): number => {
  let at = from + 1
  while (at < text.length) {
    for (const far = at + SHORT; at < far; at++) {
      const code = text.charCodeAt(at)
      if (code === QUOTE) return at
      if (code === BACKSLASH) at += 1
    }
    const quote = text.indexOf('"', at)
    if (quote < 0) break
    if ((quote - firstOfRun(text, quote, at)) % 2 === 0) return quote
    at = quote + 1
  }
  return text.length
}

/** Where the run of backslashes before `end` begins, no further back than `from`. */
const firstOfRun = (text: string, end: number, from: number): number => {
  let at = end
  while (at > from && text.charCodeAt(at - 1) === BACKSLASH) at -= 1
  return at
}

/** The first key that stands twice in one object of a text that is known to be JSON and to have one. */
export const repeatedKey = (text: string): string => {
  const keysOfOpen: Set<string>[] = []
  let depth = 0
  let from = 0 // of the last string
  let to = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        from = at
        to = at = endOfString(text, at)
        break
      case OPEN_LIST:
      case OPEN_OBJECT:
        depth += 1
        if (keysOfOpen[depth]?.size !== 0) keysOfOpen[depth] = new Set()
        break
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth -= 1
        break
      case COLON: {
        const raw = text.slice(from, to + 1)
        const key = raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1)
        if (keysOfOpen[depth]?.has(key)) return key
        keysOfOpen[depth]?.add(key)
      }
    }
  }
  return ''
}
