// The terms of all that a release carries, a file for each package.
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Content } from '../update/bundle/release-folder.ts'
import type { LinkedLibrary } from './linked-libraries.ts'
import { nodePackage, type Parts } from './parts.ts'
import { isLicence } from './runtime-modules.ts'

interface Described {
  readonly name: string
  readonly version: string
  readonly license?: string
}

/** Throws a sentence when a package says nothing of its terms. packages: their folders, as `node_modules/ws`. */
export const licences = (
  root: string,
  packages: readonly string[],
  libraries: readonly LinkedLibrary[],
  parts: Parts,
): readonly Content[] => [
  { path: 'LICENSE', from: { file: join(root, 'LICENSE') } },
  { path: 'licenses/node.txt', from: { file: join(nodePackage(parts), 'LICENSE') } },
  ...uniquePaths(packages.map((folder) => licenceOfPackage(join(parts.modules, '..', folder)))),
  ...libraries.map(({ name, copyright }) => ({ path: `licenses/debian/${name}.txt`, from: { text: copyright } })),
]

/** The same version of a package may lie in several places. */
const uniquePaths = (contents: readonly Content[]): readonly Content[] => [
  ...new Map(contents.map((content) => [content.path, content])).values(),
]

const licenceOfPackage = (folder: string): Content => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Described
  const texts = globSync('*', { cwd: folder })
    .filter((each) => isLicence(basename(each)))
    .sort()
    .map((each) => readFileSync(join(folder, each), 'utf8'))
  if (texts.length === 0 && !license) throw new Error(`${name} says nothing of its licence; look what it is`)
  const head = `${name} ${version}, ${license ?? 'see below'}\n`
  const body = texts.length > 0 ? texts.join('\n\n') : textInReadme(folder)
  return { path: `licenses/npm/${name.replace('/', '+')}-${version}.txt`, from: { text: `${head}\n${body}` } }
}

/** Some have their terms at the end of what they tell of themselves; where there is none, its author is named. */
const textInReadme = (folder: string): string => {
  const [readme] = globSync('[Rr][Ee][Aa][Dd][Mm][Ee]*', { cwd: folder })
  const [, terms] =
    /^#+ *licen[cs]e\b[^\n]*\n([\s\S]*)/im.exec(readme ? readFileSync(join(folder, readme), 'utf8') : '') ?? []
  const { author, repository } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<
    string,
    unknown
  >
  return terms ?? `The package brings no text of it.\n${JSON.stringify({ author, repository }, null, 1)}\n`
}
