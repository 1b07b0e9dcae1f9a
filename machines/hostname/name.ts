// Names that a device can have.
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'

/**
 * In both cases, since names are the same in either; stored in small letters. With a letter, since digits alone would
 * be an address.
 */
export const Hostname = Type.String({
  maxLength: 63,
  pattern: '^([0-9][0-9-]{0,61})?[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$',
  description: oneLine`
    1 to 63 letters, digits and -, with at least one letter, and no - at either end. Capital letters become small
    ones.
  `,
})

/** The name as it is stored. */
export const canonicalHostname = (name: string): string => name.toLowerCase()

/** The one name that every device has already. */
export const isTaken = (name: string): boolean => name === 'localhost'
