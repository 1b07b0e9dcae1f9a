// Runs all files of tests, or those that match what is given, the longest first, so that the end is not one lonely
// file, and those that can share a process many in one; says what each took, and refuses what takes too long.
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { shortOrLong } from '../support/long.ts'
import { cpuSecondsOf, machineTime, shareOfMachine } from './cpu.ts'
import { type FileTime, LONGEST, type TestTime, tableOfFiles, tooLong } from './report.ts'
import { canShare, runTogether } from './together.ts'

const MINUTE_MS = 60_000
const TEST_LIMIT_MS = shortOrLong(10, 30) * MINUTE_MS // what a test forgot to limit ends by the test's name

// Three at a time on the two cores that this is made for: a fifth of the time a test waits for a process or a clock.
const CONCURRENCY = 3

const folder = mkdtempSync(join(tmpdir(), 'vedette-times-'))
const cpuFile = join(folder, 'files.jsonl')
process.env.TEST_TIMES = cpuFile

const [, , ...patterns] = process.argv
const files = globSync(patterns.length > 0 ? patterns : ['test/**/*.test.ts']).sort()
const first = LONGEST.flatMap((pattern) => globSync(pattern))
const turn = (file: string): number => (first.includes(file) ? first.indexOf(file) : first.length)
const alone = files.filter((file) => !canShare(file))
const together = runTogether(files.filter(canShare), folder)
const tests: TestTime[] = []
const before = machineTime()

const events = run({
  files: [...alone.toSorted((a, b) => turn(a) - turn(b)), ...together.map(({ path }) => path)],
  concurrency: CONCURRENCY,
  timeout: TEST_LIMIT_MS,
  execArgv: ['--import', join(import.meta.dirname, 'own-time.ts')],
})
events.on('test:fail', () => {
  process.exitCode = 1
})
for (const type of ['test:pass', 'test:fail'] as const)
  events.on(type, ({ name, nesting, file, details }) => {
    if (nesting === 0 && file) tests.push({ file, name, wallS: details.duration_ms / 1000 })
  })
events.compose(spec).pipe(process.stdout)

const fileTimes = (): readonly FileTime[] =>
  readFileSync(cpuFile, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as FileTime)
    .map((time) => ({ ...time, file: nameOf(time.file) }))

const nameOf = (path: string): string => {
  const group = together.find((each) => each.path === path)
  return group ? `${group.files[0]} and ${group.files.length - 1} more` : path
}

events.once('end', () => {
  const times = fileTimes()
  const share = shareOfMachine(before, machineTime(), cpuSecondsOf())
  const shareOfTest = share * Math.min(1, cpus().length / CONCURRENCY) // of those that ran at the same time
  rmSync(folder, { recursive: true })
  const late = tooLong(times, tests, shareOfTest)

  console.log(`${tableOfFiles(times)}\n${(share * 100).toFixed(0)} % of the machine were there for the tests`)
  if (late.length === 0) return
  console.error(`too long, and not in the list of test/times/report.ts:\n${late.join('\n')}`)
  process.exitCode = 1
})
