// Runs all files of tests, or those that match what is given, the longest first, so that the end is not one lonely
// file, and those that can share a process many in one; says what each took, and refuses what takes too long. A few
// that fail run once more, by themselves.
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { filesAgain, unsteady } from './again.ts'
import { bundleTests } from './bundled.ts'
import { cpuSecondsOf, machineTime, shareOfMachine } from './cpu.ts'
import { play } from './play.ts'
import { type FileTime, LONGEST, tableOfFiles, tooLong } from './report.ts'
import { amongst, canShare, runTogether } from './together.ts'

// Three at a time on the two cores that this is made for: a fifth of the time a test waits for a process or a clock.
const CONCURRENCY = 3

/** Services that tests make of the sources. */
const DAEMONS = globSync('test/support/processes/{job,jumping,quick}-daemon.ts')

/** Beside what Node has compiled of them, and where packages are found. */
const MADE = 'node_modules/.cache/tests'

/** Whether what fails once is wrong, as those want to know who look for such tests. */
const isStrict = process.env.TESTS_ONCE === '1'

const folder = mkdtempSync(join(tmpdir(), 'vedette-times-'))
const cpuFile = join(folder, 'files.jsonl')
process.env.TEST_TIMES = cpuFile

const [, , ...patterns] = process.argv
const files = globSync(patterns.length > 0 ? patterns : ['test/**/*.test.ts']).sort()
const first = LONGEST.flatMap((pattern) => globSync(pattern))
const turn = (file: string): number => first.indexOf(file)
const isLong = (file: string): boolean => first.includes(file)
const alone = files.filter((file) => !canShare(file))
// Of what runs by hand, or where the service has no bundle, the sources are loaded.
const { TESTED_SERVICE: service } = process.env
rmSync(MADE, { recursive: true, force: true })
const made = service ? await bundleTests([...files, ...DAEMONS], MADE, service) : new Map<string, string>()
if (service) process.env.TESTED_FILES = resolve(MADE)
const placeOf = (file: string): string => made.get(file) ?? file
const sources = new Map([...made].map(([file, place]) => [place, file]))
const together = runTogether(files.filter(canShare), folder, placeOf)
const sourceOf = (path: string): string => sources.get(path) ?? path
const before = machineTime()

const { tests, failures } = await play(
  [
    ...alone
      .filter(isLong)
      .toSorted((a, b) => turn(a) - turn(b))
      .map(placeOf),
    ...amongst(
      alone.filter((file) => !isLong(file)).map(placeOf),
      together.map(({ path }) => path),
    ),
  ],
  CONCURRENCY,
  sourceOf,
)

const nameOf = (path: string): string => {
  const group = together.find((each) => each.path === path)
  return group ? `${group.files[0]} and ${group.files.length - 1} more` : sourceOf(path)
}

const times = readFileSync(cpuFile, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line) as FileTime)
  .map((time) => ({ ...time, file: nameOf(time.file) }))
const share = shareOfMachine(before, machineTime(), cpuSecondsOf())
const shareOfTest = share * Math.min(1, cpus().length / CONCURRENCY) // of those that ran at the same time
const failed = failures.map(({ file }) => file)
const late = tooLong(times, tests, shareOfTest, failed)

/** Whether what failed does so by itself. */
const isStillRed = async (): Promise<boolean> => {
  const again = isStrict
    ? []
    : filesAgain(
        failures,
        files.map((file) => resolve(file)),
      )
  if (again.length === 0) return failures.length > 0
  console.log('once more, by themselves:')
  const { failures: still } = await play(
    again.map((file) => placeOf(relative('.', file))),
    1,
    sourceOf,
  )
  if (still.length === 0) console.error(unsteady(failures))
  return still.length > 0
}

if (await isStillRed()) process.exitCode = 1
rmSync(folder, { recursive: true })
console.log(`${tableOfFiles(times)}\n${(share * 100).toFixed(0)} % of the machine were there for the tests`)
if (late.length > 0) {
  console.error(`too long, and not in the list of test/times/report.ts:\n${late.join('\n')}`)
  process.exitCode = 1
}
