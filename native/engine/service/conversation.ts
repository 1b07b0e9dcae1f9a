// What is said between the service and one engine: who waits for which answer, and where everything else goes.
import * as Effect from 'effect/Effect'
import type { ResultLayout } from '../../../machines/engine/result.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import type { EngineEvent, EngineSinks } from '../port.ts'
import type { Planned } from '../protocol/answers.ts'
import type { Report } from '../protocol/reports.ts'
import { Layouts, layoutFrom, resultFrom } from '../protocol/results.ts'
import { PlanQueue } from './plan-queue.ts'
import type { EngineHandover } from './viewer-handover.ts'

type Reply = Effect.Effect<unknown, Fault>

const READY = 0

/** One conversation with an engine: who waits for which answer, and where everything else goes. */
export class Conversation {
  readonly #sinks: EngineSinks
  readonly #listeners = new Set<(event: EngineEvent) => void>()
  readonly #asks = new Map<number, (reply: Reply) => void>()
  #lastAsk = READY
  readonly #layouts = new Layouts()
  #exited: Fault | undefined
  readonly planQueue = new PlanQueue()
  /** Told what is said about viewers; undefined: nobody is handed over. */
  handover: EngineHandover | undefined

  constructor(sinks: EngineSinks) {
    this.#sinks = sinks
  }

  /** The child has loaded its addon. */
  readonly ready: Reply = Effect.suspend(() => this.#answer(READY))

  /** Asks and waits for the answer. Fails at once when the process is gone. */
  reply(ask: (number: number) => void): Reply {
    return Effect.suspend(() => {
      if (this.#exited) return Effect.fail(this.#exited)
      this.#lastAsk += 1
      ask(this.#lastAsk)
      return this.#answer(this.#lastAsk)
    })
  }

  /** How the results of a plan that was answered are laid out: the object that these results have. */
  layoutOf({ plan, layout }: Planned): ResultLayout {
    return this.#layouts.ofPlan(plan) ?? layoutFrom(layout)
  }

  subscribe(listener: (event: EngineEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  readonly report = (report: Report, bytes: Uint8Array | undefined, isBorrowed: boolean): void => {
    if (report.type === 'result') {
      const result = bytes && resultFrom(bytes, this.#layouts)
      if (result) this.#sinks.results.set(result)
    } else if (report.type === 'picture') {
      const result = report.result && resultFrom(report.result, this.#layouts) // none of a plan that is not known yet
      if (bytes)
        this.#sinks.picture({
          ...report.picture,
          jpeg: isBorrowed ? new Uint8Array(bytes) : bytes,
          ...(result !== undefined && { result }),
        })
    } else if (report.type === 'video') {
      if (bytes) this.#sinks.video?.({ ...report.packet, bytes: isBorrowed ? new Uint8Array(bytes) : bytes })
    } else if (report.type === 'quiet') this.#sinks.noResult?.()
    else if (report.type === 'event') this.#tell(report.event)
    else if (report.type === 'ready') this.#settle(READY, Effect.void)
    else if (report.type === 'began') this.planQueue.began(report.ask)
    else if (report.type === 'answer')
      this.#settle(report.ask, report.fault ? Effect.fail(report.fault) : Effect.succeed(report.value))
    else if (report.type === 'opened' || report.type === 'planned') {
      this.#layouts.set(report.plan, layoutFrom(report.layout)) // though nobody waits any more: such results follow
      this.#settle(report.ask, Effect.succeed(report))
    } else this.handover?.report(report)
  }

  readonly gone = (fault: Fault): void => {
    this.#exited = fault
    for (const ask of [...this.#asks.keys()]) this.#settle(ask, Effect.fail(fault))
    this.handover?.close()
    this.#tell({ type: 'exited', fault })
  }

  #answer(ask: number): Reply {
    return Effect.callback<unknown, Fault>((resume) => {
      if (this.#exited) return resume(Effect.fail(this.#exited))
      this.#asks.set(ask, resume)
      return Effect.sync(() => this.#asks.delete(ask))
    })
  }

  #settle(ask: number, reply: Reply): void {
    this.planQueue.ended(ask)
    this.#asks.get(ask)?.(reply)
    this.#asks.delete(ask)
  }

  #tell(event: EngineEvent): void {
    for (const listener of [...this.#listeners]) listener(event)
  }
}
