// What every command takes beside its own document: the revision that it is based on. It stands in the body with the document and is told apart
// here, so that no handler meets it. A command without a document of its own takes a body with nothing else in it, or none.
import Type, { type TObject, type TProperties, type TSchema } from 'typebox'
import type { BodySpec } from './endpoint.ts'
import { ExpectedRevision } from './revision.ts'

/** The controls of one request. */
export interface Controls {
  readonly expected_revision?: number
}

/** The body of a command as the wire has it. conditional: what it writes has a revision. */
export const bodyOfCommand = (own: BodySpec | undefined, conditional: boolean): BodySpec => {
  const controls: TProperties = conditional ? { expected_revision: Type.Optional(ExpectedRevision) } : {}
  return own
    ? { ...own, schema: extended(own.schema, controls) }
    : { schema: Type.Object(controls, { additionalProperties: false }), example: {}, optional: true }
}

/** A body, parted into the document that the handler gets and the controls. */
export const partedBody = (sent: unknown): { readonly document: unknown; readonly controls: Controls } => {
  if (typeof sent !== 'object' || sent === null) return { document: sent, controls: {} }
  const { expected_revision, ...document } = sent as Record<string, unknown> & Controls
  return { document, controls: expected_revision === undefined ? {} : { expected_revision } }
}

/** The properties are all optional, so what is required stays the same. */
const extended = (schema: TSchema, more: TProperties): TSchema => {
  const { properties } = schema as TObject
  if (!properties) throw new Error('the body of a command must be an object')
  return { ...schema, properties: { ...properties, ...more } }
}
