// Terminals of this device: each in a process of its own, which loads the addon (main.ts).
import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import type { Duplex } from 'node:stream'
import { fileURLToPath } from 'node:url'
import * as Effect from 'effect/Effect'
import type { ProgramExit, TerminalSize } from '../../machines/console/session.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { projectPath } from '../files/project-root.ts'
import type { ConsolePort, TerminalListener, TerminalProgram, WantedProgram } from './port.ts'
import { lookAround, programLine } from './programs.ts'
import { endProcesses } from './session-processes.ts'
import { BYTES_FD, type FromTerminal, markOf, SESSION_MARK, type ToTerminal } from './wire.ts'

// In a bundle this file is part of a larger one.
const MAIN = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './main.ts' : '../console/main.mjs', import.meta.url),
)
const COMPILE_CACHE = projectPath('node_modules/.cache/console')

/** It carries bytes: a small young generation, no helper threads. */
const NODE_FLAGS = ['--max-semi-space-size=1', '--v8-pool-size=0']
const OOM_SCORE = '700' // of at most 1000: before an engine
const END_LIMIT = '4 seconds' // it ends what its session has left, which takes half of that at most
const STDERR_TAIL = 1024
/**
 * Typed, and not taken by the terminal: more than anybody pastes. As long as it has room the client is read, who says
 * behind a paste what he has drawn of it: a program that waits for that reads no more of the paste.
 */
const MAX_TYPED_BYTES = 4 * 1024 * 1024

const failed = (why: string): Fault => ({ code: 'console.failed', detail: `No terminal can be had: ${why}.` })

/** dataDir: of the service. */
export const linuxConsole = (dataDir: string): ConsolePort => ({
  look: lookAround,
  start: (wanted, listener) =>
    Effect.gen(function* () {
      const terminal = yield* Effect.acquireRelease(
        Effect.sync(() => new Terminal(wanted, markOf(dataDir, wanted.id), listener)),
        (each) => each.end,
      )
      yield* terminal.started
      return terminal
    }),
  endLeft: Effect.promise(() =>
    endProcesses({ isMark: (mark) => mark.startsWith(markOf(dataDir, '')) }).catch(() => {}),
  ),
})

/** A terminal and its process. */
class Terminal implements TerminalProgram {
  readonly #child: ChildProcess
  readonly #bytes: Duplex
  readonly #mark: string
  readonly #listener: TerminalListener
  #pid: number | undefined // of the program
  #exit: ProgramExit | undefined
  #why: string | undefined
  #stderr = ''
  #open = 3 // the process, its channel and the socket
  #isEnding = false
  #tellStart: ((fault: Fault | undefined) => void) | undefined

  constructor(wanted: WantedProgram, mark: string, listener: TerminalListener) {
    this.#mark = mark
    this.#listener = listener
    this.#child = spawn(process.execPath, [...NODE_FLAGS, MAIN], {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'ipc'],
      // its own leader: what a terminal of this service sends to its programs is not for it
      detached: true,
      env: { NODE_COMPILE_CACHE: getCompileCacheDir() ?? COMPILE_CACHE, UV_THREADPOOL_SIZE: '2' },
    })
    this.#bytes = this.#child.stdio[BYTES_FD] as Duplex
    endSooner(this.#child.pid)
    this.#child.on('error', (error) => this.#lost(error.message))
    this.#child.on('message', (message) => this.#hear(message as FromTerminal))
    this.#child.on('exit', () => this.#closed())
    this.#child.on('disconnect', () => this.#closed()) // after its last message, which may come behind its exit
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_TAIL)
    })
    this.#bytes.on('data', (chunk: Buffer) => listener.output(chunk))
    this.#bytes.on('drain', () => listener.drained())
    this.#bytes.on('error', () => {}) // the process is gone; `close` follows
    this.#bytes.on('close', () => this.#closed())
    void programLine(wanted, { [SESSION_MARK]: mark }).then(
      (line) => this.#say({ type: 'start', ...line }),
      (error: Error) => this.#lost(error.message),
    )
  }

  /** Done when its program runs. */
  readonly started: Effect.Effect<void, Fault> = Effect.callback<void, Fault>((resume) => {
    this.#tellStart = (fault) => resume(fault ? Effect.fail(fault) : Effect.void)
    if (this.#pid !== undefined) resume(Effect.void)
    else if (this.#why !== undefined) resume(Effect.fail(failed(this.#why)))
    return Effect.sync(() => {
      this.#tellStart = undefined
    })
  })

  write(bytes: Uint8Array): boolean {
    if (!this.#bytes.writable) return true
    return this.#bytes.write(bytes) || this.#bytes.writableLength <= MAX_TYPED_BYTES
  }

  pause(): void {
    this.#bytes.pause()
  }

  resume(): void {
    this.#bytes.resume()
  }

  resize({ columns, rows }: TerminalSize): void {
    this.#say({ type: 'resize', columns, rows })
  }

  signal(signal: Parameters<TerminalProgram['signal']>[0]): void {
    this.#say({ type: 'signal', signal })
  }

  /** Its process ends all that it has started when the channel breaks; where it cannot, it is done here. */
  readonly end: Effect.Effect<void> = Effect.suspend(() => {
    this.#isEnding = true
    if (this.#child.connected) this.#child.disconnect()
    this.#bytes.resume()
    const kill = Effect.sync(() => {
      this.#child.kill('SIGKILL')
      this.#bytes.destroy()
    })
    const rest = Effect.promise(() => this.#endRest())
    return this.#gone.pipe(
      Effect.timeoutOrElse({ duration: END_LIMIT, orElse: () => kill }),
      Effect.andThen(rest),
      Effect.andThen(Effect.sync(() => this.#bytes.destroy())),
    )
  })

  readonly #gone: Effect.Effect<void> = Effect.callback<void>((resume) => {
    const { exitCode, signalCode, pid } = this.#child
    if (exitCode !== null || signalCode !== null || pid === undefined) return resume(Effect.void)
    const done = () => resume(Effect.void)
    this.#child.once('exit', done)
    return Effect.sync(() => this.#child.off('exit', done))
  })

  #say(message: ToTerminal): void {
    // what it cannot be told any more: it has ended, which is heard
    if (this.#child.connected) this.#child.send(message, () => {})
  }

  #hear(message: FromTerminal): void {
    if (message.type === 'started') {
      this.#pid = message.pid
      this.#tellStart?.(undefined)
    } else if (message.type === 'failed') this.#lost(message.why)
    else this.#exit = { exitCode: message.exitCode, signal: message.signal }
  }

  #lost(why: string): void {
    this.#why ??= why
    if (this.#pid === undefined) this.#tellStart?.(failed(this.#why))
    this.#child.kill('SIGKILL')
  }

  /** Told when the process has ended and all that it has written is read. */
  #closed(): void {
    this.#open -= 1
    if (this.#open > 0 || this.#isEnding) return
    const { exitCode, signalCode } = this.#child
    const how = this.#why ?? `its process ended (${signalCode ?? `exit code ${exitCode}`}) ${this.#stderr}`.trim()
    if (this.#pid === undefined) this.#tellStart?.(failed(how))
    else this.#listener.ended(this.#exit ?? failed(how))
  }

  /** A process that was killed has ended nothing. */
  #endRest(): Promise<void> {
    const terminal = this.#pid
    return endProcesses({
      isMark: (mark) => mark === this.#mark,
      ...(terminal !== undefined && { terminal }),
    }).catch(() => {})
  }
}

/** To be ended sooner than others is allowed to everybody. What it starts is as it is. */
const endSooner = (pid: number | undefined): void => {
  try {
    if (pid !== undefined) writeFileSync(`/proc/${pid}/oom_score_adj`, OOM_SCORE)
  } catch {} // it has ended, or there is no such file here
}
