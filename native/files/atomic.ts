// Files that are there whole or not at all, whenever the power goes: written beside the old one, synced, and put in its
// place in one step.
import { closeSync, fchmodSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** mode: the file's rights, whatever the previous ones and the umask are; as the umask says when it is left out. */
export interface WriteWholeOptions {
  readonly mode?: number
}

const DEFAULT_MODE = 0o666 // what Node gives a new file; the umask takes from it
const NOT_OFFERED = 'EINVAL' // some network file systems cannot sync a folder; the file itself is synced by then

/** Whether a file could not be written because there is no room left for it. */
export const isFullDisk = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes(String((error as NodeJS.ErrnoException).code))

/** The same of a large file, which may be larger than there may be any. */
export const isFullForFile = (error: unknown): boolean =>
  isFullDisk(error) || (error as NodeJS.ErrnoException).code === 'EFBIG'

// one name: what a power cut left is written over, not collected
const besideOf = (path: string): string => `${path}.next`

/**
 * Writes a file and returns when it is on the disk. A reader finds the old text or the new one, never a part, also
 * after a power cut. The folder must exist. Throws the file system's error; what stands there then is whole all the
 * same, as a rule the old text.
 */
export const writeFileWhole = (path: string, text: string | Uint8Array, { mode }: WriteWholeOptions = {}): void => {
  const beside = besideOf(path)
  rmSync(beside, { force: true }) // one left behind would keep its own rights
  try {
    const file = openSync(beside, 'wx', mode ?? DEFAULT_MODE)
    try {
      if (mode !== undefined) fchmodSync(file, mode)
      writeFileSync(file, text)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(beside, path)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
  syncFolderOf(path)
}

/** Has on the disk what a file holds, or a folder. */
export const syncFile = (path: string): void => {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Has on the disk under which name a file is. */
export const syncFolderOf = (path: string): void => {
  try {
    syncFile(dirname(path))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== NOT_OFFERED) throw error
  }
}

/**
 * The same without holding up the process: for what is written often while others wait. Two at a time on one path are a
 * mistake of the caller.
 */
export const writeFileWholeSoon = async (
  path: string,
  text: string | Uint8Array,
  { mode }: WriteWholeOptions = {},
): Promise<void> => {
  const beside = besideOf(path)
  await rm(beside, { force: true })
  try {
    await using file = await open(beside, 'wx', mode ?? DEFAULT_MODE)
    if (mode !== undefined) await file.chmod(mode)
    await file.writeFile(text)
    await file.sync()
    await rename(beside, path)
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  }
  await syncSoon(dirname(path))
}

/** Has on the disk what a file holds, or which names a folder has, without holding up the process. */
export const syncSoon = async (path: string): Promise<void> => {
  await using file = await open(path, 'r')
  await file.sync().catch((error: NodeJS.ErrnoException) => {
    if (error.code !== NOT_OFFERED) throw error
  })
}
