// What `npm test` checks, and how parts of it are asked for: `npm run test:long -- --list` names them, and
// `npm run test:long -- PART...` checks only these.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { shortOrLong } from '../support/long.ts'
import { supportOf } from './together.ts'

/** A program that fails when something is wrong. */
export interface Check {
  readonly title: string
  readonly command: string
  readonly args: readonly string[]
}

const bin = (name: string): string => `node_modules/.bin/${name}`

/** Programs that tests run. */
const FOR_TESTS = ['step', 'allocations', 'colour-loop']

const IN_CPP = [
  'node-test',
  'scan-test',
  'scan-fuzz',
  'stream-test',
  'jpeg-exam',
  'capture-test',
  'calibration-test',
  'lamps-test',
]

// Of the detector's pictures, and of damaged JPEGs.
const chance = [`RUNS=${shortOrLong(1000, 20_000)}`, 'SEED=1']

const isOurs = (path: string): boolean => !/\/(build|node_modules)\//.test(path)

// Objects by their content, as native/setup.sh has them for tests; not by where a checkout lies, which -g would note.
const make = (...args: readonly string[]) => [
  '-s',
  '-Otarget',
  '-C',
  'native/addon',
  'CXX=CCACHE_NOHASHDIR=1 ccache g++',
  ...args,
]

// Several that share the work of one program look up the same types again: half of the computing.
const types = (title: string, folder: string): Check => ({
  title,
  command: bin('tsc'),
  args: ['--noEmit', '--checkers', '1', '-p', folder],
})

const TESTS = 'tests'

/**
 * Those of a row at once, in the order in which a mistake is cheapest to hear of. Tests wait for processes and clocks a
 * fifth of the time: meanwhile the programs in C++ are built, one object at a time, and run.
 */
export const rows: readonly (readonly Check[])[] = [
  [
    types('types', '.'),
    types('types of the page', 'ui'),
    types('types of the tests of the page', 'test/ui'),
    { title: 'lint and format', command: bin('biome'), args: ['ci', '--colors=off', '--error-on-warnings', '.'] },
    {
      title: 'format of C++',
      command: 'clang-format',
      args: ['--dry-run', '-Werror', ...globSync('{native,test}/**/*.{cc,h}').filter(isOurs)],
    },
  ],
  [
    { title: 'bundle', command: 'sh', args: ['native/bundle.sh'] },
    { title: 'programs for tests', command: 'make', args: make('-j2', ...FOR_TESTS) },
  ],
  [
    { title: TESTS, command: process.execPath, args: ['test/times/main.ts'] },
    { title: 'tests in C++', command: 'make', args: make('-j1', ...IN_CPP, ...chance) },
  ],
]

const readsLong = (file: string): boolean => {
  const seen = new Set([file])
  for (const path of seen) for (const each of supportOf(path, readFileSync(path, 'utf8'))) seen.add(each)
  return [...seen].some((path) => path.endsWith('/support/long.ts'))
}

/** Files of tests of which the long test plays more than the short one. */
export const filesPlayedLonger = (): readonly string[] =>
  globSync('test/**/*.test.ts')
    .filter((file) => readsLong(file))
    .sort()

/** What can be asked for by itself: titles of checks, and files of tests. */
export const parts = (): readonly string[] => [...rows.flat().map(({ title }) => title), ...filesPlayedLonger()]

/** The rows with what was asked for, or all of them; tests have what they need. Throws when there is no such part. */
export const rowsOf = (asked: readonly string[]): readonly (readonly Check[])[] => {
  if (asked.length === 0) return rows
  const titles = rows.flat().map(({ title }) => title)
  const files = asked.filter((part) => !titles.includes(part)).map((path) => relative('.', path))
  const lost = files.find((file) => !existsSync(file))
  if (lost !== undefined) throw new Error(`there is no part ${lost}; --list names them`)
  const hasTests = files.length > 0 || asked.includes(TESTS)
  const isAsked = ({ title }: Check) => asked.includes(title) || (hasTests && NEEDED_BY_TESTS.includes(title))
  const chosen = (check: Check): Check[] => {
    if (check.title === TESTS && files.length > 0) return [{ ...check, args: [...check.args, ...files] }]
    return isAsked(check) ? [check] : []
  }
  return rows.map((row) => row.flatMap(chosen)).filter((row) => row.length > 0)
}

const NEEDED_BY_TESTS = ['bundle', 'programs for tests']
