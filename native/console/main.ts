// The process of one terminal: it loads the addon, so that the control process loads none, and carries bytes between
// the terminal and a socket. It lives no longer than its program, and its program no longer than the service: when the
// channel to the service breaks, for whatever reason, it ends all that its session has started.
import { flushCompileCache } from 'node:module'
import { Socket } from 'node:net'
import { constants, setPriority } from 'node:os'
import { loadPty, openPty, type Pty } from './pty.ts'
import { endProcesses, statOf } from './session-processes.ts'
import { Typed } from './typed.ts'
import { BYTES_FD, type FromTerminal, type ProgramLine, SESSION_MARK, type ToTerminal } from './wire.ts'

const MAX_TYPED_BYTES = 64 * 1024 // that the program has not read yet
const REST_LIMIT_MS = 2_000 // a terminal that a process of another user holds open is closed all the same
/** Pictures go before what a person does in a shell. The service runs with more than its share, and this with less. */
const PRIORITY = 5

const bytes = new Socket({ fd: BYTES_FD, readable: true, writable: true })
let pty: Pty | undefined
let mark = ''
let isEnding = false

const tell = (message: FromTerminal): void => {
  if (process.connected) process.send?.(message)
}

const endAll = (): Promise<void> =>
  endProcesses({ isMark: (each) => each === mark, ...(pty && { terminal: pty.pid }) }).catch(() => {})

/** The service has ended, or wants the session ended. */
const end = async (): Promise<void> => {
  if (isEnding) return
  isEnding = true
  await endAll()
  process.exit(0)
}

const start = (line: ProgramLine): void => {
  mark = line.env[SESSION_MARK] ?? ''
  try {
    pty = openPty(loadPty(), line, (code, signal) => void programEnded(code, signal))
  } catch (error) {
    tell({ type: 'failed', why: error instanceof Error ? error.message : String(error) })
    return
  }
  join(pty)
  tell({ type: 'started', pid: pty.pid })
  flushCompileCache()
}

/** Joins the terminal and the socket: neither is read faster than the other takes it. */
const join = (terminal: Pty): void => {
  const { stream } = terminal
  const typed = new Typed(terminal, () => bytes.resume())
  let isGathering = false
  stream.on('data', (chunk: Buffer) => {
    // a terminal gives 4 KiB at a time, and many of these before anything else happens: they go out as one
    if (!isGathering) {
      isGathering = true
      bytes.cork()
      setImmediate(() => {
        isGathering = false
        bytes.uncork()
      })
    }
    if (!bytes.write(chunk)) stream.pause()
  })
  stream.on('error', () => {}) // no process has the terminal open any more; `close` follows
  bytes.on('drain', () => stream.resume())
  bytes.on('data', (chunk: Buffer) => {
    typed.push(chunk)
    if (typed.length > MAX_TYPED_BYTES) bytes.pause()
  })
}

/** What it has left in the background is ended, which closes the terminal; then the rest of its output is read. */
const programEnded = async (code: number, signal: number): Promise<void> => {
  if (isEnding || !pty) return
  const { stream } = pty
  const read = stream.closed ? Promise.resolve() : new Promise<void>((done) => void stream.once('close', () => done()))
  await endAll()
  const limit = setInterval(() => {
    if (!stream.isPaused()) stream.destroy()
  }, REST_LIMIT_MS)
  await read
  clearInterval(limit)
  const how = { exitCode: signal === 0 ? code : null, signal: signalName(signal) }
  bytes.end(() => {
    if (process.connected) process.send?.({ type: 'exited', ...how } satisfies FromTerminal, () => process.exit(0))
  })
}

const signalName = (number: number): string | null =>
  Object.entries(constants.signals).find(([, each]) => each === number)?.[0] ?? null

const signalForeground = async (name: NodeJS.Signals): Promise<void> => {
  const foreground = pty && (await statOf(pty.pid))?.foreground
  try {
    if (foreground !== undefined && foreground > 0) process.kill(-foreground, name)
  } catch {} // it has ended
}

// A terminal's Ctrl-C and a service manager's stop reach every process at once; the service decides when this one ends.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
process.on('SIGHUP', () => {})

setPriority(PRIORITY)
bytes.on('error', () => {}) // the service is gone; the channel says so as well
process.on('disconnect', () => void end())
process.on('message', (message: ToTerminal) => {
  if (message.type === 'start') start(message)
  else if (message.type === 'resize') pty?.resize(message.columns, message.rows)
  else void signalForeground(message.signal)
})
