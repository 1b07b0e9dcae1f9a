// The service as its users have it: a process of its own, spoken to over real sockets. A test leaves no process and no
// folder behind.
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { afterEach, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { StreamView } from '../../../api/stream/wire.ts'
import type { StreamBandwidth } from '../../../machines/bandwidth/report.ts'
import type { ErrorEntry } from '../../../machines/errors/history.ts'
import type { StreamManifest } from '../../../machines/stream/manifest.ts'
import type { StreamState } from '../../../machines/stream/status.ts'
import { projectPath } from '../../../native/files/project-root.ts'
import type { Lifetime } from '../lifetime.ts'
import { arrival, until } from '../until.ts'

// `npm test` has it bundled once, as `npm start` does: that takes half the time to start. By hand it is the sources.
const MAIN = process.env.TESTED_SERVICE ?? fileURLToPath(new URL('../../../supervisors/main.ts', import.meta.url))
const TAIL = 2000 // of what a process wrote: the end says why it does not go on
/**
 * The service in a hurry: what has failed is tried again after a second. It breaks when it is told to; see its file.
 */
export const QUICK = fileURLToPath(new URL('quick-daemon.ts', import.meta.url))

/** For services that tests make of the sources: to strip types takes longer than all else of a start. */
const COMPILED = { NODE_COMPILE_CACHE: projectPath('node_modules/.cache/test') }

/** What a run of all tests has made of a service that tests make of the sources: that starts in half the time. */
const madeOf = (main: string): string => {
  const { TESTED_FILES: folder } = process.env
  if (!folder || !main.startsWith(import.meta.dirname)) return main
  return join(folder, relative(projectPath(''), main).replace(/\.ts$/, '.mjs'))
}

/** Flags by name, without dashes; true: one without a value. null leaves one of the usual ones out. */
export type Flags = Readonly<Record<string, string | true | null>>

/** Without the resource guard: what a test measures is not to depend on what else the machine does. */
const defaultFlags: Flags = { http: '127.0.0.1:0', nt4: 'off', guard: 'off', demo: '0', log: 'json:debug' }

/** How a process ended. */
export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** All it wrote. */
  readonly output: string
  /** Since it was started, or told to end. */
  readonly afterMs: number
}

/** A line of the log. */
export type LogLine = Readonly<Record<string, unknown>> & { readonly message: string }

/** An answer as it came. */
export interface Answer<Body> {
  readonly status: number
  readonly body: Body
}

/** A stream's figures as the API shows them. */
export interface StreamMetrics {
  readonly state: StreamState
  readonly engine_pid: number | null
  readonly restarts: number
  readonly viewers: number
  readonly viewers_of_engine: number
  readonly picture_kinds: number
  readonly bandwidth: StreamBandwidth | null
  readonly frames: number
  readonly skipped: number
}

/** A place where services run one after the other (or are refused) on one data directory, which outlives them. */
export interface Site {
  readonly dataDir: string
  /**
   * Starts the service and waits until it is ready. by: the command with its arguments that starts it, and becomes it;
   * none: it is started as it is.
   */
  readonly start: (flags?: Flags, by?: readonly string[]) => Promise<Daemon>
  /** Starts a service that is expected to end by itself, and waits for that. */
  readonly attempt: (flags?: Flags) => Promise<Ended>
}

const isTest = (lifetime: object): lifetime is TestContext & { readonly passed: boolean; readonly error: unknown } =>
  'passed' in lifetime

/**
 * Makes a site with an empty data directory. main: what is run there. extra: in the environment of its services, beside
 * the usual.
 */
export const site = (t: Lifetime, main = MAIN, extra: Readonly<Record<string, string>> = {}): Site => {
  const dataDir = temporaryFolder()
  const scratch = temporaryFolder() // a service that is killed cannot remove its temporary files
  const daemons: Daemon[] = []
  const showOutput = (test: TestContext) => {
    for (const daemon of daemons) test.diagnostic(`process ${daemon.pid} wrote:\n${daemon.output}`)
  }
  const launch = (flags: Flags, by: readonly string[] = []) => {
    const command = [...by, process.execPath, madeOf(main)]
    const env = { ...environment(scratch, extra), ...(main.startsWith(import.meta.dirname) && COMPILED) }
    const daemon = new Daemon({ 'data-dir': dataDir, ...defaultFlags, ...flags }, command, env)
    daemons.push(daemon)
    return daemon
  }
  t.after(async () => {
    for (const daemon of daemons) await daemon.end('SIGKILL')
    for (const folder of [dataDir, scratch]) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    if (isTest(t) && !t.passed) showOutput(t)
  })
  if (!isTest(t))
    afterEach((test) => {
      if (isTest(test) && test.error) showOutput(test)
    })
  return {
    dataDir,
    start: async (flags = {}, by = []) => {
      const daemon = launch(flags, by)
      await daemon.ready()
      return daemon
    },
    attempt: (flags = {}) => launch(flags).ended,
  }
}

/** A new empty folder; who makes it removes it. */
export const temporaryFolder = (inside: string = tmpdir()): string => {
  const folder = mkdtempSync(join(inside, 'vedette-test-'))
  folders.push(folder)
  return folder
}

/** Whether a process is there, be it stopped or not yet waited for. */
export const isRunning = (pid: number): boolean => existsSync(`/proc/${pid}`)

// Whatever way this process ends, nothing of it stays behind: neither children that are not known to have ended, nor
// folders.
const children = new Set<ChildProcess>()
const folders: string[] = []
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const environment = (scratch: string, extra: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(NODE|VEDETTE)_/.test(name))),
  TMPDIR: scratch,
  ...extra,
})

/** One run of the service. */
export class Daemon {
  readonly log: LogLine[] = []
  readonly #child: ChildProcess
  readonly #ended: Promise<Ended>
  readonly #ready = Promise.withResolvers<void>()
  #output = ''
  #startedMs = performance.now()
  #readyMs = 0

  /** command: to which the flags are added. env: all of it. */
  constructor(flags: Flags, command: readonly string[], env: NodeJS.ProcessEnv) {
    const given = Object.entries(flags).flatMap(([name, value]) => {
      if (value === null) return []
      return value === true ? [`--${name}`] : [`--${name}=${value}`]
    })
    const [program = '', ...words] = command
    this.#child = spawn(program, [...words, ...given], { stdio: ['ignore', 'pipe', 'pipe'], env })
    children.add(this.#child)
    const { stdout, stderr } = this.#child as ChildProcessByStdio<null, Readable, Readable>
    for (const stream of [stdout, stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text
      })
    createInterface(stdout).on('line', (line) => this.#read(line))
    this.#ended = this.#watch()
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  get output(): string {
    return this.#output
  }

  /** Of the API, without a slash at the end. */
  get url(): string {
    return this.#fact('url') ?? ''
  }

  /** Where the embedded NT4 server listens. */
  get nt4Port(): number {
    return Number(this.#fact('nt4')?.split(':').at(-1))
  }

  /** From the start of the process to the line that says it is ready. */
  get readyMs(): number {
    return this.#readyMs
  }

  /** Waits until it is ready; fails when it ends instead. */
  async ready(): Promise<void> {
    await this.#arrival('readiness', Promise.race([this.#ready.promise, this.#ended]))
    if (this.#readyMs === 0) throw new Error(`the service ended instead of getting ready:\n${this.#output}`)
  }

  /** Waits for the end. */
  get ended(): Promise<Ended> {
    return this.#arrival('end', this.#ended)
  }

  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<Ended> {
    this.#startedMs = performance.now()
    this.#child.kill(signal)
    return this.ended
  }

  /** Closes the pipe that its log goes into, as a terminal or a `tee` that is gone. Nothing more is read from it. */
  closeLog(): void {
    this.#child.stdout?.destroy()
    this.#child.stderr?.destroy()
  }

  /** token: an administrator's. */
  async send<Body = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    token?: string,
  ): Promise<Answer<Body>> {
    const headers = {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    }
    const exchange = async () => {
      const response = await fetch(this.url + path, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return [response.status, await response.text()] as const
    }
    const [status, text] = await this.#arrival(`answer to ${method} ${path}`, exchange())
    return { status, body: (text ? JSON.parse(text) : undefined) as Body }
  }

  /** The document at a path; fails when there is none. */
  async get<Body>(path: string): Promise<Body> {
    const { status, body } = await this.send<Body>('GET', path)
    if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`)
    return body
  }

  /** Creates a stream and waits until it is live. */
  async addStream(manifest: StreamManifest & { readonly id: string }): Promise<StreamView> {
    const { status, body } = await this.send('POST', '/v1/streams', manifest)
    if (status !== 200) throw new Error(`${manifest.id} was refused: ${JSON.stringify(body)}`)
    return this.stream(manifest.id, 'live')
  }

  /** A stream as soon as it is in a state. */
  stream(id: string, state: StreamState): Promise<StreamView> {
    const read = () => this.get<StreamView>(`/v1/streams/${id}`)
    return until(`${id} ${state}`, read, ({ status }) => status.state === state)
  }

  metrics(id: string): Promise<StreamMetrics> {
    return this.get(`/v1/streams/${id}/metrics`)
  }

  /** A picture of a stream, as soon as there is one. */
  async picture(id: string): Promise<Buffer> {
    const look = async () => {
      const response = await fetch(`${this.url}/v1/streams/${id}/frame`)
      return response.ok ? Buffer.from(await response.bytes()) : response.text()
    }
    return (await until(`a picture of ${id}`, look, Buffer.isBuffer)) as Buffer
  }

  /** The entry of the error history for a fault, as soon as there is one that is good. */
  async error(code: string, resource: string, isGood = (_: ErrorEntry): boolean => true): Promise<ErrorEntry> {
    const find = async () => {
      const { items: errors } = await this.get<{ items: ErrorEntry[] }>('/v1/errors')
      return errors.find((entry) => entry.code === code && entry.resource === resource)
    }
    const found = await until(`${code} of ${resource}`, find, (entry) => entry !== undefined && isGood(entry))
    return found as ErrorEntry
  }

  #fact(name: string): string | undefined {
    return this.log.find((line) => typeof line[name] === 'string')?.[name] as string | undefined
  }

  #read(line: string): void {
    if (!line.startsWith('{')) return
    this.log.push(JSON.parse(line))
    if (this.#readyMs > 0 || !this.url) return
    this.#readyMs = performance.now() - this.#startedMs
    this.#ready.resolve()
  }

  #arrival<T>(what: string, promise: Promise<T>): Promise<T> {
    return arrival(`the service's ${what}`, promise, () => this.#output.slice(-TAIL))
  }

  async #watch(): Promise<Ended> {
    const [code, signal] = (await once(this.#child, 'close')) as [number | null, NodeJS.Signals | null]
    children.delete(this.#child)
    return { code, signal, output: this.#output, afterMs: performance.now() - this.#startedMs }
  }
}
