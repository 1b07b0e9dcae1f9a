// The files of a new project, made of the templates that lie beside this file. Each is called `<name>.txt` there: it is
// a text of another project, and no part of this one.
import { readdir, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { fillTemplate, type ProjectFile, titleFor } from '../../machines/ide/fill-template.ts'
import type { NewIdeProject } from '../../machines/ide/project.ts'
import { foldersOf } from '../../machines/ide/template.ts'
import { projectPath } from '../files/project-root.ts'

const ENDING = '.txt'

/** Sorted by path. Rejects where the templates are not there, which is a release that was put together wrong. */
export const templateFiles = async ({ name, template, title }: NewIdeProject): Promise<readonly ProjectFile[]> => {
  const found = new Map<string, string>()
  for (const folder of foldersOf(template)) {
    const root = projectPath(`native/ide/templates/${folder}`)
    const entries = await readdir(root, { recursive: true, withFileTypes: true })
    for (const entry of entries.filter((each) => each.isFile() && each.name.endsWith(ENDING))) {
      const path = join(entry.parentPath, entry.name)
      const inProject = path
        .slice(root.length + 1, -ENDING.length)
        .split(sep)
        .join('/')
      found.set(inProject, await readFile(path, 'utf8'))
    }
  }
  const files = [...found].map(([path, text]) => ({ path, text })).sort((a, b) => (a.path < b.path ? -1 : 1))
  return fillTemplate(files, { name, title: title ?? titleFor(name) })
}
