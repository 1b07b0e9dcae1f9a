// The fields of a form, from the schema of a kind of source.
import type { Documents } from '../../api/client.ts'

/** A kind of source, as the service describes it. */
export type Backend = Documents['CaptureBackend']

/** A property as JSON Schema has it: of it only what sources use. */
interface Property {
  readonly type?: string
  readonly title?: string
  readonly description?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Property[]
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: unknown
  readonly writeOnly?: boolean
  readonly 'x-unit'?: string
}

/** A field of the form. */
export interface SourceField {
  readonly key: string
  readonly name: string
  readonly unit: string | undefined
  readonly hint: string | undefined
  readonly isRequired: boolean
  readonly isSecret: boolean
  readonly kind: 'text' | 'number' | 'integer' | 'switch' | 'choice'
  readonly choices: readonly string[]
  readonly min: number | undefined
  readonly max: number | undefined
}

const kindOf = ({ type, anyOf }: Property): SourceField['kind'] => {
  const kind = type ?? anyOf?.find((each) => each.type)?.type
  if (kind === 'boolean') return 'switch'
  return kind === 'number' || kind === 'integer' ? kind : 'text'
}

const choicesOf = ({ enum: all, anyOf = [] }: Property): readonly string[] =>
  (all ?? anyOf.flatMap((each) => (each.const === undefined ? [] : [each.const]))).filter(
    (each): each is string => typeof each === 'string',
  )

/** What a kind of source can be told; objects in it are left to those who write the manifest by hand. */
export const fieldsOf = ({ source }: Pick<Backend, 'source'>): readonly SourceField[] => {
  const { properties = {}, required = [] } = source as {
    readonly properties?: Readonly<Record<string, Property>>
    readonly required?: readonly string[]
  }
  return Object.entries(properties)
    .filter(([key, property]) => key !== 'backend' && property.type !== 'object')
    .map(([key, property]) => {
      const choices = choicesOf(property)
      return {
        key,
        name: property.title ?? key,
        unit: property['x-unit'],
        hint: property.description,
        isRequired: required.includes(key),
        isSecret: property.writeOnly === true,
        kind: choices.length > 0 ? 'choice' : kindOf(property),
        choices,
        min: property.minimum,
        max: property.maximum,
      }
    })
}

/** A source as it is sent: what was left empty is left out, so that the service chooses. */
export const sourceOf = (
  backend: string,
  fields: readonly SourceField[],
  typed: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> => {
  const given = fields.flatMap(({ key, kind }): readonly (readonly [string, unknown])[] => {
    const text = typed[key]?.trim() ?? ''
    if (text === '') return []
    if (kind === 'switch') return [[key, text === 'true']]
    return [[key, kind === 'number' || kind === 'integer' ? Number(text) : text]]
  })
  return { backend, ...Object.fromEntries(given) }
}
