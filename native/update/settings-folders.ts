// Where each version has its settings, in the data directory.
import { join } from 'node:path'
import type { Disk } from './disk.ts'

/** The folder of the settings of a version. */
export const settingsFolder = (dataDir: string, name: string): string => join(dataDir, 'settings', name)

/** Removes the settings of a version; on the disk when it succeeds. */
export const removeSettings = async (disk: Disk, dataDir: string, name: string): Promise<void> => {
  const folder = join(dataDir, 'settings')
  if (!(await disk.list(folder)).includes(name)) return
  const leaving = `${settingsFolder(dataDir, name)}.part`
  await disk.remove(leaving)
  await disk.rename(settingsFolder(dataDir, name), leaving)
  await disk.sync(folder)
  await disk.remove(leaving)
}
