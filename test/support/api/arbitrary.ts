// Random values that fit a schema, and every way to spoil one. Whether a spoilt value still fits is asked of the schema
// library's interpreter, not of the product.
import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { Check } from 'typebox/value'
import type { Keywords } from '../../../machines/schema/keywords.ts'

const MAX_LENGTH = 4 // lists and texts: more of the same finds nothing new

/** Texts of which each pattern of the interface accepts some. */
const WORDS = [
  'a',
  'front',
  'cam-2',
  'cam-k3f7q2ma',
  'cal-m4q2ptza',
  '3f9a12bc-7',
  '9963776',
  'http://10.12.34.11/mjpg/video.mjpg',
  'x_1',
  '11x7',
  'tags.detections',
  'z'.repeat(40),
  'notes.onnx',
  'Übersicht',
  'Front left',
  '前方',
  '7',
  'K'.repeat(60),
  '320x240',
  '/nodes/1',
  '0d0c2a5e-9c1b-4a52-8c0f-3f2b7c1d9e10',
  '5e'.repeat(32),
  '5e'.repeat(16),
  '271828',
  '/usr/share/libcamera/ipa/rpi/vc4/imx219.json',
  '212,140;820,151;815,560;208,548',
  '#ff8000',
]

/** Values that fit. */
export const fitting = (schema: TSchema): fc.Arbitrary<unknown> => ofParts(schema as Keywords)

const ofParts = (schema: Keywords): fc.Arbitrary<unknown> => {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(ofParts))
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  switch (schema.type) {
    case 'string':
      return texts(schema)
    case 'number':
      return fc.double({
        ...limits(schema),
        minExcluded: schema.exclusiveMinimum !== undefined,
        noNaN: true,
        noDefaultInfinity: true,
      })
    case 'integer':
      return fc.integer(limits(schema))
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return lists(schema)
    case 'object':
      return objects(schema)
    default:
      return fc.jsonValue({ maxDepth: 1 })
  }
}

const limits = ({ minimum, maximum, exclusiveMinimum }: Keywords) => {
  const min = minimum ?? exclusiveMinimum
  return { ...(min !== undefined && { min }), ...(maximum !== undefined && { max: maximum }) }
}

const texts = ({ pattern, minLength = 0, maxLength }: Keywords): fc.Arbitrary<string> =>
  pattern === undefined
    ? fc.string({ unit: 'binary', minLength, maxLength: Math.min(maxLength ?? MAX_LENGTH, minLength + MAX_LENGTH) })
    : fc.constantFrom(
        ...WORDS.filter(
          (word) => word.length <= (maxLength ?? Number.POSITIVE_INFINITY) && new RegExp(pattern, 'u').test(word),
        ),
      )

const lists = ({ items = {}, minItems = 0, maxItems = MAX_LENGTH, uniqueItems }: Keywords): fc.Arbitrary<unknown[]> => {
  const length = { minLength: minItems, maxLength: Math.min(maxItems, minItems + MAX_LENGTH) }
  return uniqueItems ? fc.uniqueArray(ofParts(items), length) : fc.array(ofParts(items), length)
}

const objects = ({ properties, required = [], patternProperties = {} }: Keywords): fc.Arbitrary<object> => {
  if (properties) {
    const fields = Object.fromEntries(Object.entries(properties).map(([key, part]) => [key, ofParts(part)]))
    return fc.record(fields, { requiredKeys: [...required] })
  }
  const [any = {}] = Object.values(patternProperties)
  return fc.dictionary(fc.constantFrom('a', 'b', 'c'), ofParts(any), { maxKeys: 2 })
}

type Path = readonly (string | number)[]

/**
 * Every place of a value; the whole of it first. Of the items of an array that are of one kind only two and the last:
 * where arrays lie in arrays there would be thousands, and to check each takes as long as all of them are many.
 */
export const placesIn = (value: unknown, at: Path = []): Path[] => {
  if (typeof value !== 'object' || value === null) return [at]
  const keys = Array.isArray(value) ? differing(value) : Object.keys(value)
  return [at, ...keys.flatMap((key) => placesIn((value as Record<string | number, unknown>)[key], [...at, key]))]
}

const ALIKE = 2

const differing = (items: readonly unknown[]): readonly number[] => {
  const times = new Map<string, number>()
  return [...items.keys()].filter((index) => {
    const kind = kindOf(items[index])
    times.set(kind, (times.get(kind) ?? 0) + 1)
    return (times.get(kind) ?? 0) <= ALIKE || index === items.length - 1
  })
}

const kindOf = (item: unknown): string => {
  if (typeof item !== 'object' || item === null) return typeof item
  const { type, op, kind } = item as Record<string, unknown>
  return JSON.stringify([Object.keys(item), type, op, kind])
}

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Record<string | number, unknown>)[key], value)

/** The same value with another one at a place. */
export const withValueAt = (value: unknown, [key, ...rest]: Path, replace: (old: unknown) => unknown): unknown => {
  if (key === undefined) return replace(value)
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string | number, unknown>
  copy[key] = withValueAt(copy[key], rest, replace)
  return copy
}

/** The places where there is an object: all that can be padded. */
export const objectsIn = (value: unknown): Path[] =>
  placesIn(value).filter((path) => {
    const found = valueAt(value, path)
    return typeof found === 'object' && found !== null && !Array.isArray(found)
  })

/** So many keys that nobody knows. */
const unknownKeys = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`unknown_${n}`, n]))

const paddings = new Map<number, object>()

/** The same value with so many keys more in the object at a place. */
export const padded = (value: unknown, path: Path, count: number): unknown => {
  const padding = paddings.get(count) ?? unknownKeys(count)
  paddings.set(count, padding)
  return withValueAt(value, path, (old) => ({ ...padding, ...(old as object) }))
}

const ODD: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e300,
  0.5,
  '',
  ' ',
  '../../x',
  'x'.repeat(5000),
  '\u202e',
  [],
  [[]],
  {},
  { a: 1 },
]

const ODD_PER_PLACE = 3

/**
 * Values that do not fit, each with one thing wrong: at every place other values (others at each), and each of its keys
 * missing.
 */
export const spoilt = (schema: TSchema, value: unknown): unknown[] => {
  const candidates = placesIn(value).flatMap((path, place) => {
    const odd = Array.from({ length: ODD_PER_PLACE }, (_, n) => ODD[(place * 5 + n * 7) % ODD.length])
    const replaced = odd.map((other) => withValueAt(value, path, () => other))
    const key = path.at(-1)
    return typeof key === 'string'
      ? [...replaced, withValueAt(value, path.slice(0, -1), (old) => without(old, key))]
      : replaced
  })
  return candidates.filter((candidate) => !Check(schema, candidate))
}

const without = (object: unknown, key: string): object => {
  const { [key]: _left, ...rest } = object as Record<string, unknown>
  return rest
}
