// The parameters of a node with its type's defaults, and what is wrong with them.
import { filled } from '../../schema/defaults.ts'
import { schemaErrors } from '../../schema/errors.ts'
import type { SchemaError } from '../../schema/explain.ts'
import type { NodeType } from '../node-type.ts'

/** errors: pointers into the parameters. */
interface WholeParams {
  readonly whole: Readonly<Record<string, unknown>>
  readonly errors: readonly SchemaError[]
}

/**
 * Of nodes that name no parameter, as most do: they share one object, which like all parts of documents is never
 * changed.
 */
const ofDefaults = new WeakMap<NodeType, WholeParams>()

/** given: as they stand in the document. */
export const wholeParams = (is: NodeType, given: Readonly<Record<string, unknown>> | undefined): WholeParams => {
  if (given && Object.keys(given).length > 0) return read(is, given)
  const known = ofDefaults.get(is)
  if (known) return known
  const found = read(is, {})
  ofDefaults.set(is, found)
  return found
}

const read = (is: NodeType, given: Readonly<Record<string, unknown>>): WholeParams => {
  const whole = filled(is.params, given) as Readonly<Record<string, unknown>>
  const errors = schemaErrors(is.params, whole)
  const refused = errors.length === 0 ? is.refusal?.(whole) : undefined
  return { whole, errors: refused ? [{ pointer: `/${refused.param}`, message: refused.message }] : errors }
}
