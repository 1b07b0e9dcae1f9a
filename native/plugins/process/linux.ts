// The programs of plugins as processes of their own, each behind the launcher that confines it.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import * as Effect from 'effect/Effect'
import { type Fault, isFault } from '../../../machines/errors/fault.ts'
import type { InstalledPlugin } from '../../../machines/plugins/installed.ts'
import { confinementOf } from '../../../machines/plugins/process/confinement.ts'
import {
  type FromPlugin,
  MAX_PLUGIN_FRAME_BYTES,
  MAX_PLUGIN_VALUES,
  type ToPlugin,
} from '../../../machines/plugins/process/messages.ts'
import { whySaidIsWrong } from '../../../machines/plugins/process/said.ts'
import { encodeFrame, FrameReader } from '../../engine/protocol/frames.ts'
import { socketPair } from '../../engine/service/socket-pair.ts'
import { CONFINE_PROGRAM, confined, confinementIn, isOfLauncher, reasonIn } from '../../programs/confine.ts'
import { type Share, shareOf } from '../../programs/control-group.ts'
import { runtimeOf } from '../../programs/plugin-runtime.ts'
import { Intake } from './intake.ts'
import { Outbox } from './outbox.ts'
import { MAX_SHORT_BYTES, type PluginProgram, type PluginPrograms, type ProgramListener } from './port.ts'

/** Beyond this, what may be left out is. */
const ENOUGH_QUEUED_BYTES = 64 * 1024

const WIRE_RATE = { messages: 500, bytes: MAX_PLUGIN_FRAME_BYTES }
const PRINT_RATE = { messages: 50, bytes: 16 * 1024 }
const MAX_LINE_CHARACTERS = 2000
const END_LIMIT = '2 seconds'
const LAUNCHER_LIMIT_MS = 1_000 // within which the launcher ends all that it holds
const STUCK_MS = 10_000 // within which it has to answer a request: it may compute as long without reading

/** What can be other than usual, in tests. */
export interface LinuxProgramsParts {
  /** The launcher. */
  readonly launcher?: string
  /** How long it may read nothing, once something has no room. */
  readonly stuckMs?: number
}

export const linuxPluginPrograms = ({
  launcher = CONFINE_PROGRAM,
  stuckMs = STUCK_MS,
}: LinuxProgramsParts = {}): PluginPrograms => ({
  start: (plugin, listener) =>
    Effect.tryPromise({
      try: () => start(plugin, listener, { launcher, stuckMs }),
      catch: (error) => (isFault(error) ? error : failed(`It cannot be started: ${(error as Error).message}.`)),
    }),
})

const failed = (detail: string): Fault => ({ code: 'plugin.failed', detail })

const start = async (
  plugin: InstalledPlugin,
  listener: ProgramListener,
  { launcher, stuckMs }: Required<LinuxProgramsParts>,
): Promise<PluginProgram> => {
  const { manifest, folder, data_folder, granted } = plugin
  if (!manifest.program) throw failed('It has no program.')
  if (!existsSync(launcher))
    throw failed(
      'It is not started, since what would confine it is not built here (native/addon/build/vedette-confine).',
    )
  const { limits } = manifest
  const command = runtimeOf(manifest.program, folder, limits.memory_mb)
  if (isFault(command)) throw command
  const share = shareOf(limits)
  const { args, env } = confined({
    ...limits,
    ...(share && { cgroup: share.folder }),
    command,
    has_network: granted.includes('network'),
    read: [folder],
    write: [data_folder],
    cwd: folder,
  })
  let program: ConfinedProgram | undefined
  const { ours, theirs } = await socketPair((chunk) => program?.read(chunk))
  try {
    const child = spawn(launcher, args, { stdio: ['ignore', 'pipe', 'pipe', theirs], env })
    const group = share && { share, memory_mb: limits.memory_mb }
    program = new ConfinedProgram(child, ours, { listener, group, stuckMs })
    return program
  } catch (error) {
    share?.giveBack()
    ours.destroy()
    throw error
  } finally {
    theirs.destroy()
  }
}

/** What the kernel sees to. */
interface Group {
  readonly share: Share
  readonly memory_mb: number
}

/** What a program is looked after with. */
interface ProgramCare {
  readonly listener: ProgramListener
  readonly group: Group | undefined
  readonly stuckMs: number
}

/** A program behind its launcher. */
class ConfinedProgram implements PluginProgram {
  readonly #child: ChildProcess
  readonly #wire: Socket
  readonly #listener: ProgramListener
  readonly #intake: Intake
  readonly #outbox: Outbox
  readonly #reader: FrameReader<FromPlugin>
  readonly #prints: readonly PrintedLines[]
  readonly #waiting = new Set<() => void>()
  readonly #group: Group | undefined
  #open = 2 // the process and the wire: the wire is open for as long as anything runs that has it
  #why: string | undefined
  #isEnding = false
  #hasComplained = false
  #told: string | undefined // of why it ended, by the launcher or by who makes believe to be it
  #latest = ''
  #limit: NodeJS.Timeout | undefined

  constructor(child: ChildProcess, wire: Socket, { listener, group, stuckMs }: ProgramCare) {
    this.#child = child
    this.#group = group
    this.#wire = wire
    this.#listener = listener
    this.#outbox = new Outbox({
      write: (piece, done) => wire.write(piece, done),
      stuck: () => this.kill('it does not read what it is told'),
      stuckMs,
      shortBytes: MAX_SHORT_BYTES,
    })
    this.#intake = new Intake(WIRE_RATE, { pause: () => wire.pause(), resume: () => wire.resume() }, (slice) =>
      this.#reader.push(slice),
    )
    this.#reader = new FrameReader<FromPlugin>(
      (message, bytes, isBorrowed) => this.#hear(message, bytes && isBorrowed ? Uint8Array.from(bytes) : bytes),
      (error) => this.#refuse(error.message),
      MAX_PLUGIN_FRAME_BYTES,
      MAX_PLUGIN_VALUES,
    )
    const printsOf = (stream: Readable | null, told: (line: string) => void) =>
      stream ? [new PrintedLines(stream, told)] : []
    this.#prints = [
      ...printsOf(child.stdout, (line) => this.#printed(line)),
      ...printsOf(child.stderr, (line) => this.#complained(line)),
    ]
    child.on('error', (error) => {
      this.#why ??= `it cannot be started (${error.message})`
      if (child.pid === undefined) this.#closed()
    })
    child.on('exit', () => this.#finish())
    child.on('close', () => this.#closed())
    wire.on('error', () => {}) // `close` follows
    wire.on('close', () => {
      this.#outbox.close()
      this.#closed()
    })
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  read(chunk: Buffer): void {
    this.#intake.take(chunk)
  }

  readonly send = (message: ToPlugin, bytes?: Uint8Array, mayBeLeftOut = false): boolean => {
    if (this.#wire.destroyed || this.#isEnding) return false
    if (mayBeLeftOut && this.#outbox.queuedBytes > ENOUGH_QUEUED_BYTES) return false
    return this.#outbox.push(encodeFrame(message, bytes))
  }

  readonly kill = (why: string): void => {
    this.#why ??= why
    this.#endAll()
  }

  readonly end: Effect.Effect<void> = Effect.suspend(() => {
    this.send({ type: 'stop' })
    this.#isEnding = true
    this.#intake.finish()
    this.#child.kill('SIGTERM')
    return this.#ended.pipe(
      Effect.timeoutOrElse({
        duration: END_LIMIT,
        orElse: () =>
          Effect.andThen(
            Effect.sync(() => this.#endAll()),
            this.#ended,
          ),
      }),
    )
  })

  /** By its launcher: of one that is killed itself something may go on where there are no name spaces. */
  #endAll(): void {
    this.#child.kill('SIGQUIT')
    this.#limit ??= setTimeout(() => this.#child.kill('SIGKILL'), LAUNCHER_LIMIT_MS).unref()
  }

  /** Nothing of it runs any more. */
  readonly #ended: Effect.Effect<void> = Effect.callback<void>((resume) => {
    const done = () => resume(Effect.void)
    if (this.#open <= 0) return done()
    this.#waiting.add(done)
    return Effect.sync(() => this.#waiting.delete(done))
  })

  #hear(message: FromPlugin, bytes: Uint8Array | undefined): void {
    this.#intake.count()
    if (this.#isEnding) return
    const why = whySaidIsWrong(message)
    if (why === undefined) this.#listener.message(message, bytes)
    else this.#listener.refused(why)
  }

  #refuse(why: string): void {
    this.#intake.count()
    if (!this.#isEnding) this.#listener.refused(why)
  }

  /** On standard error, whose first line is the launcher's: what else looks like it is the program's. */
  #complained(line: string): void {
    const told = this.#hasComplained ? undefined : confinementIn(line)
    const by = told && confinementOf(told)
    this.#hasComplained = true
    if (by) {
      this.#listener.confined(by)
      return
    }
    this.#told = reasonIn(line) ?? this.#told
    this.#printed(line)
  }

  #printed(line: string): void {
    if (line !== '') this.#latest = line
    this.#listener.printed(line)
  }

  /** The last of what it said is heard; what it had too much of is dropped. */
  #finish(): void {
    this.#intake.finish()
    for (const print of this.#prints) print.finish()
  }

  #closed(): void {
    this.#open -= 1
    if (this.#open > 0) return
    clearTimeout(this.#limit)
    if (isOfLauncher(this.#child.exitCode)) this.#why ??= this.#told
    if (this.#group?.share.hasTakenTooMuch())
      this.#why ??= `it took more memory than the ${this.#group.memory_mb} MB of its limit`
    this.#group?.share.giveBack()
    for (const done of this.#waiting) done()
    if (this.#isEnding) return
    this.#isEnding = true
    this.#listener.gone(failed(this.#reason()))
  }

  #reason(): string {
    const { exitCode, signalCode } = this.#child
    if (this.#why !== undefined) return `It was ended: ${this.#why}.`
    const how =
      signalCode ?? (exitCode !== null && exitCode > 128 ? `signal ${exitCode - 128}` : `exit code ${exitCode}`)
    return `It stopped (${how})${this.#latest === '' ? '' : `; the last that it said is: ${this.#latest}`}.`
  }
}

/** The lines of a stream, at the rate at which they are looked at. */
class PrintedLines {
  readonly #intake: Intake
  readonly #told: (line: string) => void
  #rest = ''

  constructor(stream: Readable, told: (line: string) => void) {
    this.#told = told
    this.#intake = new Intake(PRINT_RATE, { pause: () => stream.pause(), resume: () => stream.resume() }, (slice) =>
      this.#push(slice),
    )
    stream.on('data', (chunk: Buffer) => this.#intake.take(chunk))
    stream.on('end', () => this.#tell(''))
  }

  finish(): void {
    this.#intake.finish()
  }

  #push(slice: Buffer): void {
    const lines = (this.#rest + slice.toString('utf8')).split('\n')
    this.#rest = (lines.pop() ?? '').slice(0, MAX_LINE_CHARACTERS)
    for (const line of lines) this.#tell(line)
  }

  #tell(line: string): void {
    const whole = line === '' ? this.#rest : line
    if (line === '') this.#rest = ''
    if (whole === '') return
    this.#intake.count()
    this.#told(whole.slice(0, MAX_LINE_CHARACTERS))
  }
}
