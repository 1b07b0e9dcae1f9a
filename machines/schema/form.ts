// A document as a form shows it: what its fields are called, in which unit, in which steps, in which order. The schema
// that it is checked by has none of that.
import type { TObject, TSchema } from 'typebox'
import { type FieldLabel, type FieldLabels, labelOf } from './label.ts'

/** As much of the schema of a field as its step follows from. */
interface Shape {
  readonly type?: string
  readonly anyOf?: readonly Shape[]
  readonly minimum?: number
  readonly maximum?: number
}

/**
 * The schema of a document, each field of which has `title`, `x-unit` (where it has one), `x-step` (of a number that is
 * no integer) and `x-order` as well. given: where that does not follow from a name.
 */
export const formOf = (schema: TObject, given: FieldLabels = {}): TObject => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(schema.properties).map(([name, field], order) => [name, labelled(name, field, order, given[name])]),
  ),
})

const labelled = (name: string, schema: TSchema, order: number, given: FieldLabel = {}): TSchema => {
  const { title, unit } = { ...labelOf(name), ...given }
  const step = given.step ?? stepOf(schema as Shape, unit)
  return {
    ...schema,
    title,
    ...(unit !== null && { 'x-unit': unit }),
    ...(step !== undefined && { 'x-step': step }),
    'x-order': order,
  }
}

/** Fine enough to find a good value, and some hundred steps from end to end where the range is a small one. */
const stepOf = ({ type, anyOf = [], minimum = 0, maximum = 1 }: Shape, unit: string | null): number | undefined => {
  const number = anyOf.find((each) => each.type === 'number')
  if (number) return stepOf(number, unit)
  if (type !== 'number') return undefined
  if (unit === 'm') return 0.001
  const range = maximum - minimum
  if (range <= 0.25) return 0.001
  if (range <= 1) return 0.01
  return range <= 100 ? 0.1 : 1
}
