// Runs files of tests with the runner of Node, and tells of them as they go.
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { shortOrLong } from '../support/long.ts'
import type { TestTime } from './report.ts'

const MINUTE_MS = 60_000
const TEST_LIMIT_MS = shortOrLong(10, 30) * MINUTE_MS // what a test forgot to limit ends by the test's name

/** A test that failed, and the file that it stands in. */
export interface Failure {
  readonly file: string
  readonly name: string
}

/** What came of a run. */
export interface Played {
  readonly tests: readonly TestTime[]
  readonly failures: readonly Failure[]
}

/** Runs files, some at the same time. sourceOf: the file of the tests that were made into the one that runs. */
export const play = async (
  files: readonly string[],
  concurrency: number,
  sourceOf: (file: string) => string,
): Promise<Played> => {
  const tests: TestTime[] = []
  const failures: Failure[] = []
  const events = run({
    files: [...files],
    concurrency,
    timeout: TEST_LIMIT_MS,
    execArgv: ['--enable-source-maps', '--import', join(import.meta.dirname, 'own-time.ts')],
  })
  for (const type of ['test:pass', 'test:fail'] as const)
    events.on(type, ({ name, nesting, file = '', details }) => {
      const source = file && resolve(sourceOf(file))
      if (type === 'test:fail') failures.push({ file: source, name })
      if (nesting === 0 && source) tests.push({ file: source, name, wallS: details.duration_ms / 1000 })
    })
  events.compose(spec).pipe(process.stdout)
  await once(events, 'end')
  return { tests, failures }
}
