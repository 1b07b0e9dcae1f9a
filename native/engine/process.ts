// Engines as child processes: whatever native code does to its process, the control process goes on. A child lives as long as its scope.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/fault.ts'
import type { PictureWish } from '../../machines/picture.ts'
import type { PoseDocument } from '../../machines/pose.ts'
import type { ResultLayout } from '../../machines/result.ts'
import { type EngineChild, startChild } from './child.ts'
import type { Engine, EngineEvent, EngineOpened, EnginePort, EngineSinks } from './port.ts'
import { type Order, type Report, toDoubles } from './wire.ts'

const startFault: Fault = {
  code: 'engine.unavailable',
  detail: 'The vision engine did not start within 10 s; the machine may be overloaded.',
}
const pingFault: Fault = {
  code: 'engine.hung',
  detail: 'The vision engine of this stream does not answer within 1 s.',
}
const closeFault: Fault = {
  code: 'engine.hung',
  detail: 'The vision engine of this stream did not close its camera within 5 s.',
}
const openFault: Fault = {
  code: 'engine.hung',
  detail: 'The camera did not open within 10 s; its vision engine is ended. Check the cable, or restart the camera.',
}

/** Real engines. */
export const engineProcesses: EnginePort = {
  spawn: (name, sinks) =>
    Effect.gen(function* () {
      const talk = new Talk(sinks)
      const child = yield* Effect.acquireRelease(startChild(name, talk), (started) => started.end)
      yield* talk.ready
      return engineOf(child, talk)
    }),
}

const engineOf = (child: EngineChild, talk: Talk): Engine => {
  const ask = (order: (ask: number) => Order) => talk.reply((number) => child.send(order(number)))
  return {
    pid: child.pid,
    open: (job) =>
      ask((number) => ({ type: 'open', ask: number, job })).pipe(
        Effect.map((opened) => opened as EngineOpened),
        Effect.timeoutOrElse({
          duration: '10 seconds',
          orElse: () => {
            child.kill('its camera did not open') // a driver that never returns: another process has better chances
            return Effect.fail(openFault)
          },
        }),
      ),
    close: ask((number) => ({ type: 'close', ask: number })).pipe(
      Effect.asVoid,
      Effect.timeoutOrElse({ duration: '5 seconds', orElse: () => Effect.fail(closeFault) }),
    ),
    ping: ask((number) => ({ type: 'ping', ask: number })).pipe(
      Effect.asVoid,
      Effect.timeoutOrElse({
        duration: '1 second',
        orElse: () => {
          child.kill('it does not answer') // at once: asking it politely to end would cost another second without a camera
          return Effect.fail(pingFault)
        },
      }),
    ),
    wish: (wishes: readonly PictureWish[]) => child.send({ type: 'wish', wishes }),
    setMount: (mount: PoseDocument | null) => child.send({ type: 'mount', mount }),
    subscribe: (listener) => talk.subscribe(listener),
  }
}

type Reply = Effect.Effect<unknown, Fault>

const READY = 0

/** One conversation with an engine: who waits for which answer, and where everything else goes. */
class Talk {
  readonly #sinks: EngineSinks
  readonly #listeners = new Set<(event: EngineEvent) => void>()
  readonly #asks = new Map<number, (reply: Reply) => void>()
  #lastAsk = READY
  #layout: ResultLayout = { stages: [], outputs: [] }
  #exited: Fault | undefined

  constructor(sinks: EngineSinks) {
    this.#sinks = sinks
  }

  /** The child has loaded its addon. */
  readonly ready: Effect.Effect<void, Fault> = Effect.suspend(() => this.#answer(READY)).pipe(
    Effect.asVoid,
    Effect.timeoutOrElse({ duration: '10 seconds', orElse: () => Effect.fail(startFault) }),
  )

  /** Asks and waits for the answer. Fails at once when the process is gone. */
  reply(ask: (number: number) => void): Reply {
    return Effect.suspend(() => {
      if (this.#exited) return Effect.fail(this.#exited)
      this.#lastAsk += 1
      ask(this.#lastAsk)
      return this.#answer(this.#lastAsk)
    })
  }

  subscribe(listener: (event: EngineEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  readonly report = (report: Report, bytes: Uint8Array | undefined, isBorrowed: boolean): void => {
    if (report.type === 'result') {
      if (bytes) this.#sinks.results.set({ layout: this.#layout, data: toDoubles(bytes) })
    } else if (report.type === 'picture') {
      if (bytes) this.#sinks.picture({ ...report.picture, jpeg: isBorrowed ? Uint8Array.from(bytes) : bytes })
    } else if (report.type === 'event') this.#tell(report.event)
    else if (report.type === 'ready') this.#settle(READY, Effect.void)
    else if (report.type === 'answer') this.#settle(report.ask, report.fault ? Effect.fail(report.fault) : Effect.void)
    else {
      this.#layout = report.opened.layout // even when nobody waits for the answer any more: results of this layout follow
      this.#settle(report.ask, Effect.succeed(report.opened))
    }
  }

  readonly gone = (fault: Fault): void => {
    this.#exited = fault
    for (const ask of [...this.#asks.keys()]) this.#settle(ask, Effect.fail(fault))
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
    this.#asks.get(ask)?.(reply)
    this.#asks.delete(ask)
  }

  #tell(event: EngineEvent): void {
    for (const listener of [...this.#listeners]) listener(event)
  }
}
