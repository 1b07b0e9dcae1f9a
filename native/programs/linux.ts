// The programs of a Linux system, as child processes. They speak English, so that what they print can be read here.
import { execFile, spawn } from 'node:child_process'
import * as Effect from 'effect/Effect'
import { Lines } from './lines.ts'
import type { ProgramEnd, ProgramFailure, ProgramOrder, ProgramsPort } from './port.ts'

const DEFAULT_LIMIT_MS = 10_000 // what asks another service of the system waits for that one too
const GRACE_MS = 500 // one that the kernel holds ends when its disk or its bus answers: nobody waits for that
const MAX_OUTPUT_BYTES = 1_048_576
const MAX_LINE_LENGTH = 65_536
const MAX_COMPLAINT_LENGTH = 4_096

/** `sbin` is missing in the path of many services and is where `ip` and `uhubctl` are. */
const environment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  LC_ALL: 'C.UTF-8',
  PATH: `${process.env.PATH ?? '/usr/bin:/bin'}:/usr/local/sbin:/usr/sbin:/sbin`,
})

/** The programs of this system. */
export const linuxPrograms = (): ProgramsPort => ({ run, listen })

/** Of why there is no process Node throws some, as that there is no memory for one, and tells others later. */
const orRefused = (
  program: string,
  start: (resume: (how: Effect.Effect<ProgramEnd, ProgramFailure>) => void) => Effect.Effect<void>,
) =>
  Effect.callback<ProgramEnd, ProgramFailure>((resume) => {
    try {
      return start(resume)
    } catch (error) {
      return resume(Effect.fail(failureOf(program, error as Ended, undefined)))
    }
  })

const run = ({ program, args, limitMs = DEFAULT_LIMIT_MS, maxOutputBytes = MAX_OUTPUT_BYTES }: ProgramOrder) =>
  orRefused(program, (resume) => {
    const options = {
      timeout: limitMs,
      killSignal: 'SIGKILL',
      maxBuffer: maxOutputBytes,
      env: environment(),
    } as const
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      clearTimeout(timer)
      const exitCode = error ? (error as Ended).code : 0
      if (typeof exitCode === 'number') resume(Effect.succeed({ exitCode, stdout, stderr }))
      else resume(Effect.fail(failureOf(program, error as Ended, limitMs)))
    })
    const timer = setTimeout(() => resume(late(program, limitMs)), limitMs + GRACE_MS)
    return Effect.sync(() => {
      clearTimeout(timer)
      child.kill('SIGKILL')
    })
  })

const listen = ({ program, args, limitMs, maxOutputBytes }: ProgramOrder, told: (line: string) => void) =>
  orRefused(program, (resume) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: environment() })
    const kill = () => {
      child.kill('SIGKILL')
      for (const stream of [child.stdout, child.stderr]) stream.destroy() // what it has started may hold them open
    }
    const atLimit = (ms: number) => {
      kill()
      timer = setTimeout(() => end(late(program, ms)), GRACE_MS)
    }
    // spawn's own limit goes on where there is no such program
    let timer = limitMs === undefined ? undefined : setTimeout(() => atLimit(limitMs), limitMs)
    const end = (how: Effect.Effect<ProgramEnd, ProgramFailure>) => {
      clearTimeout(timer)
      resume(how)
    }
    child.once('error', (error: Ended) => end(Effect.fail(failureOf(program, error, limitMs))))
    // where no file can be opened it has no pipes, either
    if (child.pid === undefined) return Effect.sync(() => clearTimeout(timer))
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-MAX_COMPLAINT_LENGTH)
    })
    const lines = new Lines(maxOutputBytes ?? MAX_LINE_LENGTH, told)
    let printed = 0
    let isTooMuch = false
    child.stdout.on('data', (bytes: Buffer) => {
      printed += bytes.length
      isTooMuch = maxOutputBytes !== undefined && printed > maxOutputBytes
      if (isTooMuch) kill()
      lines.take(bytes)
    })
    child.stdout.once('end', () => lines.end())
    child.once('close', (exitCode, signal) => {
      if (isTooMuch) end(Effect.fail(tooMuch(program)))
      else if (exitCode !== null) end(Effect.succeed({ exitCode, stdout: '', stderr }))
      else end(Effect.fail(failureOf(program, { signal, killed: child.killed } as Ended, limitMs)))
    })
    return Effect.sync(() => {
      clearTimeout(timer)
      kill()
    })
  })

interface Ended extends Error {
  readonly code?: string | number | null
  readonly killed?: boolean
  readonly signal?: NodeJS.Signals | null
}

const failureOf = (program: string, ended: Ended, limitMs: number | undefined): ProgramFailure => {
  const { code, killed, signal, message } = ended
  if (code === 'ENOENT') return { kind: 'missing', text: `${program} is not there` }
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return tooMuch(program)
  if (typeof code === 'string') return { kind: 'refused', text: `${program} cannot be run (${message})` }
  return killed && limitMs !== undefined
    ? { kind: 'late', text: `${program} did not end within ${limitMs / 1000} s and was stopped` }
    : { kind: 'stopped', text: `${program} was ended by ${signal}` }
}

const late = (program: string, limitMs: number) => Effect.fail(failureOf(program, { killed: true } as Ended, limitMs))

const tooMuch = (program: string): ProgramFailure => ({
  kind: 'stopped',
  text: `${program} printed more than is read and was stopped`,
})
