// What is wrong with a parameter, and the value that would do: the nearest that may be, or the default.
import type { TSchema } from 'typebox'
import { filled } from '../../schema/defaults.ts'
import { schemaErrors } from '../../schema/errors.ts'
import type { SchemaError } from '../../schema/explain.ts'
import type { Keywords } from '../../schema/keywords.ts'
import { nearestName } from '../../schema/nearest-name.ts'
import type { Finding, Patch } from '../diagnostic.ts'
import type { GraphDraft } from '../graph.ts'
import type { NodeType } from '../node-type.ts'
import { withParam, withRenamedParam } from './patches.ts'

/** A node whose parameters were looked at. */
interface Looked {
  readonly id: string
  readonly index: number
  readonly is: NodeType
}

/** error: its pointer is into the parameters. */
export const paramFinding = (
  graph: GraphDraft,
  { id, index, is }: Looked,
  { pointer, message }: SchemaError,
): Finding => {
  const name = nameIn(pointer)
  return {
    code: 'param.invalid',
    node: id,
    pointer: `/nodes/${index}/params${pointer}`,
    of: name === undefined ? `the list of parameters of ${id}` : `${pointer.slice(1)} of ${id}`,
    message,
    fix: () => (name === undefined ? null : fixOf(graph, index, is, name)),
  }
}

/** The parameter that a pointer leads into; undefined: it leads to all of them. */
const nameIn = (pointer: string): string | undefined =>
  pointer.split('/')[1]?.replaceAll('~1', '/').replaceAll('~0', '~')

const fixOf = (graph: GraphDraft, index: number, is: NodeType, name: string): Patch | null => {
  const { properties } = is.params
  const { params = {} } = graph.nodes[index] ?? {}
  if (!Object.hasOwn(params, name)) return null // it is missing, and has no default
  if (!Object.hasOwn(properties, name)) {
    const meant = meantBy(is, params, name)
    return meant === undefined ? withParam(graph, index, name, undefined) : withRenamedParam(graph, index, name, meant)
  }
  const schema = properties[name] as TSchema
  const better = [nearest(schema as Keywords, params[name]), (schema as { readonly default?: unknown }).default]
  const value = better.find(
    (each) =>
      each !== undefined && schemaErrors(schema, each).length === 0 && !refuses(is, { ...params, [name]: each }, name),
  )
  return value === undefined ? null : withParam(graph, index, name, value)
}

/** The parameter that an unknown name probably means, and for which the value would do. */
const meantBy = (is: NodeType, params: Readonly<Record<string, unknown>>, name: string): string | undefined => {
  const { [name]: value, ...others } = params
  const missing = Object.keys(is.params.properties).filter((each) => !Object.hasOwn(params, each))
  const meant = nearestName(name, missing)
  const schema = meant === undefined ? undefined : is.params.properties[meant]
  if (meant === undefined || !schema || schemaErrors(schema, value).length > 0) return undefined
  return refuses(is, { ...others, [meant]: value }, meant) ? undefined : meant
}

/**
 * Whether a type takes exception to one of its parameters, though it passes its schema. What is wrong with the others
 * is told of them.
 */
const refuses = ({ params: schema, refusal }: NodeType, params: object, name: string): boolean => {
  const whole = filled(schema, params)
  return (
    schemaErrors(schema, whole).length === 0 && refusal?.(whole as Readonly<Record<string, unknown>>)?.param === name
  )
}

/** The number in range that is nearest to one that is not. */
const nearest = (schema: Keywords, value: unknown): number | undefined => {
  if (typeof value !== 'number' || Number.isNaN(value)) return undefined
  const ranged = [schema, ...(schema.anyOf ?? [])].find(({ type }) => type === 'integer' || type === 'number')
  if (!ranged) return undefined
  const { type, minimum = -Infinity, maximum = Infinity } = ranged
  const whole = type === 'integer' ? Math.round(value) : value
  return Math.min(Math.max(whole, minimum), maximum)
}
