// Checking requests against their schemas, and saying what is wrong in words. Validators compile on first use: most are never needed in a run.
import type { TObject, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/schema'
import { Settings } from 'typebox/system'
import type { Fault } from '../machines/fault.ts'

Settings.Set({ maxErrors: 256 }) // below that, the errors of a union's branches hide that it is a union

/** What is wrong, and where (RFC 6901). */
type Complaint = NonNullable<Fault['errors']>[number]

/** More would help nobody. */
const MAX_COMPLAINTS = 16

/** A function that tells what is wrong with a value; empty when nothing is. */
export const validatorOf = (schema: TSchema): ((value: unknown) => readonly Complaint[]) => {
  let compiled: Validator | undefined
  return (value) => {
    compiled ??= Compile(schema)
    if (compiled.Check(value)) return []
    return explain(compiled.Errors(value)[1] as readonly SchemaError[], value).slice(0, MAX_COMPLAINTS)
  }
}

interface SchemaError {
  readonly keyword: string
  readonly schemaPath: string
  readonly instancePath: string
  readonly params: Readonly<Record<string, unknown>>
  readonly message: string
}

const explain = (errors: readonly SchemaError[], value: unknown): Complaint[] => {
  const unions = errors.filter((error) => error.keyword === 'anyOf')
  const outer = unions.filter((union) => !unions.some((other) => other !== union && isInside(union, other)))
  const plain = errors.filter((error) => error.keyword !== 'anyOf' && !outer.some((union) => isInside(error, union)))
  return [...plain.flatMap((error) => say(error, value)), ...outer.flatMap((union) => sayUnion(union, errors, value))]
}

const isInside = (error: SchemaError, union: SchemaError): boolean =>
  error.schemaPath.startsWith(`${union.schemaPath}/anyOf/`) &&
  (error.instancePath === union.instancePath || error.instancePath.startsWith(`${union.instancePath}/`))

/** Of a union's branches only the one that was meant is worth a word: the one whose literals fit. */
const sayUnion = (union: SchemaError, errors: readonly SchemaError[], value: unknown): Complaint[] => {
  const branches = Map.groupBy(
    errors.filter((error) => isInside(error, union)),
    (error) => error.schemaPath.slice(union.schemaPath.length + '/anyOf/'.length).split('/', 1)[0],
  )
  const meant = [...branches.values()].filter((branch) => !branch.some((error) => error.keyword === 'const'))
  const [closest] = meant.sort((a, b) => a.length - b.length)
  if (closest && !isTypeOnly(closest, union)) return explain(closest, value)
  const inside = [...branches.values()].flat()
  const literals = inside.filter((error) => error.keyword === 'const')
  const [first] = literals
  if (first) return [{ pointer: first.instancePath, message: oneOf(literals, first.instancePath, value) }]
  const types = new Set(inside.filter((error) => error.keyword === 'type').map((error) => error.params.type))
  return [
    { pointer: union.instancePath, message: `must be ${[...types].join(' or ')}${came(value, union.instancePath)}` },
  ]
}

const isTypeOnly = (branch: readonly SchemaError[], union: SchemaError): boolean =>
  branch.every((error) => error.keyword === 'type' && error.instancePath === union.instancePath)

const oneOf = (literals: readonly SchemaError[], pointer: string, value: unknown): string => {
  const allowed = literals.filter((error) => error.instancePath === pointer).map((error) => error.params.allowedValue)
  return `must be ${allowed.map((each) => JSON.stringify(each)).join(' or ')}${came(value, pointer)}`
}

const say = (error: SchemaError, value: unknown): Complaint[] => {
  const at = (key: string) => `${error.instancePath}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
  switch (error.keyword) {
    case 'boolean': // said by additionalProperties as well
      return []
    case 'additionalProperties':
      return (error.params.additionalProperties as string[]).map((key) => ({
        pointer: at(key),
        message: 'is not known here; remove it',
      }))
    case 'required':
      return (error.params.requiredProperties as string[]).map((key) => ({ pointer: at(key), message: 'is missing' }))
    case 'minProperties':
      return [{ pointer: error.instancePath, message: 'is empty; give at least one field' }]
    case 'const':
      return [{ pointer: error.instancePath, message: oneOf([error], error.instancePath, value) }]
    default:
      return [{ pointer: error.instancePath, message: error.message + came(value, error.instancePath) }]
  }
}

const LONGEST_QUOTE = 60

/** `, not 3`: the value at a pointer, shortened. */
const came = (value: unknown, pointer: string): string => {
  let found = value
  for (const key of pointer.split('/').slice(1)) {
    found = (found as Record<string, unknown> | undefined)?.[key.replaceAll('~1', '/').replaceAll('~0', '~')]
  }
  if (found === undefined) return ''
  const text = typeof found === 'number' ? String(found) : JSON.stringify(found)
  return `, not ${text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}...` : text}`
}

/** A query as its schema means it: what reads as a number or as true or false becomes one. The rest stays text, and is refused by the schema. */
export const queryFromText = ({ properties }: TObject, sent: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(sent).map(([key, text]) => [
      key,
      Object.hasOwn(properties, key) ? fromText(properties[key], text) : text,
    ]),
  )

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i

const fromText = (schema: (TSchema & { readonly type?: string }) | undefined, text: unknown): unknown => {
  if (typeof text !== 'string') return text // the key stands there twice
  if (schema?.type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  if ((schema?.type === 'number' || schema?.type === 'integer') && NUMBER.test(text)) return Number(text)
  return text
}

/** A part of a request that does not fit its schema, as fastify wants to be told. */
export class Rejected extends Error {
  readonly complaints: readonly Complaint[]
  /** Set by fastify: `body` or `querystring`. */
  validationContext?: string

  constructor(complaints: readonly Complaint[]) {
    super('the request does not fit its schema')
    this.complaints = complaints
  }
}
