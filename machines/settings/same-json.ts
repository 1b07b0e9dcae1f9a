// Whether two documents say the same.

/** Whether two JSON values are equal; the order of an object's keys says nothing. */
export const isSameJson = (a: unknown, b: unknown): boolean => {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  const [keys, others] = [Object.keys(a), Object.keys(b)]
  if (Array.isArray(a) !== Array.isArray(b) || keys.length !== others.length) return false
  return keys.every((key) => Object.hasOwn(b, key) && isSameJson((a as Parts)[key], (b as Parts)[key]))
}

type Parts = Readonly<Record<string, unknown>>
