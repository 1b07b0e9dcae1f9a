// Values in sentences for people.

const MAX_QUOTE_LENGTH = 60

/**
 * Characters that would change how the sentence around them looks: control characters, marks of direction, line ends.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/**
 * A value, short enough for a sentence whatever it is: the beginning of a text, and of lists and objects only that they
 * are some.
 */
export const quote = (value: unknown): string => {
  if (typeof value === 'string') {
    const quoted = JSON.stringify(value.slice(0, MAX_QUOTE_LENGTH)).replace(UNSEEN, escaped)
    return value.length > MAX_QUOTE_LENGTH ? `${quoted}...` : quoted
  }
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}

/** Foreign text as a part of a sentence: in its own words, and unable to change what stands around it, in a log say. */
export const inSentence = (said: string): string => said.toWellFormed().replace(UNSEEN, escaped)

const escaped = (unseen: string): string => `\\u{${unseen.codePointAt(0)?.toString(16)}}`
