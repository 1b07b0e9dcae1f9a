// Ids that nobody has yet, made from what people call things.
import { slug } from './slug.ts'

/** The ids or names that are taken. */
export interface Taken {
  readonly has: (id: string) => boolean
}

/** Of the 40 characters of an id; leaves room for a number. */
export const MAX_BASE_LENGTH = 36

/** `<base>-2`, or with the first number above that nobody has. */
export const numbered = (base: string, taken: Taken): string => {
  for (let n = 2; ; n += 1) {
    const id = `${base}-${n}`
    if (!taken.has(id)) return id
  }
}

/** An id made from a name, with a number when it is taken. otherwise: of a name that has no letter for it. */
export const freeId = (name: string | undefined, taken: Taken, otherwise: string): string => {
  const base = slug(name ?? '', MAX_BASE_LENGTH).replace(/^[^a-z]+/, '') || otherwise // ids begin with a letter
  return taken.has(base) ? numbered(base, taken) : base
}
