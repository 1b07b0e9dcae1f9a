// What is wrong with a value, in sentences: the schema library's findings with one entry per place and the offending value named.
import type { TSchema } from 'typebox'
import { Errors } from 'typebox/value'

/** A place in a document (RFC 6901) and what is wrong there. */
export interface SchemaError {
  readonly pointer: string
  readonly message: string
}

/** Everything that keeps `value` from fitting `schema`; empty when it fits. Pointers begin with `at`. */
export const schemaErrors = (schema: TSchema, value: unknown, at = ''): readonly SchemaError[] => {
  const found: SchemaError[] = []
  for (const error of Errors(schema, value)) {
    if (insideUnion.test(error.schemaPath) || error.keyword === 'additionalProperties') continue // said again, more plainly, by another entry
    if (error.keyword === 'required') {
      for (const name of error.params.requiredProperties)
        found.push({ pointer: `${at}${error.instancePath}/${name}`, message: 'is required' })
    } else if (error.keyword === 'boolean') {
      found.push({ pointer: at + error.instancePath, message: 'is not known here' })
    } else {
      found.push({
        pointer: at + error.instancePath,
        message: `is ${shown(valueAt(value, error.instancePath))} but ${expected(error)}`,
      })
    }
  }
  return found
}

const insideUnion = /\/anyOf\/\d+/

const expected = (error: ReturnType<typeof Errors>[number]): string => {
  if (error.keyword === 'enum')
    return `must be one of ${error.params.allowedValues.map((value) => JSON.stringify(value)).join(', ')}`
  if (error.keyword === 'anyOf') return 'must be of one of the allowed kinds'
  return error.message
}

/** The value at a pointer that the schema library made from this very value. */
const valueAt = (value: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value)

const shown = (value: unknown): string => {
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value))
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
