// Which files of tests run together in one process. To start Node, and to load what is tested, takes most files longer
// than their tests.
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Where what is tested is pure or has fakes around it. */
const PURE = /^test\/(machines|actors|api|supervisors|native|docs|package)\//

/** What starts a process, changes this one, or lasts as long as a file of tests: that file has a process of its own. */
const NEEDS_A_PROCESS = new RegExp(
  [
    /'node:(child_process|worker_threads)'/,
    /\bprocess\.(chdir|exit|on|once)\(/,
    /\bprocess\.env\.\w+ = |\bdelete process\.env\b/,
    /\bfileLifetime\(/,
    /^(before|after)(Each)?\(/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'm',
)

const MAX_TOGETHER = 20

/** What needs little to be loaded does not share a process with what needs all of the service. */
const needsLittle = (file: string): boolean => file.startsWith('test/machines/')

/** Files that run in one process. */
export interface Together {
  /** Of the file that imports them. */
  readonly path: string
  readonly files: readonly string[]
}

/** The files of tests' own support that a file imports. */
export const supportOf = (file: string, text: string): readonly string[] =>
  [...text.matchAll(/from '(\.[^']+\.ts)'/g)]
    .map(([, path = '']) => resolve(file, '..', path))
    .filter((path) => path.startsWith(resolve('test/support/')))

/** Whether a file of tests can share a process with others. */
export const canShare = (file: string): boolean => {
  if (!PURE.test(file)) return false
  const seen = new Set([resolve(file)])
  for (const path of seen) {
    const text = readFileSync(path, 'utf8')
    if (NEEDS_A_PROCESS.test(text)) return false
    for (const imported of supportOf(path, text)) seen.add(imported)
  }
  return true
}

/** Dealt out in turn: the files of a room, which take about as long as one another, come into several groups. */
const dealt = (files: readonly string[]): readonly (readonly string[])[] => {
  const count = Math.ceil(files.length / MAX_TOGETHER)
  return Array.from({ length: count }, (_, n) => files.filter((_file, at) => at % count === n))
}

/**
 * Writes into a folder the files that import those which can share a process, each of these once. placeOf: where a file
 * is loaded from.
 */
export const runTogether = (
  files: readonly string[],
  folder: string,
  placeOf: (file: string) => string = (file) => file,
): readonly Together[] => {
  const groups = [...dealt(files.filter((file) => !needsLittle(file))), ...dealt(files.filter(needsLittle))]
  return groups.map((some, n) => {
    const path = join(folder, `together-${n + 1}.test.mjs`)
    writeFileSync(path, some.map((file) => `import '${pathToFileURL(placeOf(file))}'\n`).join(''))
    return { path, files: some }
  })
}

const EARLY = 0.8 // of the order: a group that is begun last would be waited for alone

/**
 * One order of both: groups, which wait for clocks more than they compute, evenly among the files that compute, so that
 * neither is left for the end.
 */
export const amongst = <T>(files: readonly T[], groups: readonly T[]): readonly T[] => {
  const each = Math.max(1, Math.floor((EARLY * files.length) / groups.length))
  const mixed = files.flatMap((file, n) => (n % each === 0 ? [...groups.slice(n / each, n / each + 1), file] : [file]))
  return [...mixed, ...groups.slice(Math.ceil(files.length / each))]
}
