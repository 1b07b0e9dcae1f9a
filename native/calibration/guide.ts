// The program that guides a capture: it is given pictures and says what is to be seen in them, and where the board is
// to be held next. It lives as long as its scope; one order is under way at a time.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import * as Semaphore from 'effect/Semaphore'
import type { GuideAnswer } from '../../machines/calibration/capture/look.ts'
import type { FoundCorner, SquareSize } from '../../machines/calibration/task.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { jsonIn } from '../../machines/schema/json.ts'
import type { CaptureGuide, PictureSize } from './port.ts'

/** What can be other than usual, in tests. */
export interface GuideParts {
  readonly program: string
  readonly limitMs: number
}

const MAX_COMPLAINT_LENGTH = 4_096

/** Starts it. */
export const linuxGuide = (
  { program, limitMs }: GuideParts,
  { width_mm, height_mm }: SquareSize,
): Effect.Effect<CaptureGuide, Fault, Scope.Scope> =>
  Effect.gen(function* () {
    const child = yield* Effect.acquireRelease(
      Effect.sync(() => new GuideProcess(program, [`${width_mm / 1000}`, `${height_mm / 1000}`])),
      (started) => Effect.sync(() => started.kill()),
    )
    const one = yield* Semaphore.make(1)
    const order = (...pieces: readonly (string | Uint8Array)[]) =>
      one.withPermits(1)(
        Effect.timeoutOrElse(child.ask(pieces), {
          duration: limitMs,
          orElse: () => Effect.suspend(() => Effect.fail(child.tooSlow(limitMs))),
        }),
      )
    return {
      look: (picture) => order(`picture ${picture.length}\n`, picture),
      lookAt: (size, corners) => order(`corners ${textOf(size, corners)}`),
      take: (size, corners) => order(`take ${textOf(size, corners)}`),
      setBoard: ({ family, columns, rows, starts_white, marker_share }, { width_px, height_px }) =>
        order(
          ['board', family, columns, rows, starts_white ? 1 : 0, marker_share, width_px, `${height_px}\n`].join(' '),
        ),
    }
  })

const textOf = ({ width_px, height_px }: PictureSize, corners: readonly FoundCorner[]): string =>
  `${width_px} ${height_px} ${corners.length}\n${corners.map((each) => each.join(' ')).join('\n')}\n`

class GuideProcess {
  readonly #program: string
  readonly #child: ChildProcessWithoutNullStreams
  #answered: ((line: string) => void) | undefined
  #ended: (() => void) | undefined
  #stderr = ''
  #end: string | undefined

  constructor(program: string, args: readonly string[]) {
    this.#program = program
    this.#child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] })
    this.#child.once('error', ({ message }) => this.#stop(message))
    if (this.#child.pid === undefined) return // where no file can be opened it has no pipes, either
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-MAX_COMPLAINT_LENGTH)
    })
    this.#child.stdin.on('error', () => {}) // it has ended, which is told by its end
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#answered?.(line))
    this.#child.once('close', (code, signal) => this.#stop(this.#stderr.trim() || `it ended with ${code ?? signal}`))
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  /** One who asked and does not wait any more would get the next one's answer: it is ended. */
  ask(pieces: readonly (string | Uint8Array)[]): Effect.Effect<GuideAnswer, Fault> {
    return Effect.callback((resume) => {
      const finish = (answer: Effect.Effect<GuideAnswer, Fault>) => {
        this.#answered = undefined
        this.#ended = undefined
        resume(answer)
      }
      const failed = () => finish(Effect.fail(this.#died(this.#end ?? 'it ended')))
      if (this.#end !== undefined) return failed()
      this.#ended = failed
      this.#answered = (line) => {
        const answer = jsonIn(line)
        if (typeof answer === 'object' && answer !== null) return finish(Effect.succeed(answer as GuideAnswer))
        this.kill()
        finish(Effect.fail(this.#died('it printed what cannot be read')))
      }
      if (this.#child.pid !== undefined) for (const piece of pieces) this.#child.stdin.write(piece)
      return Effect.sync(() => this.kill())
    })
  }

  tooSlow(limitMs: number): Fault {
    return {
      code: 'calibration.too_slow',
      detail: `a picture was looked at for ${limitMs / 1000} s: choose a smaller mode of the camera`,
    }
  }

  #stop(why: string): void {
    this.#end ??= why
    this.#ended?.()
  }

  #died(why: string): Fault {
    return {
      code: 'calibration.child_died',
      detail: `what looks for the board (${this.#program}) has ended: ${why}; it is started again`,
    }
  }
}
