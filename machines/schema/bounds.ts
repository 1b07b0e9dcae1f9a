// The limits that stand in a schema, by where they hold: for clients that show them beside a field.
import type { Static, TSchema } from 'typebox'
import type { Keywords } from './keywords.ts'
import Type from './type.ts'

/** Between which two a number may be. */
export const Bound = Type.Object(
  {
    pointer: Type.String({ description: 'RFC 6901, into the document; `*` stands for every entry of a list.' }),
    minimum: Type.Number({ description: 'It may be that.' }),
    maximum: Type.Number({ description: 'It may be that.' }),
  },
  { additionalProperties: false, title: 'Bound', description: 'Between which two a number may be.' },
)
export type Bound = Static<typeof Bound>

/** Of all numbers of a document that have both limits, in the order of the schema. */
export const boundsOf = (schema: TSchema): readonly Bound[] => boundsAt(schema as Keywords, '')

const boundsAt = (schema: Keywords, pointer: string): readonly Bound[] => {
  const { minimum, maximum, properties = {}, items, anyOf = [] } = schema
  return [
    ...(minimum !== undefined && maximum !== undefined ? [{ pointer, minimum, maximum }] : []),
    ...Object.entries(properties).flatMap(([key, each]) => boundsAt(each, `${pointer}/${key}`)),
    ...(items ? boundsAt(items, `${pointer}/*`) : []),
    ...anyOf.flatMap((each) => boundsAt(each, pointer)),
  ]
}
