// Where models lie, for opening them by their names: a folder of media (native/media/folder.ts), which an engine is
// told in its environment.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { isModelName } from '../../machines/models/name.ts'

/** Of an engine's environment. */
export const MODEL_FOLDER = 'VEDETTE_MODEL_FOLDER'

/** A model's file, and that with the names of its classes, which may be missing. */
export interface ModelFiles {
  readonly path: string
  readonly classNames: string
}

/** undefined: no model can have such a name, or no folder of models was given. */
export const modelFiles = (name: unknown): ModelFiles | undefined => {
  const folder = process.env[MODEL_FOLDER]
  if (folder === undefined || !isModelName(name)) return undefined
  return { path: join(folder, name), classNames: join(folder, 'side-cars', `${name}.label`) }
}

/** Another one when the model was stored again, or the names of its classes. */
export const versionOfModel = (name: unknown): string => {
  const files = modelFiles(name)
  return files ? [files.path, files.classNames].map(versionOf).join(' ') : ''
}

const versionOf = (path: string): string => {
  try {
    const { ino, size, mtimeMs } = statSync(path)
    return `${ino}.${size}.${mtimeMs}`
  } catch {
    return '' // opening it says why
  }
}
