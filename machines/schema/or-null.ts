// A value, or null where there is none.
import type { TSchema } from 'typebox'
import Type from './type.ts'

/** Whatever the schema takes, or null. description: of both. */
export const orNull = <Schema extends TSchema>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description })
