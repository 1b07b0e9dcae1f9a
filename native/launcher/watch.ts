// Runs the service as systemd would, where there is none: it has to say that it is ready, and from then on that it is
// well; else it is ended with all that it has started.
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { messageIn, WATCH_FD } from '../notify/messages.ts'

/** What is run, and how patiently. */
export interface Watched {
  readonly program: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly limits: WatchLimits
  /** Given the process when it was started. */
  readonly onStart: (child: ChildProcess) => void
}

/** How long it may take. */
export interface WatchLimits {
  /** From its start until it says that it is ready. */
  readonly readyMs: number
  /** Until it says again that it is well. */
  readonly watchdogMs: number
}

/** How a run ended: in the words of systemd.exec(5), and with which code this process may end for it. */
export interface WatchedEnd {
  readonly line: string
  readonly code: number
}

const FD = 3
const NOT_STARTED = 203 // what systemd says of a program that cannot be started
const KILLED = 1

/** Runs it until it ends; nothing of it is left then. */
export const runWatched = ({ program, args, env, limits, onStart }: Watched): Promise<WatchedEnd> => {
  const child = spawn(program, args, {
    detached: true, // a group of its own: engines end with it
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
    env: { ...env, [WATCH_FD]: String(FD), WATCHDOG_USEC: String(limits.watchdogMs * 1000) },
  })
  const { promise, resolve } = Promise.withResolvers<WatchedEnd>()
  let killedFor: string | undefined
  let timer: NodeJS.Timeout | undefined
  const allow = (ms: number, result: string): void => {
    clearTimeout(timer)
    const own = setTimeout(() => {
      // what was said while this process was stopped itself is read before the immediate
      setImmediate(() => {
        if (timer !== own) return
        killedFor = result
        endGroup(child)
      })
    }, ms)
    timer = own
  }
  let isReady = false
  const heed = (line: string): void => {
    const { name, value } = messageIn(line) ?? {}
    if (name === 'EXTEND_TIMEOUT_USEC') allow(Number(value) / 1000, isReady ? 'watchdog' : 'timeout')
    else if (name === 'READY' || (name === 'WATCHDOG' && isReady)) {
      isReady = true
      allow(limits.watchdogMs, 'watchdog')
    }
  }
  const over = (end: WatchedEnd): void => {
    clearTimeout(timer)
    timer = undefined
    endGroup(child)
    resolve(end)
  }
  allow(limits.readyMs, 'timeout')
  const pipe = child.stdio[FD] as Readable | null
  pipe?.on('error', () => {}) // it ends with the process
  if (pipe) createInterface(pipe).on('line', heed)
  child.once('error', () => over({ line: `exit-code exited ${NOT_STARTED}`, code: NOT_STARTED }))
  child.once('exit', (code, signal) => over(endOf(code, signal, killedFor)))
  onStart(child)
  return promise
}

const endOf = (code: number | null, signal: NodeJS.Signals | null, killedFor: string | undefined): WatchedEnd => {
  if (code === null) return { line: `${killedFor ?? 'signal'} killed ${signal?.slice('SIG'.length)}`, code: KILLED }
  return { line: `${code === 0 ? 'success' : 'exit-code'} exited ${code}`, code }
}

/** Ends a process and all of its group. */
export const endGroup = ({ pid }: ChildProcess): void => {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // it has ended by itself
  }
}
