// Ids in addresses of other devices, which may have named them themselves.

/**
 * A part of a query that stays one, whatever is in it. Half a character, which no address can have, becomes a mark by
 * which nothing is called.
 */
export const queryPart = (text: string): string => encodeURIComponent(text.toWellFormed())

/** A part of a path that stays one, whatever is in it: also dots, which a URL would take for a way up. */
export const pathPart = (text: string): string => queryPart(text).replaceAll('.', '%2E')
