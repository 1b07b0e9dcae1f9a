// A file that one program is given to read, and nobody else.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'

/**
 * Uses a file with that content, which is gone afterwards, however that ended. `device.failed` where it cannot be
 * written.
 */
export const withPassingFile = <Value, Needs>(
  content: string | Uint8Array,
  use: (path: string) => Effect.Effect<Value, Fault, Needs>,
): Effect.Effect<Value, Fault, Needs> =>
  Effect.acquireUseRelease(
    attempt(() => mkdtemp(join(tmpdir(), 'vedette-passing-'))),
    (folder) => {
      const path = join(folder, 'content')
      return attempt(() => writeFile(path, content)).pipe(Effect.flatMap(() => use(path)))
    },
    (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true })),
  )

const attempt = <Value>(work: () => Promise<Value>): Effect.Effect<Value, Fault> =>
  Effect.tryPromise({
    try: work,
    catch: (error) => ({
      code: 'device.failed',
      detail: `a file for a program could not be written (${(error as NodeJS.ErrnoException).code})`,
    }),
  })
