// Programs of the system, run for what they do: with a limit, and with a sentence when they do not do it.

import { execFile } from 'node:child_process'
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { oneLine } from '../../machines/schema/one-line.ts'

const LIMIT_MS = 10_000 // what asks another service of the system waits for that one too
const MAX_SHOWN = 80
const MAX_OUTPUT_BYTES = 1_048_576

/**
 * Runs a program, and gives what it printed. To stop waiting ends it.
 *
 * Fails with `device.failed` when it cannot be run, ends otherwise than with 0, or does not end within 10 s: what it
 * said last stands in the detail.
 */
export const runProgram = (program: string, ...args: readonly string[]): Effect.Effect<string, Fault> =>
  Effect.callback((resume) => {
    const options = { timeout: LIMIT_MS, killSignal: 'SIGKILL', maxBuffer: MAX_OUTPUT_BYTES } as const
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      if (!error) resume(Effect.succeed(stdout))
      else resume(Effect.fail({ code: 'device.failed', detail: `${program} ${complaint(error, stderr)}` }))
    })
    return Effect.sync(() => child.kill('SIGKILL'))
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

const complaint = ({ code, killed, signal, message }: Ended, stderr: string): string => {
  if (code === 'ENOENT') return 'is not there'
  if (typeof code === 'string') return `cannot be run (${message})`
  if (killed) return `did not end within ${LIMIT_MS / 1000} s and was stopped`
  const last = stderr.trim().split('\n').at(-1)
  return `failed with ${code ?? signal}${last ? `: ${last}` : ''}`
}

interface Ended extends Error {
  readonly code?: string | number | null
  readonly killed?: boolean
  readonly signal?: NodeJS.Signals | null
}
