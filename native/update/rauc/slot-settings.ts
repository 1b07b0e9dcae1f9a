// The settings that a system left in its slot the last time that it ran there.
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PACKAGED } from '../../../machines/update/release.ts'
import { settingsName } from '../../../machines/update/settings-name.ts'
import { syncFolderOf } from '../../files/atomic.ts'

/**
 * Removes them, at once: what is there now is newer, and its launcher makes a copy of that. slot: its name for the boot
 * loader.
 */
export const removeSlotSettings = async (dataDir: string, slot: string): Promise<void> => {
  const folder = join(dataDir, 'settings', settingsName(PACKAGED, slot))
  const leaving = `${folder}.part` // which a start removes, too
  await rm(leaving, { recursive: true, force: true })
  try {
    await rename(folder, leaving)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  syncFolderOf(folder)
  await rm(leaving, { recursive: true, force: true })
}
