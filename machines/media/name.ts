// Names of media items: they are ids, parts of paths and names of files, so nothing that means something to any of them
// can stand in one.
import { slug } from '../schema/slug.ts'
import Type from '../schema/type.ts'
import { extensionOf, type MediaType } from './media-type.ts'

const MAX_STEM_LENGTH = 64 // of the part before the extension; leaves room for what is put behind it

const PATTERN = '^[a-z0-9_][a-z0-9_-]{0,79}\\.(jpg|png|mp4|mov|onnx)$'

/**
 * A name is made by the device, from what its sender calls the item. No two items have the same, and no name leads out
 * of the folder.
 */
export const MediaName = Type.String({
  pattern: PATTERN,
  description:
    'Of the item, which is its id: lower-case letters, digits, _ and -, and an extension that says what it is.',
  examples: ['front-20260131-142501.jpg'],
})

/** Whether it can be the name of an item. */
export const isMediaName = (text: string): boolean => new RegExp(PATTERN).test(text)

/** What the name of a new item is made of. */
interface RequestedName {
  readonly requested?: string
  readonly defaultName: string
  readonly type: MediaType
}

/**
 * The name of a new item: what was requested, without its extension and its folders, else `defaultName`; with a number
 * behind it when that is taken. It asks of a few names whether they are taken; of those the last that is not is the
 * answer.
 */
export function* newMediaName({
  requested = '',
  defaultName,
  type,
}: RequestedName): Generator<string, string, boolean> {
  const last = requested.split(/[/\\]/).at(-1) as string
  const stem =
    slug(last.replace(/\.[A-Za-z0-9]{1,5}$/, ''), MAX_STEM_LENGTH) || slug(defaultName, MAX_STEM_LENGTH) || 'item'
  const name = (n: number): string => `${stem}${n === 1 ? '' : `-${n}`}.${extensionOf(type)}`
  return name(yield* firstFree(name))
}

/**
 * A number from 1 on that is free, and the one before it is not. Of thousands of items of one name few are asked for:
 * numbers are given one after the other, so that the end of those that are taken is found by halves.
 */
function* firstFree(name: (n: number) => string): Generator<string, number, boolean> {
  let free = 1
  while (yield name(free)) free *= 2
  let taken = Math.floor(free / 2)
  while (free - taken > 1) {
    const between = Math.floor((free + taken) / 2)
    if (yield name(between)) taken = between
    else free = between
  }
  return free
}

/** What the edited version of an item is to be called: `front-edit`, `front-edit-2`; and not `front-edit-edit`. */
export const nameOfEdit = (name: string): string => `${name.replace(/\.\w+$/, '').replace(/-edit(-\d+)?$/, '')}-edit`

/**
 * What an item is called that nobody gave a name: whose it is and when it was, as the clock of the device has it, in
 * UTC.
 */
export const defaultStem = (of: string, iso: string): string =>
  `${of}-${iso.slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')}`
