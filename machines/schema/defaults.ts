// Documents with defaults: one schema says what they are when they are whole, another what a client may leave out of
// them.
import type { Static, TObject, TObjectOptions, TOptional, TProperties, TSchema } from 'typebox'
import Type from './type.ts'

/** A field that has a default. */
export type Defaulted<Schema extends TSchema = TSchema> = Schema & { readonly default: unknown }

/** The fields of an input: what has a default may be left out. */
export type InputFields<Fields extends TProperties> = {
  [Key in keyof Fields]: Fields[Key] extends { readonly default: unknown } ? TOptional<Fields[Key]> : Fields[Key]
}

/** A field of a whole document; where it is left out of an input, it is `value`. */
export const withDefault = <Schema extends TSchema>(schema: Schema, value: Static<Schema>): Defaulted<Schema> => ({
  ...schema,
  default: value,
})

/**
 * What a client may send, made from the fields of the whole document. The default is told in words: generated clients
 * take a field with the keyword `default` for one that is always there.
 */
export const inputOf = <Fields extends TProperties>(
  fields: Fields,
  options: TObjectOptions,
): TObject<InputFields<Fields>> =>
  Type.Object(
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, inputField(field)])),
    options,
  ) as TObject<InputFields<Fields>>

const inputField = (field: TSchema): TSchema => {
  if (!('default' in field)) return field
  const { default: value, description, ...rest } = field as Defaulted & { readonly description?: string }
  const told = [description, `Default: ${JSON.stringify(value)}.`].filter(Boolean).join(' ')
  return Type.Optional({ ...rest, description: told })
}

interface Parts {
  readonly properties?: Readonly<Record<string, Parts>>
  readonly items?: Parts
  readonly anyOf?: readonly Parts[]
  readonly const?: unknown
  readonly default?: unknown
}

/**
 * A value with the defaults of its schema where it has none. What does not fit the schema is left as it is, for the
 * check that comes after.
 */
export const filled = (schema: TSchema, value: unknown): unknown => fill(schema as Parts, value)

const fill = ({ properties, items, anyOf }: Parts, value: unknown): unknown => {
  if (Array.isArray(value)) return items ? value.map((each) => fill(items, each)) : value
  if (typeof value !== 'object' || value === null) return value
  const given = value as Readonly<Record<string, unknown>>
  const meant = anyOf?.find((branch) => isMeant(branch, given))
  if (meant) return fill(meant, value)
  if (!properties) return value
  const whole: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(properties)) {
    if (given[key] !== undefined) whole[key] = fill(field, given[key])
    else if (field.default !== undefined) whole[key] = copied(field.default)
  }
  for (const key of Object.keys(given)) if (!Object.hasOwn(properties, key)) setOwn(whole, key, given[key])
  return whole
}

/** Also a key like `__proto__`, which an assignment would take for something else. */
const setOwn = (object: object, key: string, value: unknown) =>
  Object.defineProperty(object, key, { value, configurable: true, enumerable: true, writable: true })

/** Most defaults are numbers, of which copying takes longer than all the rest. */
const copied = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? structuredClone(value) : value

/** The branch of a union whose literals fit, as `backend` does. */
const isMeant = ({ properties = {} }: Parts, given: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(properties).every(([key, field]) => !('const' in field) || field.const === given[key]) &&
  Object.values(properties).some((field) => 'const' in field)
