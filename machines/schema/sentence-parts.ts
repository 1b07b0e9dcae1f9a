// Kinds and limits as words in a sentence.

import type { Keywords } from './keywords.ts'
import { quote } from './quote.ts'

/** `, not 3`. */
export const describeReceived = (value: unknown): string => `, not ${quote(value)}`

/** `"a" or "b"`. */
export const listAllowed = (values: readonly unknown[]): string => values.map(quote).join(' or ')

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
}

/** The kind of value that a schema takes. */
export const kindOf = (schema: Keywords): string =>
  'const' in schema
    ? quote(schema.const)
    : schema.enum
      ? listAllowed(schema.enum)
      : (KINDS[schema.type ?? ''] ?? 'something else')

/** The limit that a number breaks; undefined when it keeps them. */
export const brokenLimit = (schema: Keywords, value: number): string | undefined => {
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity } = schema
  if (value < minimum) return `at least ${minimum}`
  if (value > maximum) return `at most ${maximum}`
  return value <= exclusiveMinimum ? `above ${exclusiveMinimum}` : undefined
}

/** How many characters a text has (code points); counts no further than just beyond `most`. */
export const countCharacters = (text: string, most: number): number => {
  let count = 0
  for (const _character of text) if (++count > most) break
  return count
}
