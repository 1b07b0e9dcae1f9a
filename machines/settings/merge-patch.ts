// JSON Merge Patch, RFC 7396.

/** `patch` applied to `target`: objects are merged, null removes a key, anything else replaces. Neither is changed. */
export const mergePatch = (target: unknown, patch: unknown): unknown => {
  if (!isObject(patch)) return patch
  const kept = new Map(isObject(target) ? Object.entries(target) : [])
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) kept.delete(key)
    else kept.set(key, mergePatch(kept.get(key), value))
  }
  return Object.fromEntries(kept) // defines its keys, so `__proto__` is a key like any other
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
