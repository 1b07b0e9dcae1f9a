// Having on the disk what other programs of the system have written. A service without rights cannot open their files,
// so all of the file system is synced, which anybody may.
import * as Effect from 'effect/Effect'
import type { ProgramsPort } from './port.ts'

const LIMIT_MS = 8_000 // an answer of the API waits for it; a slow card that is recorded on takes its time

/**
 * Ends when all that was written is on the disk on which a folder lies. Never fails: what is not is there some seconds
 * later all the same, unless the power is cut before.
 */
export const syncFileSystem = ({ run }: Pick<ProgramsPort, 'run'>, folder: string): Effect.Effect<void> =>
  Effect.ignore(run({ program: 'sync', args: ['-f', folder], limitMs: LIMIT_MS }))
