// What fails is run once more, by itself. A fault is there again, or most of them are; what a pause of a busy machine
// made fail is not, and is named in the end so that somebody mends it.
import { relative } from 'node:path'
import type { Failure } from './play.ts'

/** More files than these do not fail by chance. */
const MAX_AGAIN = 3

/** The files to run once more: none where a failure is of no file of tests, or where they are too many. */
export const filesAgain = (failures: readonly Failure[], known: readonly string[]): readonly string[] => {
  const files = [...new Set(failures.map(({ file }) => file))]
  return files.length <= MAX_AGAIN && files.every((file) => known.includes(file)) ? files : []
}

/** What people are told of tests that failed among the others, and not by themselves. */
export const unsteady = (failures: readonly Failure[]): string =>
  [
    'failed among the others, and not by itself: it judges by the clock, or met a rare fault. To be mended:',
    ...failures.map(({ file, name }) => `${relative('.', file)}: ${name}`),
  ].join('\n')
