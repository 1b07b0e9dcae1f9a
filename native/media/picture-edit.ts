// Pictures changed by a program of its own: the control process decodes none.

import * as Effect from 'effect/Effect'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { argumentOf, type Edit, type PictureSize, sizeAfter } from '../../machines/media/edits.ts'
import { projectPath } from '../files/project-root.ts'
import { SerialQueue } from '../files/serial-queue.ts'
import { jsonLines, runProgram } from '../programs/run.ts'

/**
 * Makes a changed picture of another: files. size: of the picture. `media.invalid` when it cannot be decoded,
 * `device.failed` when the program fails.
 */
export type PictureEditor = (
  from: string,
  to: string,
  edits: readonly Edit[],
  size: PictureSize,
) => Promise<PictureSize | Fault>

const PROGRAM = projectPath('native/addon/build/picture-edit')

/** One at a time: a large picture takes a gigabyte. */
export const pictureProgram = (program: string = PROGRAM): PictureEditor => {
  const queue = new SerialQueue()
  return (from, to, edits) =>
    queue.inTurn(() =>
      Effect.runPromise(
        Effect.match(Effect.flatMap(runProgram(program, from, to, ...edits.map(argumentOf)), read), {
          onSuccess: (found) => found,
          onFailure: (fault) => fault,
        }),
      ),
    )
}

interface Printed extends PictureSize {
  readonly ok: boolean
  readonly detail?: string
}

const read = (printed: string): Effect.Effect<PictureSize, Fault> =>
  Effect.flatMap(jsonLines<Printed>('picture-edit', printed), ([line]) => {
    if (line?.ok) return Effect.succeed({ width_px: line.width_px, height_px: line.height_px })
    return Effect.fail<Fault>({ code: 'media.invalid', detail: `the picture cannot be changed: ${line?.detail}` })
  })

/** Copies the file and computes its size; for tests, and where there is no program. */
export const fakeEditor =
  (copy: (from: string, to: string) => Promise<void>): PictureEditor =>
  async (from, to, edits, size) => {
    const after = sizeAfter(size, edits)
    if (!isFault(after)) await copy(from, to)
    return after
  }
