// Values of NT4 as JSON can hold them: numbers that JSON has no form for are texts.

/**
 * What stands on the wire: an integer that a number would round as a decimal text; `NaN`, `Infinity` and `-Infinity` as
 * texts; bytes in base64.
 */
export type JsonValue = boolean | number | string | readonly JsonValue[] | { readonly [field: string]: JsonValue }

/** Puts a value into a form that JSON holds. Bytes are the caller's to turn into text. */
export const jsonValue = (value: unknown): JsonValue => {
  if (typeof value === 'bigint') return isExact(value) ? Number(value) : value.toString()
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value === 'boolean' || typeof value === 'string') return value
  if (value instanceof Float64Array || Array.isArray(value)) return Array.from(value, jsonValue)
  return Object.fromEntries(Object.entries(value as object).map(([name, each]) => [name, jsonValue(each)]))
}

const isExact = (value: bigint): boolean =>
  value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= BigInt(Number.MIN_SAFE_INTEGER)
