// What a collection of stored documents may hold: declared once, checked when a document is loaded and before one is
// written. Whoever reads, writes or announces a document does it by the declaration, so its type, its reference and its
// faults are known.
import type { Static, TSchema } from 'typebox'
import type { ClientCode } from '../errors/catalogue.ts'
import type { Fault } from '../errors/fault.ts'
import type { DocumentEvent, News } from '../events/kind.ts'
import { schemaErrors } from '../schema/errors.ts'
import type { SchemaError } from '../schema/explain.ts'
import { token } from '../token.ts'

declare const documentType: unique symbol

/** A collection of documents of type Value. */
export interface Collection<Value = unknown> {
  /** Under which it is stored. */
  readonly name: string
  /** Of each document as it is stored. */
  readonly id: TSchema
  /** Of each document as it is stored. */
  readonly schema: TSchema
  /** It holds no more documents than this, so it can be copied at each write. */
  readonly limit: number
  /** The event of each write. */
  readonly changed: DocumentEvent
  /** What to tell who asks for one that is not there. */
  readonly notFound: (id: string) => Fault & { readonly code: ClientCode }
  /**
   * What a document is that nobody has written yet, of a collection whose documents are always there; others must be
   * created.
   */
  readonly blank?: unknown
  /** What a schema cannot say. The value has passed the schema. */
  readonly check: (value: never, id: string) => readonly SchemaError[]
  /** What is told of a change beside `changed`, of parts of the document. */
  readonly tells: (turn: DocumentTurn<never>) => readonly News[]
  readonly [documentType]?: Value
}

/** A change of a document. */
export interface DocumentTurn<Value = unknown> {
  readonly id: string
  readonly revision: number
  /** Undefined of a new one. */
  readonly before: Value | undefined
  /** Undefined of one that is gone. */
  readonly after: Value | undefined
}

/** Collections by name. */
export type Collections = ReadonlyMap<string, Collection>

/** Declares a collection. */
export const collection = <Schema extends TSchema>(
  declared: Pick<Collection, 'name' | 'id' | 'limit' | 'changed' | 'notFound'> & {
    readonly blank?: Static<Schema>
    readonly schema: Schema
    readonly check?: (value: Static<Schema>, id: string) => readonly SchemaError[]
    readonly tells?: (turn: DocumentTurn<Static<Schema>>) => readonly News[]
  },
): Collection<Static<Schema>> => ({ check: () => [], tells: () => [], ...declared })

/** What the settings may hold. Documents of other collections are those of a newer version: kept, not shown. */
export const COLLECTIONS = token<Collections>('collections')

export const collectionsByName = (declared: readonly Collection[]): Collections =>
  new Map(declared.map((each) => [each.name, each]))

/**
 * Everything that keeps a document from fitting its collection; empty exactly when it fits. The pointer of what
 * concerns the id is `/id`.
 */
export const misfits = ({ id: ids, schema, check }: Collection, id: string, value: unknown): readonly SchemaError[] => {
  if (schemaErrors(ids, id).length > 0) return [{ pointer: '/id', message: 'is not possible as an id here' }]
  try {
    const errors = schemaErrors(schema, value)
    return errors.length > 0 ? errors : check(value as never, id)
  } catch (bug) {
    // Nested deeper than the stack, say. One document shall not stop whoever has a hundred others to check.
    return [{ pointer: '', message: `cannot be checked (${bug instanceof Error ? bug.message : bug})` }]
  }
}
