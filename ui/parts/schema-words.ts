// What a JSON schema says about a control for its values: what it is called, its unit, its steps, and what is wrong
// with a value. Of the keywords those that the documents of the interface use.

/** A JSON schema. */
export interface Schema {
  readonly type?: string
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly (string | number)[]
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly examples?: readonly unknown[]
  readonly 'x-unit'?: string
  readonly 'x-step'?: number
}

/** The kinds of controls. */
export type Control = 'flag' | 'choice' | 'number' | 'text' | 'choices' | 'numbers' | 'group' | 'maybe' | 'document'

/** The control for the values of a schema. document: what nothing else fits, as JSON. maybe: one that may be null. */
export const controlOf = (schema: Schema): Control => {
  if (schema.anyOf) return inner(schema) ? 'maybe' : 'document'
  if (schema.enum) return 'choice'
  if (schema.type === 'boolean') return 'flag'
  if (schema.type === 'number' || schema.type === 'integer') return 'number'
  if (schema.type === 'string') return 'text'
  if (schema.type === 'object' && schema.properties) return 'group'
  if (schema.type !== 'array') return 'document'
  if (schema.items?.enum) return 'choices'
  return ['number', 'integer'].includes(schema.items?.type ?? '') ? 'numbers' : 'document'
}

/** What stands beside null. */
export const inner = ({ anyOf = [], ...rest }: Schema): Schema | undefined => {
  const others = anyOf.filter(({ type }) => type !== 'null')
  const [only] = others
  if (!only || others.length > 1 || others.length === anyOf.length) return undefined
  const { default: _, ...kept } = rest
  return { ...kept, ...only, ...(kept.description !== undefined && { description: kept.description }) }
}

const UNITS: readonly (readonly [suffix: string, unit: string])[] = [
  ['_m_s', 'm/s'],
  ['_px', 'px'],
  ['_deg', '°'],
  ['_ms', 'ms'],
  ['_us', 'µs'],
  ['_mb', 'MB'],
  ['_m', 'm'],
  ['_s', 's'],
]

const unitOfName = (key: string) => UNITS.find(([suffix]) => key.endsWith(suffix))

/** The name of a value for people: `Min margin`. */
export const labelOf = (key: string, { title }: Schema): string => {
  if (title !== undefined) return title
  const [suffix = ''] = unitOfName(key) ?? []
  const words = key.slice(0, key.length - suffix.length).replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Its unit. */
export const unitOf = (key: string, schema: Schema): string | undefined => {
  const unit = schema['x-unit'] ?? inner(schema)?.['x-unit'] ?? unitOfName(key)?.[1]
  return unit === 'deg' ? '°' : unit === 'us' ? 'µs' : unit
}

const MAX_SLIDER_STEPS = 200

/** By how much a slider moves: a round number, so that it has some two hundred places. */
export const stepOf = (schema: Schema): number => {
  const { minimum = 0, maximum = 0 } = schema
  const span = (maximum - minimum) / MAX_SLIDER_STEPS
  const least = schema.type === 'integer' ? 1 : 0
  if (schema['x-step'] !== undefined) return schema['x-step']
  if (span <= 0) return least || 0.01
  const power = 10 ** Math.floor(Math.log10(span) + 1e-9)
  const round = [1, 2, 5, 10].find((each) => each * power >= span * 0.999) ?? 10
  return Math.max(least, Number((round * power).toPrecision(1)))
}

/** Whether there are two ends between which one can slide. */
export const hasSlider = ({ minimum, maximum }: Schema): boolean => minimum !== undefined && maximum !== undefined

/** The range in words. */
export const rangeOf = (schema: Schema): string | undefined => {
  const { minimum, exclusiveMinimum, maximum } = schema
  const low = minimum === undefined && exclusiveMinimum !== undefined ? `more than ${exclusiveMinimum}` : minimum
  if (low !== undefined && maximum !== undefined) return `${low} to ${maximum}`
  if (low !== undefined) return typeof low === 'string' ? low : `${low} or more`
  return maximum === undefined ? undefined : `${maximum} at most`
}

/** What is wrong with a number; undefined: nothing. */
export const wrongNumber = (schema: Schema, value: number): string | undefined => {
  if (!Number.isFinite(value)) return 'A number is wanted.'
  if (schema.type === 'integer' && !Number.isInteger(value)) return 'A whole number is wanted.'
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY, exclusiveMinimum } = schema
  const isInside =
    value >= minimum && value <= maximum && !(exclusiveMinimum !== undefined && value <= exclusiveMinimum)
  return isInside ? undefined : `It takes ${rangeOf(schema)}.`
}

/** What is wrong with a text; undefined: nothing. */
export const wrongText = ({ pattern, minLength = 0, maxLength, description }: Schema, value: string) => {
  if (value.length < minLength) return minLength === 1 ? 'It cannot be empty.' : `It takes ${minLength} or more signs.`
  if (maxLength !== undefined && value.length > maxLength) return `It takes at most ${maxLength} signs.`
  if (pattern === undefined || new RegExp(pattern, 'u').test(value)) return undefined
  return description ?? 'That is not how it is written.'
}

/** A list of numbers that was typed; undefined: it is none. */
export const numbersOf = (text: string): readonly number[] | undefined => {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== '')
  const numbers = parts.map(Number)
  return numbers.every(Number.isFinite) ? numbers : undefined
}

/** What is wrong with a list of numbers. */
export const wrongNumbers = (schema: Schema, values: readonly number[]): string | undefined => {
  const { items = {}, minItems = 0, maxItems = Number.POSITIVE_INFINITY, uniqueItems = false } = schema
  if (values.length < minItems) return `It takes ${minItems} or more.`
  if (values.length > maxItems) return `It takes at most ${maxItems}.`
  if (uniqueItems && new Set(values).size < values.length) return 'One of them stands there twice.'
  return values.map((value) => wrongNumber(items, value)).find((why) => why !== undefined)
}

/** A value where there was null, to begin with. */
export const firstValue = (schema: Schema): unknown => {
  if (schema.default !== undefined && schema.default !== null) return schema.default
  if (schema.enum) return schema.enum[0]
  if (schema.type === 'number' || schema.type === 'integer') return schema.minimum ?? 0
  if (schema.type === 'boolean') return false
  if (schema.type === 'array') return []
  return schema.type === 'string' ? (schema.examples?.[0] ?? '') : {}
}
