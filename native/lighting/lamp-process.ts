// The process that holds lamps, for as long as they are held.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Fault } from '../../machines/errors/fault.ts'
import { jsonIn } from '../../machines/schema/json.ts'
import { ALIVE_ORDER, playOrder } from './orders.ts'
import { DEFAULT_HOLD_MS, type LampFrame, type LampNews, type LitOutputs, MAX_HOLD_MS, MAX_PLANNED } from './port.ts'

/** An output that is held: which bytes of a frame are its own. */
export interface HeldPart {
  readonly id: string
  readonly from: number
  readonly to: number
}

/** What is started. */
export interface HeldOrder {
  readonly program: string
  readonly words: readonly string[]
  /** In the order of the words. */
  readonly parts: readonly HeldPart[]
}

const ALIVE_EVERY_MS = 500 // a fourth of the silence after which it puts all off
const MAX_UNANSWERED = 8
const START_LIMIT_MS = 6_000 // each channel of a PWM chip may wait a second for its rights
const END_LIMIT_MS = 3_000
const MAX_UNREAD_BYTES = 4_194_304
const MAX_COMPLAINT_LENGTH = 4_096

/** Starts it; resolves when all that can be had is taken and off. */
export const holdLamps = (order: HeldOrder, news: LampNews): Promise<LitOutputs | Fault> =>
  new Promise((resolve) => {
    const lamps = new LampProcess(order, news, resolve)
    lamps.start()
  })

class LampProcess {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #parts: readonly HeldPart[]
  readonly #news: LampNews
  readonly #opened: (held: LitOutputs | Fault) => void
  readonly #closed = Promise.withResolvers<void>()
  readonly #whole: number // bytes of a frame
  #state: 'starting' | 'held' | 'ending' | 'ended' = 'starting'
  #unanswered = 0 // signs of life
  #why: string | undefined
  #stderr = ''
  #limit: NodeJS.Timeout | undefined
  #alive: NodeJS.Timeout | undefined

  constructor({ program, words, parts }: HeldOrder, news: LampNews, opened: (held: LitOutputs | Fault) => void) {
    this.#parts = parts
    this.#news = news
    this.#opened = opened
    this.#whole = parts.at(-1)?.to ?? 0
    this.#child = spawn(program, words, { stdio: ['pipe', 'pipe', 'pipe'], env: {} })
  }

  start(): void {
    const child = this.#child
    child.once('error', ({ message }) => this.#end(`${message}; in a checkout it is built by: sh native/setup.sh`))
    if (child.pid === undefined) return // where no file can be opened it has no pipes, either
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-MAX_COMPLAINT_LENGTH)
    })
    child.stdin.on('error', () => {}) // it has ended, which is told by its end
    createInterface({ input: child.stdout }).on('line', (line) => this.#hear(line))
    child.once('close', (code, signal) => this.#end(this.#stderr.trim() || `it ended with ${code ?? signal}`))
    this.#limit = setTimeout(() => this.#giveUp(`it did not start within ${START_LIMIT_MS / 1000} s`), START_LIMIT_MS)
  }

  #hear(line: string): void {
    const { output, detail, ready, alive } = (jsonIn(line) ?? {}) as Readonly<Record<string, unknown>>
    if (alive === true) this.#unanswered = 0
    const part = typeof output === 'number' ? this.#parts[output] : undefined
    if (part && this.#state !== 'ending') this.#news.output?.(part.id, typeof detail === 'string' ? detail : null)
    if (typeof ready !== 'number' || ready === 0 || this.#state !== 'starting') return
    clearTimeout(this.#limit)
    this.#state = 'held'
    this.#alive = setInterval(() => this.#sayAlive(), ALIVE_EVERY_MS).unref()
    this.#opened({ play: (frames, hold_ms) => this.#play(frames, hold_ms), close: () => this.#close() })
  }

  #sayAlive(): void {
    if (this.#unanswered >= MAX_UNANSWERED) this.#giveUp('it does not answer: an output may hang')
    this.#unanswered += 1
    this.#child.stdin.write(ALIVE_ORDER)
  }

  #play(frames: readonly LampFrame[], hold_ms = DEFAULT_HOLD_MS): void {
    if (this.#state !== 'held' || frames.length === 0) return
    if (
      frames.length > MAX_PLANNED ||
      hold_ms > MAX_HOLD_MS ||
      frames.some(({ bytes }) => bytes.length < this.#whole)
    ) {
      this.#giveUp('what it was to play has another form than its outputs')
      return
    }
    this.#child.stdin.write(
      playOrder(
        frames.map(({ at_us, bytes }) => ({ at_us, bytes: this.#ownBytes(bytes) })),
        hold_ms,
      ),
    )
    if (this.#child.stdin.writableLength > MAX_UNREAD_BYTES) this.#giveUp('it does not read what it is to play')
  }

  /** Without those of outputs that are not there. */
  #ownBytes(bytes: Uint8Array): Uint8Array {
    return Buffer.concat(this.#parts.map(({ from, to }) => bytes.subarray(from, to)))
  }

  #close(): Promise<void> {
    if (this.#state === 'held') {
      this.#state = 'ending'
      clearInterval(this.#alive)
      this.#child.stdin.end()
      this.#limit = setTimeout(() => this.#forget(), END_LIMIT_MS)
    }
    return this.#closed.promise
  }

  /** It is told to put all off; one that does not hear is ended, and the next one puts off what it has left. */
  #giveUp(why: string): void {
    if (this.#why !== undefined) return
    this.#why = why
    this.#child.kill('SIGTERM')
    clearTimeout(this.#limit)
    this.#limit = setTimeout(() => this.#forget(), END_LIMIT_MS)
  }

  /** One that hangs in the kernel ends when its device answers, and not before: nobody waits for that. */
  #forget(): void {
    this.#child.kill('SIGKILL')
    this.#end(`it did not end within ${END_LIMIT_MS / 1000} s`)
  }

  #end(reason: string): void {
    if (this.#state === 'ended') return
    const before = this.#state
    this.#state = 'ended'
    clearTimeout(this.#limit)
    clearInterval(this.#alive)
    this.#closed.resolve()
    const fault = endFault(this.#child.spawnfile, this.#why ?? reason)
    if (before === 'starting') this.#opened(fault)
    if (before === 'held') this.#news.ended(fault)
  }
}

const endFault = (program: string, why: string): Fault => ({
  code: 'device.failed',
  detail: `the lamps are not held any more: ${program}: ${why}`,
})
