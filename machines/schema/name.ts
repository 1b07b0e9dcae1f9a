// Names for people: what a camera, a field or this device is called. They stand on pages, in logs and in robot tables,
// so they are what they look like.
import { oneLine } from './one-line.ts'
import Type from './type.ts'

// No control characters, no marks of direction, no line ends, nothing else that changes how the text around it looks.
// The two joiners stay: emoji of several parts and Persian need them.
const UNSEEN = '\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}'
const JOINERS = '\\u200c|\\u200d'
const ANY = `(?:[^${UNSEEN}]|${JOINERS})`
const LAST = `(?:[^${UNSEEN}\\p{White_Space}]|${JOINERS})`

// Default_Ignorable_Code_Point has the Hangul fillers and the like, \u2800 is an empty Braille cell.
const SEEN = '[^\\p{C}\\p{White_Space}\\p{Default_Ignorable_Code_Point}\\u2800]'

const nameOf = (most: number): string => `^${SEEN}(?:${ANY}{0,${most - 2}}${LAST})?$`

const rulesOf = (most: number): string => oneLine`
  1 to ${most} characters that can be seen, with no blank at either end, no control characters and no marks of
  direction.
`

/** A name of at most `most` characters. about: what it is the name of. */
export const Name = (most: number, about: string) =>
  Type.String({ pattern: nameOf(most), description: `${rulesOf(most)} ${about}` })

/** The same for clients that send an empty one where they mean none. */
export const NameOrEmpty = (most: number, about: string) =>
  Type.String({ pattern: `^$|${nameOf(most)}`, description: `Nothing, or ${rulesOf(most)} ${about}` })

/** The name under which this device is known to the robot: no blanks and nothing that has a meaning in an address. */
export const ClientName = Type.String({
  pattern: '^[^@/\\s\\p{C}\\p{Default_Ignorable_Code_Point}\\u2800]{1,60}$',
  description: '1 to 60 characters that can be seen, without blanks, @ and /. The name of this device at the robot.',
  examples: ['vedette'],
})
