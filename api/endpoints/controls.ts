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
    : { schema: conditional ? Precondition : Nothing, example: {}, optional: true }
}

const Precondition = Type.Object(
  { expected_revision: Type.Optional(ExpectedRevision) },
  {
    additionalProperties: false,
    title: 'Precondition',
    description: 'What has to hold for the order to be carried out.',
  },
)

const Nothing = Type.Object(
  {},
  { additionalProperties: false, title: 'Nothing', description: 'The order says it all.' },
)

/** A body, parted into the document that the handler gets and the controls. */
export const partedBody = (sent: unknown): { readonly document: unknown; readonly controls: Controls } => {
  if (typeof sent !== 'object' || sent === null) return { document: sent, controls: {} }
  const { expected_revision, ...document } = sent as Record<string, unknown> & Controls
  return { document, controls: expected_revision === undefined ? {} : { expected_revision } }
}

/** The properties are all optional, so what is required stays the same. It is another document, so it has another name. */
const extended = (schema: TSchema, more: TProperties): TSchema => {
  const { properties, title } = schema as TObject & { readonly title?: string }
  if (!properties) throw new Error('the body of a command must be an object')
  if (Object.keys(more).length === 0) return schema
  return { ...schema, ...(title && { title: `${title}Order` }), properties: { ...properties, ...more } }
}
