// Values of D-Bus that carry their type.

/** A value with its signature: what a dictionary of settings holds, each entry of another type. */
export class DbusVariant {
  readonly signature: string
  readonly value: unknown

  constructor(signature: string, value: unknown) {
    this.signature = signature
    this.value = value
  }
}

/** The same value without signatures, all the way down: for whoever only reads. */
export const plainValue = (value: unknown): unknown => {
  if (value instanceof DbusVariant) return plainValue(value.value)
  return mapInside(value, plainValue)
}

/** Maps what arrays and dictionaries hold; anything else stays as it is. */
export const mapInside = (value: unknown, map: (inner: unknown) => unknown): unknown => {
  if (Array.isArray(value)) return value.map(map)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, map(inner)]))
}
