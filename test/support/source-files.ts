// The project's own TypeScript, read as text: what each file imports and what its code says without comments and
// strings.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** An import as it is written; path: of the file in this project, from its root, when it is one. */
export interface Import {
  readonly specifier: string
  readonly path: string | undefined
  readonly typeOnly: boolean
}

/** A source file. */
export interface SourceFile {
  /** From the project's root. */
  readonly path: string
  readonly folder: string
  readonly text: string
  /** Without comments and with empty strings. */
  readonly code: string
  readonly imports: readonly Import[]
}

const root = join(import.meta.dirname, '../..')

/** What is made of something else. */
const GENERATED = new Set(['ui/api/schema.d.ts'])

/** All `.ts` and `.tsx` files in the named folders of the root, in order of their paths. */
export const sourceFiles = (folders: readonly string[]): readonly SourceFile[] =>
  globSync(
    folders.map((folder) => `${folder}/**/*.{ts,tsx}`),
    { cwd: root },
  )
    .filter((path) => !GENERATED.has(path))
    .sort()
    .map((path) => readSource(path, readFileSync(join(root, path), 'utf8')))

/** Reads one file from its text. */
export const readSource = (path: string, text: string): SourceFile => ({
  path,
  folder: path.split('/')[0] as string,
  text,
  code: text.replace(COMMENT_OR_STRING, (found) => (found.startsWith('/') ? '' : "''")),
  imports: [...withoutComments(text).matchAll(IMPORT)].map(([statement, from, sideEffect, dynamic]) =>
    importOf(path, (from ?? sideEffect ?? dynamic) as string, /^(im|ex)port\s+type\b/.test(statement)),
  ),
})

const STRING = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/
const COMMENT = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/
const COMMENT_OR_STRING = new RegExp(`${COMMENT.source}|${STRING.source}`, 'g')
const IMPORT =
  /^(?:import|export)\b[^'"`;=]*?\bfrom\s*['"]([^'"]+)['"]|^import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm

const withoutComments = (text: string): string =>
  text.replace(COMMENT_OR_STRING, (found) => (found.startsWith('/') ? '' : found))

const importOf = (from: string, specifier: string, typeOnly: boolean): Import => ({
  specifier,
  path: specifier.startsWith('.') ? normalize(join(dirname(from), specifier)) : undefined,
  typeOnly,
})
