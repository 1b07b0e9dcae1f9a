// What a script may give: a flat record, so bounded that every reader can take it.

import type { Static } from 'typebox'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'

const MAX_VALUES = 64
const MAX_ENTRIES = 64
const MAX_CHARACTERS = 200
const NAME = '^[A-Za-z_][A-Za-z0-9_]{0,39}$'

/** Of all of them together, as JSON in UTF-8. A result is sent to everybody who listens, with each picture. */
export const MAX_VALUES_BYTES = 16_384

const Single = Type.Union([Type.Number(), Type.String({ maxLength: MAX_CHARACTERS }), Type.Boolean()])

/** What a script gave for a picture, by names of its own. */
export const ScriptValues = Type.Record(
  Type.String({ pattern: NAME }),
  Type.Union([Single, Type.Array(Single, { maxItems: MAX_ENTRIES })]),
  {
    title: 'ScriptValues',
    maxProperties: MAX_VALUES,
    description: 'Numbers, texts, flags and lists of such, by the names that the script gave them.',
  },
)
export type ScriptValues = Static<typeof ScriptValues>

/**
 * What a script gave as it was read from JSON, without what is null; a sentence when it is more than may be, or
 * something else.
 */
export const readScriptValues = (given: unknown): ScriptValues | string => {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return `it gives ${kindOf(given)}; it has to give an object with values, or nothing`
  const entries = Object.entries(given).filter(([, value]) => value !== null)
  if (entries.length > MAX_VALUES) return `it gives ${entries.length} values; ${MAX_VALUES} at most`
  for (const [name, value] of entries) {
    const why = whyNot(name, value)
    if (why) return why
  }
  return Object.fromEntries(entries) as ScriptValues
}

const NAMED = new RegExp(NAME)

const whyNot = (name: string, value: unknown): string | undefined => {
  if (!NAMED.test(name))
    return oneLine`
      it calls a value ${JSON.stringify(name.slice(0, 60))}; a name is 1 to 40 letters, digits and _, without a digit in
      front
    `
  if (!Array.isArray(value)) return whyNotSingle(name, value)
  if (value.length > MAX_ENTRIES) return `its value ${name} has ${value.length} entries; ${MAX_ENTRIES} at most`
  for (const [n, each] of value.entries()) {
    const why = whyNotSingle(`${name}[${n}]`, each)
    if (why) return why
  }
  return undefined
}

const whyNotSingle = (name: string, value: unknown): string | undefined => {
  if (typeof value === 'number' || typeof value === 'boolean') return undefined
  if (typeof value !== 'string')
    return `its value ${name} is ${kindOf(value)}; values are numbers, texts, true, false, and lists of them`
  return value.length > MAX_CHARACTERS
    ? `its value ${name} has ${value.length} characters; ${MAX_CHARACTERS} at most`
    : undefined
}

/** odd: what JSON cannot say comes as an object that has it in words. */
const kindOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value !== 'object') return `a ${typeof value}`
  const { odd } = value as { readonly odd?: unknown }
  return typeof odd === 'string' ? odd : 'an object'
}
