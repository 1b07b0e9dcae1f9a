// Parameters of a detector whose default is another one for each tag family.
import type { TInteger, TNumber } from 'typebox'
import { TAG_FAMILIES, type TagFamily } from '../engine/result.ts'
import Type from '../schema/type.ts'

/** The keyword under which a parameter's schema carries its defaults; clients read it in the catalogue of node types. */
const KEYWORD = 'x-default-by-family'

type ByFamily = Readonly<Record<TagFamily, number>>

/**
 * A parameter that is null, for the default of each family, or one number for all of them.
 *
 * The document keeps the null: somebody who changes the families later gets the defaults of the new ones. A plan's step has one number for each
 * entry of its parameter `families`.
 */
export const familyDefault = (of: (TNumber | TInteger) & { description?: string }, defaults: ByFamily) => {
  const { description = '', ...range } = of
  const each = TAG_FAMILIES.map((family) => `${defaults[family]} for ${family}`).join(', ')
  return Type.Union([Type.Null(), range as TNumber], {
    default: null,
    description: `${description} null: ${each}.`,
    [KEYWORD]: defaults,
  })
}

/** Parameters as the engine takes them: what differs by family has become a list, one number for each of the families in use. */
export const byFamily = (
  properties: Readonly<Record<string, object>>,
  params: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const defaults = (properties[name] as { [KEYWORD]?: ByFamily } | undefined)?.[KEYWORD]
      if (!defaults) return [name, value]
      return [name, (params.families as readonly TagFamily[]).map((family) => value ?? defaults[family])]
    }),
  )
