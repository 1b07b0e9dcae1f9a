// Explains why a value does not fit a schema, place by place. It knows the keywords that the schemas of this project
// use; it never decides whether one fits.
import type { TSchema } from 'typebox'
import type { Keywords } from './keywords.ts'
import { nearestName } from './nearest-name.ts'
import { quote } from './quote.ts'
import { brokenLimit, countCharacters, describeReceived, kindOf, listAllowed } from './sentence-parts.ts'

/** A place in a document (RFC 6901) and what is wrong there. */
export interface SchemaError {
  readonly pointer: string
  readonly message: string
}

/** A key that is longer is not spelt out: it would make the answer as long as the question. */
const MAX_KEY_LENGTH = 100

/** What was found so far, and where the search stands. */
class Search {
  readonly errors: SchemaError[] = []
  readonly path: (string | number)[] = []
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  get isOver(): boolean {
    return this.errors.length >= this.#most
  }

  /** key: below the present place. */
  add(message: string, key?: string): void {
    if (this.isOver) return
    const path = key === undefined ? this.path : [...this.path, key]
    const pointer = path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
    this.errors.push({ pointer, message })
  }

  enter(key: string | number): void {
    this.path.push(key)
  }

  leave(): void {
    this.path.pop()
  }
}

/**
 * At most `most` errors. Looks at each place of the value once, and at no branch of a union but the one that was meant.
 */
export const explain = (schema: TSchema, value: unknown, most: number): readonly SchemaError[] => {
  const search = new Search(most)
  look(schema as Keywords, value, search)
  return search.errors
}

const lookInside = (key: string, schema: Keywords, value: unknown, search: Search): void => {
  if (search.isOver) return
  search.enter(key)
  look(schema, value, search)
  search.leave()
}

const look = (schema: Keywords, value: unknown, search: Search): void => {
  if (value === undefined) search.add('is missing')
  else if (schema.anyOf) lookAtUnion(schema.anyOf, value, search)
  else if ('const' in schema) {
    if (value !== schema.const) search.add(`must be ${listAllowed([schema.const])}${describeReceived(value)}`)
  } else if (schema.enum) {
    if (!schema.enum.includes(value)) search.add(`must be ${listAllowed(schema.enum)}${describeReceived(value)}`)
  } else if (!isOfKind(schema, value)) search.add(`must be ${kindOf(schema)}${describeReceived(value)}`)
  else if (typeof value === 'string') lookAtText(schema, value, search)
  else if (typeof value === 'number') lookAtNumber(schema, value, search)
  else if (Array.isArray(value)) lookAtList(schema, value, search)
  else if (isRecord(value)) lookAtObject(schema, value, search)
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isOfKind = ({ type }: Keywords, value: unknown): boolean => {
  switch (type) {
    case 'integer':
      return Number.isInteger(value)
    case 'number':
      return Number.isFinite(value)
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isRecord(value)
    case 'null':
      return value === null
    default:
      return type === undefined || typeof value === type
  }
}

/** Not that of an abbreviation. */
const FIRST_OF_SENTENCE = /^[A-Z](?![A-Z])/

const lookAtText = ({ minLength = 0, maxLength, pattern, description }: Keywords, value: string, search: Search) => {
  const tooLong = maxLength !== undefined && value.length > maxLength && countCharacters(value, maxLength) > maxLength
  if (tooLong) search.add(`must have at most ${maxLength} characters${describeReceived(value)}`)
  else if (value.length < minLength)
    search.add(minLength === 1 ? 'is empty' : `must have at least ${minLength} characters`)
  else if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) {
    // The description of a patterned text begins with the pattern in words; a test sees to that.
    const [words = 'text of another form'] = description?.split(/\.(?: |$)/, 1) ?? []
    search.add(
      `must be ${words.replace(FIRST_OF_SENTENCE, (letter) => letter.toLowerCase())}${describeReceived(value)}`,
    )
  }
}

const lookAtNumber = (schema: Keywords, value: number, search: Search) => {
  const limit = brokenLimit(schema, value)
  if (limit) search.add(`must be ${limit}, not ${value}`)
}

const lookAtList = (
  { items, minItems = 0, maxItems, uniqueItems }: Keywords,
  value: readonly unknown[],
  search: Search,
) => {
  if (value.length < minItems)
    return search.add(minItems === 1 ? 'is an empty list' : `must have at least ${minItems} entries`)
  if (maxItems !== undefined && value.length > maxItems)
    return search.add(`must have at most ${maxItems} entries, not ${value.length}`)
  if (uniqueItems) lookForTwins(value, search)
  if (items) {
    for (let n = 0; n < value.length && !search.isOver; n++) {
      search.enter(n)
      look(items, value[n], search)
      search.leave()
    }
  }
}

/** Entries that stand in a list twice, as far as they are no lists or objects themselves. */
const lookForTwins = (value: readonly unknown[], search: Search) => {
  const seen = new Set<unknown>()
  for (const entry of value) {
    if (seen.has(entry)) return search.add(`has ${quote(entry)} twice; each may stand there once`)
    seen.add(entry)
  }
}

const lookAtObject = (schema: Keywords, value: Readonly<Record<string, unknown>>, search: Search) => {
  const { properties = {}, required = [], additionalProperties, patternProperties = {} } = schema
  const { minProperties = 0, maxProperties } = schema
  for (const [key, property] of Object.entries(properties)) {
    if (Object.hasOwn(value, key)) lookInside(key, property, value[key], search)
    else if (required.includes(key)) search.add('is missing', key)
  }
  const keys = Object.keys(value)
  if (keys.length < minProperties) search.add('is empty; give at least one field')
  if (maxProperties !== undefined && keys.length > maxProperties)
    search.add(`must have at most ${maxProperties} fields, not ${keys.length}`)
  const others = Object.entries(patternProperties).map(([pattern, each]) => [new RegExp(pattern, 'u'), each] as const)
  for (const key of keys) {
    if (search.isOver) return
    if (Object.hasOwn(properties, key)) continue
    const matching = others.filter(([pattern]) => pattern.test(key))
    for (const [, each] of matching) lookInside(key, each, value[key], search)
    if (matching.length > 0 || additionalProperties !== false) continue
    if (key.length <= MAX_KEY_LENGTH) search.add(`is not known here; ${insteadOf(key, properties)}`, key)
    else search.add(`has a field ${quote(key)} that is not known here; remove it`)
  }
}

/** What to do about an unknown field: perhaps another one was meant. */
const insteadOf = (key: string, properties: object): string => {
  const meant = nearestName(key, Object.keys(properties))
  return meant === undefined ? 'remove it' : `perhaps ${meant} is meant`
}

/**
 * Of a union's branches only the one that was meant is worth a word: the one whose literals fit, else the one of the
 * value's kind.
 */
const lookAtUnion = (branches: readonly Keywords[], value: unknown, search: Search): void => {
  const literals = branches.flatMap((branch) => ('const' in branch ? [branch.const] : []))
  const alike = branches.filter((branch) => !('const' in branch) && isOfKind(branch, value))
  const [first] = alike
  if (literals.includes(value)) return
  if (!first) search.add(`must be ${[...new Set(branches.map(kindOf))].join(' or ')}${describeReceived(value)}`)
  else if (alike.length > 1 && isRecord(value)) lookAtTagged(alike, value, search)
  else look(first, value, search)
}

/** Several objects, told apart by literals of the same keys, as `backend` does. */
const lookAtTagged = (branches: readonly Keywords[], value: Readonly<Record<string, unknown>>, search: Search) => {
  const literal = (branch: Keywords, key: string) => branch.properties?.[key]?.const
  const keys = Object.keys(branches[0]?.properties ?? {})
  const tags = keys.filter((key) => branches.every((branch) => literal(branch, key) !== undefined))
  const meant = branches.find((branch) => tags.every((key) => literal(branch, key) === value[key]))
  if (meant) return look(meant, value, search)
  for (const key of tags) {
    const known = branches.map((branch) => literal(branch, key))
    if (!Object.hasOwn(value, key)) search.add(`is missing; it is ${listAllowed(known)}`, key)
    else if (!known.includes(value[key]))
      search.add(`must be ${listAllowed(known)}${describeReceived(value[key])}`, key)
  }
}
