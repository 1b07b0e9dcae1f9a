// The thread that has the store, as others see it: nobody who asks it something holds up the process while the disk is
// slow.
import { Worker } from 'node:worker_threads'
import * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import type { Fault } from '../../machines/errors/fault.ts'
import type { AskedStore } from './asked-store.ts'
import type { Operations, StoreFile } from './sqlite-store.ts'
import type { StoreCall, StoreReport } from './sqlite-worker.ts'

// In a bundle this file is part of a larger one.
const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? 'sqlite-worker.ts' : '../documents/sqlite-worker.mjs',
  import.meta.url,
)

/** What it has in memory at a time is one question; what is left of it goes soon. */
const YOUNG_MB = 2

type Values<Name extends keyof Operations> = Parameters<Operations[Name]>
type Answer<Name extends keyof Operations> = ReturnType<Operations[Name]>
type Answered = (report: Extract<StoreReport, { readonly number: number }>) => void

const CLOSED: Fault = { code: 'storage.failed', detail: 'the settings are closed, since the service stops' }

/**
 * An open store in its thread. What breaks the thread itself is a bug, and ends the process like any other that nobody
 * catches.
 */
export class StoreThread implements AskedStore {
  readonly faults: readonly Fault[]
  readonly #worker: Worker
  readonly #waiting = new Map<number, Answered>()
  #calls = 0
  #hasEnded = false

  constructor(worker: Worker, faults: readonly Fault[]) {
    this.#worker = worker
    this.faults = faults
    worker.on('message', (report: StoreReport) => {
      if ('number' in report) this.#waiting.get(report.number)?.(report)
    })
    worker.once('exit', () => this.#ended())
    worker.unref() // it does not keep the process alive
  }

  /**
   * Questions are answered in the order in which they are asked. Not to be interrupted: what was asked for is done, and
   * who asked has to know.
   */
  ask<Name extends keyof Operations>(name: Name, ...values: Values<Name>): Effect.Effect<Answer<Name>, Fault> {
    return Effect.uninterruptible(
      Effect.callback((resume) => {
        if (this.#hasEnded) return resume(Effect.fail(CLOSED))
        this.#calls += 1
        const number = this.#calls
        this.#waiting.set(number, (report) => {
          this.#waiting.delete(number)
          if (this.#waiting.size === 0) this.#worker.unref()
          resume(report.type === 'fault' ? Effect.fail(report.fault) : Effect.succeed(report.value as Answer<Name>))
        })
        this.#worker.ref()
        this.#tell({ type: 'call', number, name, values } as StoreCall)
      }),
    )
  }

  /** When all that was asked for is done. */
  readonly close: Effect.Effect<void> = Effect.callback((resume) => {
    if (this.#hasEnded) return resume(Effect.void)
    this.#worker.ref()
    this.#worker.once('exit', () => resume(Effect.void))
    this.#tell({ type: 'close' })
  })

  #ended(): void {
    this.#hasEnded = true
    for (const [number, answered] of this.#waiting) answered({ type: 'fault', number, fault: CLOSED })
  }

  #tell(call: StoreCall): void {
    this.#worker.postMessage(call)
  }
}

/** Opens a store in a thread of its own, which ends with the scope. */
export const openThread = (where: StoreFile): Effect.Effect<StoreThread, Fault, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<StoreThread, Fault>((resume) => {
      const worker = new Worker(WORKER, {
        workerData: where,
        name: 'store',
        resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
      })
      worker.once('message', (report: StoreReport) => {
        if (report.type === 'opened') return resume(Effect.succeed(new StoreThread(worker, report.faults)))
        if (report.type === 'refused') worker.once('exit', () => resume(Effect.fail(report.fault)))
      })
    }),
    (thread) => thread.close,
  )
