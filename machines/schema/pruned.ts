// What is known here of documents of other devices, which may be newer.
import type { TSchema } from 'typebox'

/** What a schema says of the parts of its values. */
interface Parts {
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly items?: TSchema
  readonly anyOf?: readonly TSchema[]
  readonly enum?: readonly unknown[]
}

/**
 * A value without fields, and without entries of lists of enumerations, that its schema does not know. Where it may be
 * one of several objects, it stays as it is: nobody knows which.
 */
export const pruned = (schema: TSchema, value: unknown): unknown => {
  const { properties, items } = partsFor(schema, value)
  if (Array.isArray(value) && items) {
    const { enum: allowed } = items as Parts
    return allowed ? value.filter((each) => allowed.includes(each)) : value.map((each) => pruned(items, each))
  }
  if (!isRecord(value) || !properties) return value
  const known = Object.entries(properties).filter(([key]) => Object.hasOwn(value, key))
  return Object.fromEntries(known.map(([key, field]) => [key, pruned(field, value[key])]))
}

/** The one of several schemas that can be meant; none: there are more. */
const partsFor = (schema: TSchema, value: unknown): Parts => {
  const { anyOf } = schema as Parts
  if (!anyOf) return schema
  const [meant, ...others] = anyOf.filter((each) => Object.hasOwn(each, Array.isArray(value) ? 'items' : 'properties'))
  return meant && others.length === 0 ? meant : {}
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
