// Several names in one text, as a query has them.
import Type from './type.ts'

const NAME = '[a-z][a-z0-9_-]{0,39}'

/** A schema of ids with commas between them. */
export const nameList = (purpose: string, example: string) =>
  Type.String({
    pattern: `^${NAME}(,${NAME}){0,47}$`,
    maxLength: 2000,
    description: `One id, or up to 48 with commas between them. ${purpose}`,
    examples: [example],
  })

/** The names in such a text, each once and in one order, so that who asks the same gets the same. */
export const namesIn = (list: string): readonly string[] => [...new Set(list.split(','))].sort()
