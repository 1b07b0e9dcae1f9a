// Builds schemas: the few builders of typebox that the product uses, with its types and its results.
//
// To import typebox itself loads 370 files, for the types of a language that nobody speaks here: 22 MB of memory and a quarter of a second of computing at
// each start. Its checks (`typebox/schema`) read any JSON Schema.
import type { TSchema, Type as TypeBox } from 'typebox'

type Schema = Record<string, unknown>

const OPTIONAL = '~optional' // as typebox marks a property that may be missing; no part of the JSON

const withMark = (schema: Schema): Schema => Object.defineProperty({ ...schema }, OPTIONAL, { value: true })
const withoutMark = (schema: Schema): Schema => ({ ...schema })
const isOptional = (schema: Schema): boolean => OPTIONAL in schema

const object = (properties: Readonly<Record<string, Schema>>, options?: Schema): Schema => {
  const required = Object.keys(properties).filter((key) => !isOptional(properties[key] as Schema))
  return { type: 'object', ...(required.length > 0 && { required }), properties, ...options }
}

const partial = ({ properties }: { properties: Readonly<Record<string, Schema>> }, options?: Schema): Schema =>
  object(Object.fromEntries(Object.entries(properties).map(([key, schema]) => [key, withMark(schema)])), options)

const ANY_KEY = '^.*$'

const record = (key: Schema, value: Schema, options?: Schema): Schema => ({
  type: 'object',
  patternProperties: { [String(key.pattern ?? ANY_KEY)]: value },
  ...options,
})

const simple =
  (type: string) =>
  (options?: Schema): Schema => ({ type, ...options })

const Type = {
  Object: object as unknown as typeof TypeBox.Object,
  Optional: withMark as unknown as typeof TypeBox.Optional,
  Partial: partial as unknown as typeof TypeBox.Partial,
  Record: record as unknown as typeof TypeBox.Record,
  String: simple('string') as unknown as typeof TypeBox.String,
  Number: simple('number') as unknown as typeof TypeBox.Number,
  Integer: simple('integer') as unknown as typeof TypeBox.Integer,
  Boolean: simple('boolean') as unknown as typeof TypeBox.Boolean,
  Null: simple('null') as unknown as typeof TypeBox.Null,
  Unknown: withoutMark as unknown as typeof TypeBox.Unknown,
  Unsafe: withoutMark as unknown as typeof TypeBox.Unsafe,
  Array: ((items: TSchema, options?: Schema) => ({
    type: 'array',
    items,
    ...options,
  })) as unknown as typeof TypeBox.Array,
  Union: ((anyOf: TSchema[], options?: Schema) => ({ anyOf, ...options })) as unknown as typeof TypeBox.Union,
  Enum: ((values: unknown[], options?: Schema) => ({ enum: values, ...options })) as unknown as typeof TypeBox.Enum,
  Literal: ((value: unknown, options?: Schema) => ({
    type: typeof value,
    const: value,
    ...options,
  })) as unknown as typeof TypeBox.Literal,
}

export default Type
