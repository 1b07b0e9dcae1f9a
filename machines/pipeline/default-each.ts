// Parameters of a detector whose default is another one for each kind of tag.
import type { TInteger, TNumber } from 'typebox'
import Type from '../schema/type.ts'

/**
 * The keyword under which a parameter's schema carries its defaults, by the parameter that lists the kinds; clients
 * read it in the catalogue of node types.
 */
const KEYWORDS = { families: 'x-default-by-family', dictionaries: 'x-default-by-dictionary' } as const
type Lister = keyof typeof KEYWORDS

type Defaults = Readonly<Record<string, number>>

/**
 * A parameter that is null, for the default of each kind that another parameter lists, or one number for all of them.
 *
 * The document keeps the null: when the kinds change later, the defaults of the new ones hold. A plan's step has one
 * number for each entry of that list.
 */
export const defaultEach = (
  lister: Lister,
  of: (TNumber | TInteger) & { description?: string },
  defaults: Defaults,
) => {
  const { description = '', ...range } = of
  return Type.Union([Type.Null(), range as TNumber], {
    default: null,
    description: `${description} null: ${inWords(defaults)}.`,
    [KEYWORDS[lister]]: defaults,
  })
}

/** One default for all of them. */
export const everyOne = (kinds: readonly string[], value: number): Defaults =>
  Object.fromEntries(kinds.map((kind) => [kind, value]))

/** `5`, or `1 for tag36h11 and tag25h9, 0 for tag16h5`. */
const inWords = (defaults: Defaults): string => {
  const values = [...new Set(Object.values(defaults))]
  const named = (value: number) => Object.keys(defaults).filter((kind) => defaults[kind] === value)
  if (values.length === 1) return String(values[0])
  return values.map((value) => `${value} for ${listed(named(value))}`).join(', ')
}

const listed = (names: readonly string[]): string =>
  names.length === 1 ? String(names[0]) : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

/**
 * Parameters as the engine takes them: what differs by kind has become a list, one number for each of the kinds in use.
 */
export const forEach = (
  properties: Readonly<Record<string, object>>,
  params: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => {
  const differing = defaultsIn(properties)
  if (differing.length === 0) return params
  const lists = differing.map(({ name, lister, defaults }) => [
    name,
    (params[lister] as readonly string[]).map((kind) => params[name] ?? defaults[kind]),
  ])
  return { ...params, ...Object.fromEntries(lists) }
}

interface Differing {
  readonly name: string
  readonly lister: Lister
  readonly defaults: Defaults
}

const known = new WeakMap<object, readonly Differing[]>()

/** Few types have any, and plans are made of hundreds of nodes. */
const defaultsIn = (properties: Readonly<Record<string, object>>): readonly Differing[] => {
  const before = known.get(properties)
  if (before) return before
  const found = Object.entries(properties).flatMap(([name, schema]) =>
    (Object.keys(KEYWORDS) as Lister[]).flatMap((lister) => {
      const defaults = (schema as Readonly<Record<string, unknown>>)[KEYWORDS[lister]] as Defaults | undefined
      return defaults ? [{ name, lister, defaults }] : []
    }),
  )
  known.set(properties, found)
  return found
}
