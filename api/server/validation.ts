// What the routes check requests with: queries made of text, and the refusal as fastify wants to be told.
import type { TObject, TSchema } from 'typebox'
import type { SchemaError } from '../../machines/schema/explain.ts'

/**
 * A query as its schema means it: what reads as a number or as true or false becomes one. The rest stays text, and is
 * refused by the schema.
 */
export const queryFromText = ({ properties }: TObject, sent: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(sent).map(([key, text]) => [
      key,
      Object.hasOwn(properties, key) ? fromText(properties[key], text) : text,
    ]),
  )

/** An endpoint has 4 at most. */
const MAX_PARAMETERS = 100

/** Said instead of anything about the single ones. */
export const tooManyParameters = (query: object): readonly SchemaError[] | undefined => {
  const { length } = Object.keys(query)
  return length > MAX_PARAMETERS
    ? [{ pointer: '', message: `has ${length} parameters; at most ${MAX_PARAMETERS} are read` }]
    : undefined
}

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i

const fromText = (schema: (TSchema & { readonly type?: string }) | undefined, text: unknown): unknown => {
  if (typeof text !== 'string') return text // the key stands there twice
  if (schema?.type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  if ((schema?.type === 'number' || schema?.type === 'integer') && NUMBER.test(text)) return Number(text)
  return text
}

/** A part of a request that does not fit its schema, as fastify wants to be told. */
export class Rejected extends Error {
  readonly errors: readonly SchemaError[]
  /** Set by fastify: `body` or `querystring`. */
  validationContext?: string

  constructor(errors: readonly SchemaError[]) {
    super('the request does not fit its schema')
    this.errors = errors
  }
}
