// Several names in one text, as a query has them.
import { oneLine } from './one-line.ts'
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

/** A schema of streams with commas between them; those of other devices with the peer and a colon before them. */
export const streamList = (purpose: string, example: string) =>
  Type.String({
    pattern: `^(?:${NAME}:)?${NAME}(,(?:${NAME}:)?${NAME}){0,47}$`,
    maxLength: 4000,
    description: oneLine`
      One id, or up to 48 with commas between them. A stream of another device stands here as
      \`GET /v1/streams?include=remote\` lists it, with the peer and a colon before its id. ${purpose}
    `,
    examples: [example],
  })

/** The names in such a text, each once and in one order, so that who asks the same gets the same. */
export const namesIn = (list: string): readonly string[] => [...new Set(list.split(','))].sort()
