// One step that JavaScript does: its channel, which stays, and its worker, which is made again when it ends.
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import {
  type HangWatch,
  hangReason,
  judgeStep,
  type StepWatch,
  startHangWatch,
  updateHangWatch,
} from '../../../../machines/engine/health.ts'
import { loadOfThreads } from '../../threads.ts'
import type { NativeHosts } from '../addon.ts'
import { HostMadeAgain } from './made-again.ts'
import type { HostedStep, HostType } from './module.ts'
import type { WorkerOrder, WorkerReport } from './worker.ts'

// In a bundle this file is part of a larger one.
const WORKER = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? 'worker.ts' : '../engine/host-worker.mjs', import.meta.url),
)

const YOUNG_MB = 4 // of the memory that is new; as much as an engine has for itself, and a little
const STACK_MB = 2 // a function that calls itself for ever is stopped after 20,000 calls

/** What becomes of a worker. preparing: it has not said that it is ready. ending: it is to end, and has not. */
type State = 'preparing' | 'working' | 'ending' | 'gone'

/** A worker sees no more of it than it needs. */
const environmentOf = ({ environment = [] }: HostType): NodeJS.ProcessEnv =>
  Object.fromEntries(environment.map((name) => [name, process.env[name]]))

/** Runs until end(). */
export class Host extends HostMadeAgain {
  readonly #native: NativeHosts
  readonly #step: HostedStep
  readonly #type: HostType
  /** Of its channel. */
  readonly number: number
  #worker: Worker | undefined
  #state: State = 'gone'
  #why: string | undefined
  #hangWatch: HangWatch | undefined
  #watch: StepWatch | undefined

  constructor(native: NativeHosts, step: HostedStep, type: HostType) {
    super()
    this.#native = native
    this.#step = step
    this.#type = type
    this.number = native.open()
    this.start()
  }

  get isUsed(): boolean {
    return !this.isEnded && this.#native.pulse(this.number).users > 0
  }

  /** To be called now and then: ends a worker that hangs, or has no memory left. */
  look(): void {
    if (this.#state === 'preparing') {
      this.#hangWatch = updateHangWatch(this.#hangWatch ?? startWatch(), this.#load(), performance.now())
      const why = hangReason(this.#hangWatch, this.#type.prepareLimits)
      if (why) this.#stop(`it does not get ready: ${why}`)
    } else if (this.#state === 'working') this.#lookAtWork()
  }

  /** Whoever waits for it is told at once that it is gone. Done when its worker has ended. */
  async end(): Promise<void> {
    this.endForGood()
    this.close()
    await this.#worker?.terminate()
  }

  protected start(): void {
    const { memoryMb } = this.#type
    this.#state = 'preparing'
    this.#why = undefined
    this.#hangWatch = undefined
    const order: WorkerOrder = { number: this.number, step: this.#step }
    const worker = new Worker(WORKER, {
      workerData: order,
      name: this.#name,
      env: environmentOf(this.#type),
      resourceLimits: {
        maxOldGenerationSizeMb: memoryMb(this.#step.params),
        maxYoungGenerationSizeMb: YOUNG_MB,
        stackSizeMb: STACK_MB,
      },
    })
    this.#worker = worker
    worker.on('message', (report: WorkerReport) => this.#heard(report))
    worker.on('error', (error: NodeJS.ErrnoException) => {
      this.#why ??= error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? this.#outOfMemory : `it broke: ${error.message}`
    })
    worker.once('exit', (code) => this.#over(`it ended by itself (exit code ${code})`))
  }

  get #name(): string {
    return `host ${this.number}` // that of its thread in the kernel, which keeps 15 letters
  }

  get #outOfMemory(): string {
    return `it needed more than ${this.#type.memoryMb(this.#step.params)} MB of memory`
  }

  #load() {
    return loadOfThreads(process.pid, this.#name)
  }

  #heard(report: WorkerReport): void {
    if (this.#state !== 'preparing') return
    if (report.type === 'refused') this.#stop(report.why)
    else this.#begin(report.labels)
  }

  #begin(labels: readonly string[]): void {
    this.#state = 'working'
    this.#watch = undefined
    this.begun(labels.length > 0 ? labels : undefined)
  }

  #lookAtWork(): void {
    const pulse = this.#native.pulse(this.number)
    if (!pulse.is_busy && !pulse.is_exhausted) {
      this.#watch = undefined
      return // what its thread does, the kernel tells in files: nobody reads them for a worker that rests
    }
    const load = this.#load()
    const { verdict, why, watch } = judgeStep(
      this.#watch,
      { pulse, load, atMs: performance.now() },
      this.#type.runLimits,
    )
    this.#watch = watch
    if (pulse.is_exhausted) this.#stop(this.#outOfMemory)
    else if (verdict === 'hangs') this.#stop(`it hangs: ${why}`)
  }

  /**
   * A call of native code that never returns keeps it from ending, and from being made again; the engine goes on
   * without it.
   */
  #stop(why: string): void {
    this.#why ??= why
    this.#state = 'ending'
    if (!this.isEnded) this.vacate(this.#why)
    void this.#worker?.terminate()
  }

  #over(otherwise: string): void {
    this.#state = 'gone'
    this.#worker = undefined
    this.gone(this.#why ?? otherwise)
  }

  protected close(): void {
    this.#native.close(this.number)
  }

  protected vacate(why: string): void {
    this.#native.setReason(this.number, why)
  }
}

const startWatch = (): HangWatch => startHangWatch({ cpuMs: 0, isRunnable: true }, performance.now())
