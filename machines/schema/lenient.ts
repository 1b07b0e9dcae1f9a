// Schemas for documents of other devices, which may be newer.
import type { TSchema } from 'typebox'

const lenients = new WeakMap<object, TSchema>()

/** The same schema, which minds no fields that it does not know. Made once. */
export const lenient = (schema: TSchema): TSchema => {
  const known = lenients.get(schema)
  if (known) return known
  const made = without(schema) as TSchema
  lenients.set(schema, made)
  return made
}

const without = (part: unknown): unknown => {
  if (Array.isArray(part)) return part.map(without)
  if (typeof part !== 'object' || part === null) return part
  const kept = Object.entries(part).filter(([key, value]) => key !== 'additionalProperties' || value !== false)
  return Object.fromEntries(kept.map(([key, value]) => [key, without(value)]))
}
