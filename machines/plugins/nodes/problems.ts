// What is wrong with the nodes of a manifest that its schema cannot say.
import type { PortKind } from '../../pipeline/kinds.ts'
import type { SchemaError } from '../../schema/explain.ts'
import { quote } from '../../schema/quote.ts'
import type { NodeDeclaration, NodeParam } from '../node-declaration.ts'
import { TIMEOUT_PARAM } from './node-types.ts'
import { MADE_FIELDS } from './row-fields.ts'

/** What a node may be given: all but what has texts beside its rows. */
export const GIVEN_KINDS: readonly PortKind[] = [
  ...(['image', 'detections', 'points', 'tag_poses', 'field_pose', 'contours', 'targets'] as const),
  ...(['circles', 'objects', 'classes', 'exposure', 'focus'] as const),
]

/** What a node may give: what can be checked. */
export const MADE_KINDS: readonly PortKind[] = [
  ...(['image', 'values'] as const),
  ...(Object.keys(MADE_FIELDS) as PortKind[]),
]

/** Of all nodes of a manifest; pointers into `provides.nodes`. */
export const nodeProblems = (nodes: readonly NodeDeclaration[]): readonly SchemaError[] =>
  nodes.flatMap((node, n) => {
    const problems = [
      ...(nodes.findIndex(({ type }) => type === node.type) < n
        ? [{ pointer: '/type', message: `is ${quote(node.type)}, the type of an earlier node; types are unique` }]
        : []),
      ...portProblems(node),
      ...Object.entries(node.params).flatMap(([name, param]) => paramProblems(name, param)),
    ]
    return problems.map(({ pointer, message }) => ({ pointer: `/${n}${pointer}`, message }))
  })

const portProblems = ({ inputs, outputs }: NodeDeclaration): readonly SchemaError[] => [
  ...sideProblems('inputs', inputs),
  ...sideProblems('outputs', outputs),
  ...(outputs.some(({ kind }) => kind === 'image') && !inputs.some(({ kind }) => kind === 'image')
    ? [{ pointer: '/outputs', message: 'has pictures, and no input has any: they are as large as the first input' }]
    : []),
]

const sideProblems = (side: 'inputs' | 'outputs', ports: NodeDeclaration['inputs']): readonly SchemaError[] =>
  ports.flatMap(({ name, kind, format }, n) => {
    const at = `/${side}/${n}`
    const kinds = side === 'inputs' ? GIVEN_KINDS : MADE_KINDS
    const unfit = side === 'inputs' ? 'same' : 'any'
    return [
      ...(ports.findIndex((port) => port.name === name) < n
        ? [{ pointer: `${at}/name`, message: `is ${quote(name)}, the name of an earlier port; names are unique` }]
        : []),
      ...(kinds.includes(kind)
        ? []
        : [{ pointer: `${at}/kind`, message: `is ${kind}; ${side} of plugins are ${kinds.join(', ')}` }]),
      ...(format !== undefined && kind !== 'image'
        ? [{ pointer: `${at}/format`, message: `is ${format}, but ${kind} are no pictures; leave it out` }]
        : []),
      ...(format === unfit
        ? [{ pointer: `${at}/format`, message: `is ${format}, which no port of the ${side} can be` }]
        : []),
    ]
  })

const paramProblems = (name: string, param: NodeParam): readonly SchemaError[] => {
  const refuse = (message: string, field = ''): readonly SchemaError[] => [
    { pointer: `/params/${name}${field}`, message },
  ]
  if (name === TIMEOUT_PARAM) return refuse('is a parameter that every node of a plugin has; leave it out')
  if (name in {}) return refuse('is no name for a parameter; choose another')
  if ('enum' in param)
    return param.enum.includes(param.default)
      ? []
      : refuse(`is ${quote(param.default)}, which is none of ${param.enum.join(', ')}`, '/default')
  if (param.type === 'boolean') return []
  if (param.type === 'string') {
    const most = param.maxLength ?? DEFAULT_MAX_LENGTH
    return [...param.default].length <= most ? [] : refuse(`is longer than ${most} characters`, '/default')
  }
  const { type, minimum, maximum, default: value } = param
  if (type === 'integer' && ![minimum, maximum, value].every(Number.isInteger))
    return refuse('is an integer with a fraction in its minimum, maximum or default')
  return minimum <= value && value <= maximum
    ? []
    : refuse(`is ${value}, which is not from ${minimum} to ${maximum}`, '/default')
}

/** Of texts of which the declaration does not say how long they may be. */
export const DEFAULT_MAX_LENGTH = 200
