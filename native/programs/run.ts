// Programs of the system, run for what they do: with a limit, and with a sentence when they do not do it.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { linuxPrograms } from './linux.ts'
import { complaintOf } from './port.ts'

const MAX_SHOWN = 80

const { run } = linuxPrograms()

/**
 * Runs a program, and gives what it printed. To stop waiting ends it.
 *
 * Fails with `device.failed` when it cannot be run, ends otherwise than with 0, or does not end within 10 s: what it
 * said last stands in the detail.
 */
export const runProgram = (program: string, ...args: readonly string[]): Effect.Effect<string, Fault> =>
  Effect.matchEffect(run({ program, args }), {
    onFailure: ({ text }) => Effect.fail<Fault>({ code: 'device.failed', detail: text }),
    onSuccess: (end) =>
      end.exitCode === 0
        ? Effect.succeed(end.stdout)
        : Effect.fail<Fault>({ code: 'device.failed', detail: complaintOf(program, end) }),
  })

/**
 * What a program of ours printed: one JSON value on each line. Fails with `device.failed` when it is something else:
 * that of another version, or cut off.
 */
export const jsonLines = <Value>(program: string, printed: string): Effect.Effect<readonly Value[], Fault> =>
  Effect.try({
    try: () =>
      printed
        .split('\n')
        .filter(Boolean)
        .map((line): Value => JSON.parse(line)),
    catch: (): Fault => ({
      code: 'device.failed',
      detail: oneLine`
        ${program} printed what cannot be read (${JSON.stringify(printed.slice(0, MAX_SHOWN))}); build it anew with: sh
        native/setup.sh
      `,
    }),
  })
