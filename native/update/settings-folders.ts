// Where each version has its settings, in the data directory.
import { join } from 'node:path'
import type { Disk } from './disk.ts'

/** The folder with the settings of all versions. */
export const settingsRoot = (dataDir: string): string => join(dataDir, 'settings')

/** The folder of the settings of a version. */
export const settingsFolder = (dataDir: string, name: string): string => join(settingsRoot(dataDir), name)

/**
 * Removes the settings of a version. Once it resolves the removal survives a power cut; the next start removes what is
 * left as `.part`.
 */
export const removeSettings = async (disk: Disk, dataDir: string, name: string): Promise<void> => {
  const folder = settingsRoot(dataDir)
  if (!(await disk.list(folder)).includes(name)) return
  const leaving = `${settingsFolder(dataDir, name)}.part`
  await disk.remove(leaving)
  await disk.rename(settingsFolder(dataDir, name), leaving)
  await disk.sync(folder)
  await disk.remove(leaving)
}
