// Numbers as robot programs write them: double, float and int, alone or in lists. Whatever else stands in a topic is
// none.
import { quote } from '../../schema/quote.ts'

/**
 * The finite number in a value; undefined: it is something else. Integers beyond 2^53 come as bigint, and are rounded.
 */
export const numberIn = (value: unknown): number | undefined => {
  const number = typeof value === 'bigint' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number + 0 : undefined // no negative zero
}

/**
 * The finite numbers in a list of them; undefined: it is something else, or one of its entries is. A list of nothing is
 * one of numbers.
 */
export const numbersIn = (value: unknown): readonly number[] | undefined => {
  if (!Array.isArray(value) && !(value instanceof Float64Array)) return undefined
  const numbers = Array.from<unknown, number | undefined>(value, numberIn)
  return numbers.includes(undefined) ? undefined : (numbers as readonly number[])
}

const MAX_SHOWN = 6

/** A value in a sentence: numbers as they are, as far as they are few. */
export const shown = (value: unknown): string => {
  if (value instanceof Uint8Array) return `${value.length} bytes`
  if (!Array.isArray(value) && !(value instanceof Float64Array)) return quote(value)
  const { length } = value
  return length > MAX_SHOWN ? `a list of ${length}` : `[${Array.from<unknown, string>(value, quote).join(', ')}]`
}
