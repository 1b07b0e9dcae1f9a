// Where the project's own files lie. Sources and the bundle made of them lie at different depths: both find the root by
// what lies in it.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

const folderWith = (name: string, from: string): string => {
  const above = dirname(from)
  if (existsSync(join(from, name))) return from
  if (above === from) throw new Error(`no folder above ${import.meta.dirname} has a ${name}`)
  return folderWith(name, above)
}

const ROOT = folderWith('package.json', import.meta.dirname)

/** The absolute path of a file of the project. path: relative to the project's root. */
export const projectPath = (path: string): string => join(ROOT, path)
