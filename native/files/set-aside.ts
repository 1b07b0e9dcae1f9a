// Keeps a file that cannot be used beside where it was, so that people can look at it and the place is free.
import { constants, copyFileSync, existsSync, renameSync, rmSync } from 'node:fs'

// The first ones tell most; more than a handful is a file that breaks at every start, and shall not fill the disk.
const MAX = 9

/**
 * The first of nine names that is free; when none is, the last, which is used again. nth: the name of that number, from
 * 1.
 */
export const nameAside = (
  nth: (n: number) => string,
  isFree: (name: string) => boolean = (name) => !existsSync(name),
): string => {
  const names = Array.from({ length: MAX }, (_, n) => nth(n + 1))
  return names.find(isFree) ?? (names.at(-1) as string)
}

/**
 * Renames `path` (a folder or a pipe, too) to `<path>.broken`, or with a number behind. Returns the new name; throws
 * the file system's error.
 */
export const setAside = (path: string): string => {
  const aside = freeName(path)
  rmSync(aside, { force: true, recursive: true })
  renameSync(path, aside)
  return aside
}

/** The same, but a copy: the file itself goes on being used. */
export const copyAside = (path: string): string => {
  const aside = freeName(path)
  copyFileSync(path, aside, constants.COPYFILE_FICLONE)
  return aside
}

const freeName = (path: string): string => nameAside((n) => `${path}.broken${n === 1 ? '' : `-${n}`}`)
