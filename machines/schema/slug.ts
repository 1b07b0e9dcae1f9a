// Names for machines, made from names for people.

/**
 * Lower case without accents, everything but letters, digits and _ as a single dash between them; empty when nothing is
 * left. longest: characters.
 */
export const slug = (name: string, longest: number): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .slice(0, longest)
    .replace(/^-+|-+$/g, '')
