// Which names the files in an archive may have, whatever kind of archive it is: names that every disk can have, that
// lead nowhere else, and that no disk takes for one another.
import { quote } from '../schema/quote.ts'

const MAX_PATH_CHARACTERS = 200
const MAX_LEVELS = 16
const PLAIN = /^[a-zA-Z0-9._+@/-]+$/

/** What is wrong with the name of a file, after `the name "..." `; undefined: nothing. taken: names of the device. */
export const pathFlaw = (path: string, taken: readonly string[] = []): string | undefined => {
  if (path.length > MAX_PATH_CHARACTERS) return `has more than ${MAX_PATH_CHARACTERS} characters`
  if (!PLAIN.test(path)) return 'has other characters than a-z, A-Z, 0-9 and . _ + @ - /'
  const parts = path.split('/')
  if (parts.length > MAX_LEVELS) return `leads through more than ${MAX_LEVELS} folders`
  if (parts.some((part) => part === '' || part === '.' || part === '..'))
    return 'has an empty part, or one that is . or ..'
  return taken.includes(path.toLowerCase()) ? 'is taken: a file of this name is made on the device' : undefined
}

/** The names in an archive. */
export interface ArchiveNames {
  readonly files: readonly string[]
  /** Folders that stand in it by themselves, without a slash at the end. */
  readonly folders?: readonly string[]
  /** Names that the device gives itself, in lower case. */
  readonly taken?: readonly string[]
}

/**
 * What is wrong with all names, as a sentence; undefined: nothing. Disks may take names that differ in case for one, so
 * that they are one here.
 */
export const namesFlaw = ({ files: paths, folders: named = [], taken = [] }: ArchiveNames): string | undefined => {
  const files = new Set<string>()
  const folders = new Map<string, string>()
  for (const path of [...paths, ...named.map((folder) => `${folder}/`)]) {
    const isFolder = path.endsWith('/')
    const plain = isFolder ? path.slice(0, -1) : path
    const flaw = pathFlaw(plain, taken)
    if (flaw) return `the name ${quote(plain)} ${flaw}`
    const folded = plain.toLowerCase()
    if (!isFolder && files.has(folded)) return `the name ${path} stands in it twice, but for the case of letters`
    if (!isFolder) files.add(folded)
    for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
      const folder = path.slice(0, end)
      const known = folders.get(folder.toLowerCase()) ?? folder
      if (known !== folder) return `the folders ${known} and ${folder} differ only in the case of letters`
      folders.set(folder.toLowerCase(), folder)
    }
  }
  const both = [...folders].find(([folded]) => files.has(folded) || taken.includes(folded))
  return both && `${both[1]} is a file and a folder in it`
}
