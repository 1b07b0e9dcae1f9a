// An engine's process: started, listened to, ended. What is said over the wire is not its business.
import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import * as Effect from 'effect/Effect'
import type { Fault } from '../../../machines/errors/fault.ts'
import { projectPath } from '../../files/project-root.ts'
import { MODEL_FOLDER } from '../../models/folder.ts'
import { NO_TELEMETRY } from '../../models/runtime.ts'
import { encodeFrame, type FrameListener, FrameReader } from '../protocol/frames.ts'
import type { Order, ViewerMessage } from '../protocol/orders.ts'
import type { Report } from '../protocol/reports.ts'
import { socketPair } from './socket-pair.ts'
import { ViewerRecords } from './viewer-records.ts'

/** Who listens to a child. gone: called once, after everything that the child had written; not when we ended it. */
export interface ChildListener {
  readonly report: FrameListener<Report>
  readonly gone: (fault: Fault) => void
}

// In a bundle this file is part of a larger one.
const MAIN = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../process/main.ts' : '../engine/main.mjs', import.meta.url),
)
const COMPILE_CACHE = projectPath('node_modules/.cache/engine')
const STDERR_TAIL = 2048

// Little JavaScript runs in an engine: a small young generation, no helper threads.
const NODE_FLAGS = ['--max-semi-space-size=1', '--v8-pool-size=0']

/** Where memory ends, the kernel ends an engine, which costs one stream, and not the service: of at most 1000. */
const OOM_SCORE = '500'

/** To be ended sooner than others is allowed to everybody. */
const endSooner = (pid: number | undefined): void => {
  try {
    if (pid !== undefined) writeFileSync(`/proc/${pid}/oom_score_adj`, OOM_SCORE)
  } catch {} // it has ended, or there is no such file here
}

const unavailable = (error: unknown): Fault => ({
  code: 'engine.unavailable',
  detail: `A vision engine cannot be started: ${error instanceof Error ? error.message : error}.`,
})

/** Starts the process `name`; who starts it must end it. folder: where the models lie that its steps run. */
export const startChild = (name: string, listener: ChildListener, folder?: string): Effect.Effect<EngineChild, Fault> =>
  Effect.tryPromise({ try: () => start(name, listener, folder), catch: unavailable })

const start = async (name: string, listener: ChildListener, folder?: string): Promise<EngineChild> => {
  const reader = new FrameReader<Report>(listener.report)
  let child: EngineChild | undefined
  const { ours, theirs } = await socketPair((chunk) => {
    try {
      reader.push(chunk)
    } catch (error) {
      child?.kill(String(error))
    }
  })
  try {
    const records = viewerRecords()
    try {
      child = new EngineChild(spawnNode(name, theirs, records, folder), ours, records, listener.gone)
    } catch (error) {
      records?.close()
      throw error
    }
    return child
  } catch (error) {
    ours.destroy()
    throw error
  } finally {
    theirs.destroy()
  }
}

/** undefined: nowhere is room for it, so that pictures go through this process. */
const viewerRecords = (): ViewerRecords | undefined => {
  try {
    return new ViewerRecords()
  } catch {
    return undefined
  }
}

const spawnNode = (
  name: string,
  wire: Socket,
  records: ViewerRecords | undefined,
  folder: string | undefined,
): ChildProcess =>
  spawn(process.execPath, [...NODE_FLAGS, MAIN, name], {
    stdio: ['ignore', 'ignore', 'pipe', wire, ...(records ? (['ipc', records.fd] as const) : [])],
    env: {
      ...process.env,
      NODE_OPTIONS: '', // a debugger or profiler of the control process is not for its engines
      NODE_COMPILE_CACHE: getCompileCacheDir() ?? COMPILE_CACHE, // saves the 45 ms and 14 MB that stripping types takes
      UV_THREADPOOL_SIZE: '2',
      ...NO_TELEMETRY,
      ...(folder !== undefined && { [MODEL_FOLDER]: folder }),
    },
  })

/** A running engine process. */
export class EngineChild {
  readonly #child: ChildProcess
  readonly #wire: Socket
  readonly #gone: (fault: Fault) => void
  /** What its viewers are owed; undefined: it takes none. Closed by who made it. */
  readonly records: ViewerRecords | undefined
  #open = 2 // the process and the wire
  #stderr = ''
  #why: string | undefined
  #isEnding = false

  constructor(child: ChildProcess, wire: Socket, records: ViewerRecords | undefined, gone: (fault: Fault) => void) {
    this.#child = child
    this.#wire = wire
    this.records = records
    this.#gone = gone
    endSooner(child.pid)
    child.on('error', (error) => this.#startFailed(error))
    child.on('close', () => this.#closed())
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_TAIL)
    })
    wire.on('error', () => {}) // the process is gone; `close` follows
    wire.on('close', () => this.#closed())
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  send(order: Order, bytes?: Uint8Array): void {
    for (const chunk of encodeFrame(order, bytes)) this.#wire.write(chunk)
  }

  /** Sends a duplicate of a socket; this process keeps its own. failed: told when it cannot be sent. */
  hand(message: ViewerMessage, socket: Socket, failed: (why: string) => void): void {
    // Node would have the socket's server ask the child how many connections it has, and wait for it to close them.
    const withoutServer = Object.create(socket, { server: { value: undefined } }) as Socket
    this.#child.send(message, withoutServer, { keepOpen: true }, (error) => {
      if (error) failed(error.message)
    })
  }

  /** At once; `why` is what the fault will name. */
  kill(why: string): void {
    this.#why ??= why
    this.#child.kill('SIGKILL')
  }

  /** Ends it: the child takes the end of its wire as the order, and is killed when it has not obeyed after 1 s. */
  readonly end: Effect.Effect<void> = Effect.suspend(() => {
    this.#isEnding = true
    this.#wire.destroy()
    const kill = Effect.sync(() => this.#child.kill('SIGKILL'))
    return this.#exitWithin1s.pipe(
      Effect.flatMap((hasExited) => (hasExited ? Effect.void : Effect.andThen(kill, this.#exitWithin1s))),
    )
  })

  /** Done when the process is gone. */
  readonly gone: Effect.Effect<void> = Effect.callback<void>((resume) => {
    const { exitCode, signalCode, pid } = this.#child
    if (exitCode !== null || signalCode !== null || pid === undefined) return resume(Effect.void)
    const done = () => resume(Effect.void)
    this.#child.once('exit', done)
    return Effect.sync(() => this.#child.off('exit', done))
  })

  readonly #exitWithin1s: Effect.Effect<boolean> = this.gone.pipe(
    Effect.as(true),
    Effect.timeoutOrElse({ duration: '1 second', orElse: () => Effect.succeed(false) }),
  )

  #startFailed(error: Error): void {
    if (this.#child.pid !== undefined) return
    this.#wire.destroy()
    if (!this.#isEnding) this.#gone(unavailable(error))
    this.#isEnding = true
  }

  #closed(): void {
    this.#open -= 1
    if (this.#open > 0 || this.#isEnding) return
    const { exitCode, signalCode } = this.#child
    const how = this.#why ?? signalCode ?? `exit code ${exitCode}`
    const context = { signal: signalCode, exit_code: exitCode, stderr: this.#stderr }
    this.#gone({ code: 'engine.crashed', detail: `The vision engine of this stream stopped (${how}).`, context })
  }
}
