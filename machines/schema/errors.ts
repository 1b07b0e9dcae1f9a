// Checking values against schemas, and saying what is wrong in words. The one voice for this: requests, stored
// documents, graphs, field maps.
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/schema'
import { explain, type SchemaError } from './explain.ts'

/** More would help nobody. */
export const MAX_ERRORS = 16

/**
 * A function that tells what is wrong with a value. It answers an empty list exactly when the value fits the schema:
 * the compiled check decides, and where the explanation finds no words of its own, one sentence says at least that the
 * value does not fit.
 *
 * Compiles on first use, 1 ms: most schemas are never needed in a run. At most MAX_ERRORS; the time they take grows
 * with the size of the value, never faster.
 */
export const validatorOf = (schema: TSchema): ((value: unknown) => readonly SchemaError[]) => {
  let compiled: Validator | undefined
  return (value) => {
    compiled ??= Compile(schema)
    if (compiled.Check(value)) return []
    const errors = explain(schema, value, MAX_ERRORS)
    return errors.length > 0 ? errors : [UNEXPLAINED]
  }
}

const UNEXPLAINED: SchemaError = { pointer: '', message: 'does not fit its schema' }

const validators = new WeakMap<TSchema, (value: unknown) => readonly SchemaError[]>()

/** What is wrong with one value, by the validator of its schema, which is kept. Pointers begin with `at`. */
export const schemaErrors = (schema: TSchema, value: unknown, at = ''): readonly SchemaError[] => {
  let validate = validators.get(schema)
  if (!validate) {
    validate = validatorOf(schema)
    validators.set(schema, validate)
  }
  const errors = validate(value)
  return at === '' ? errors : errors.map(({ pointer, message }) => ({ pointer: at + pointer, message }))
}

/**
 * The first of some errors as a sentence about `what`, and how many more there are: `/fps of the body must be a number,
 * not "30", and 2 more`.
 */
export const firstError = (errors: readonly SchemaError[], what: string): string => {
  const [first] = errors
  if (!first) return `${what} does not fit`
  const more = errors.length > 1 ? `, and ${errors.length - 1} more` : ''
  return `${first.pointer ? `${first.pointer} of ` : ''}${what} ${first.message}${more}`
}
