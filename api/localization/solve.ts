// The newest round of all cameras.
import { DIRECTORY } from '../../actors/directory.ts'
import { LOCALIZATION } from '../../actors/localization/tokens.ts'
import { LocalizationSolve, solveExample, solveNow } from '../../machines/localization/solve-document.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import type { Given } from '../../machines/token.ts'
import { read } from '../endpoints/read.ts'

/** The needs of the row. */
export const solveNeeds = { directory: DIRECTORY, localization: LOCALIZATION }

/** The row. */
export const solveRow = ({ directory, localization }: Given<typeof solveNeeds>) =>
  read('GET', '/v1/localization/solve', {
    summary: 'Where the robot is, by all cameras together',
    about: oneLine`
      The newest round: the pose and how sure it is, and of each tag whether it counts, or why not. Live at \`GET
      /v1/results?localization=true\`.
    `,
    answer: LocalizationSolve,
    example: solveExample,
    get: () => solveNow(localization, directory),
  })
