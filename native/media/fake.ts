// Media without a data directory: for tests, and for a service without a device. The files lie in a folder of their own
// that goes with the process.
import { mkdtempSync, rmSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MediaFolder } from './folder.ts'
import { fakeEditor } from './picture-edit.ts'
import { FileMedia, type MediaStoreParts } from './store.ts'

const folders: string[] = []

/** The store as it is, on a temporary folder. */
export const fakeMedia = (parts: Omit<MediaStoreParts, 'folder'>): FileMedia => {
  const path = mkdtempSync(join(tmpdir(), 'vedette-media-'))
  if (folders.push(path) === 1)
    process.once('exit', () => {
      for (const each of folders) rmSync(each, { recursive: true, force: true })
    })
  return new FileMedia({ editor: fakeEditor(copyFile), ...parts, folder: new MediaFolder(path) })
}
