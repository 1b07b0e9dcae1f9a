// Engines as child processes: whatever native code does to its process, the control process goes on. A child lives as long as its scope.
import * as Effect from 'effect/Effect'
import type { Control, ControlOutcome } from '../../../machines/engine/controls.ts'
import {
  type EngineLimits,
  judgeStep,
  LIMITS,
  LOOK_EVERY_MS,
  type Pulse,
  type StepWatch,
} from '../../../machines/engine/health.ts'
import type { ResultLayout } from '../../../machines/engine/result.ts'
import type { FaultCode } from '../../../machines/errors/catalogue.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import type { PoseDocument } from '../../../machines/localization/pose.ts'
import type { Plan } from '../../../machines/pipeline/graph.ts'
import type { RecordingProgress } from '../../../machines/recording/progress.ts'
import type { PictureKind } from '../../../machines/stream/picture.ts'
import type { Engine, EngineEvent, EngineOpened, EnginePort, EngineSinks } from '../port.ts'
import type { Order } from '../protocol/orders.ts'
import type { Report } from '../protocol/reports.ts'
import { Layouts, layoutFrom, resultFrom, type SentLayout } from '../protocol/results.ts'
import { readThreads } from '../threads.ts'
import { type EngineChild, startChild } from './child.ts'
import { patiently } from './hang-limit.ts'
import { endLeftEngines } from './left-engines.ts'
import { Turns } from './plan-queue.ts'
import { EngineDoor } from './viewer-handover.ts'

const fault = (code: FaultCode, detail: string): Fault => ({ code, detail })

/** Real engines. limits: how long each thing may take. folder: where the models lie that their pipelines run; without, they run none. */
export const engineProcesses = (limits: EngineLimits = LIMITS, folder?: string): EnginePort => ({
  endLeft: folder === undefined ? Effect.succeed([]) : Effect.promise(() => endLeftEngines(folder)),
  spawn: (name, sinks) =>
    Effect.gen(function* () {
      const conversation = new Conversation(sinks)
      const { child, door } = yield* Effect.acquireRelease(
        Effect.map(startChild(name, conversation, folder), (started) => {
          conversation.door = started.page && new EngineDoor(started, started.page)
          return { child: started, door: conversation.door }
        }),
        (started) =>
          Effect.andThen(
            started.child.end,
            Effect.sync(() => started.door?.close()),
          ),
      )
      yield* patiently(conversation.ready, { pid: child.pid, threads: 'all', limits: limits.start }, (why) =>
        fault('engine.unavailable', `The vision engine did not start: ${why}. The machine may be overloaded.`),
      )
      return { ...engineOf(child, conversation, limits), door: door ?? null }
    }),
})

const engineOf = (child: EngineChild, conversation: Conversation, limits: EngineLimits): Omit<Engine, 'door'> => {
  const { pid } = child
  const ask = (order: (ask: number) => Order) => conversation.reply((number) => child.send(order(number)))
  /** Ended at once: asking it politely would cost another second without a camera, and another process has better chances with a stuck driver. */
  const ended = (detail: string): Fault => {
    child.kill('it hangs')
    return fault('engine.hung', detail)
  }
  const askPulse = patiently(
    ask((number) => ({ type: 'ping', ask: number })),
    { pid, threads: 'main', limits: limits.ping },
    (why) => ended(`The vision engine of this stream does not answer: ${why}.`),
  )
  let step: StepWatch | undefined // outlives a ping: a step that takes long is asked about again and again
  const look = Effect.map(askPulse, (pulse) => {
    const load = readThreads(pid)?.worker ?? { cpuMs: 0, isRunnable: true }
    const { verdict, why, watch } = judgeStep(
      step,
      { pulse: pulse as Pulse, load, atMs: performance.now() },
      limits.step,
    )
    step = watch
    return { verdict, why }
  })
  const made = (
    order: { readonly plan: Plan; readonly is_trial?: boolean },
    hung: (why: string) => Fault,
  ): Effect.Effect<void, Fault> =>
    conversation.turns
      .wait(
        ask((number) => ({ type: 'plan', ask: number, ...order })),
        { pid, threads: 'maker', limits: limits.open },
        hung,
      )
      .pipe(Effect.asVoid)
  const onControls = { pid, threads: 'all', limits: limits.controls } as const
  /** A camera that does not answer is no reason to end its pictures. */
  const silent = (why: string): Fault =>
    fault('camera.unreadable', `The camera does not answer when it is asked about its controls: ${why}.`)
  const ping: Effect.Effect<void, Fault> = Effect.flatMap(look, ({ verdict, why }) => {
    if (verdict === 'turns') return Effect.void
    if (verdict === 'unsure') return Effect.delay(ping, LOOK_EVERY_MS)
    return Effect.fail(ended(`The pipeline of this stream hangs: ${why}.`))
  })
  return {
    pid,
    ping,
    open: (task) =>
      conversation.turns
        .wait(
          ask((number) => ({ type: 'open', ask: number, task })),
          { pid, threads: 'all', limits: limits.open },
          (why) =>
            ended(
              `The camera does not open: ${why}. Its vision engine is ended; check the cable, or restart the camera.`,
            ),
        )
        .pipe(Effect.map((opened) => opened as EngineOpened)),
    setPlan: (plan) =>
      made({ plan }, (why) => ended(`The pipeline is not made: ${why}. Its vision engine is ended, and begun anew.`)),
    // What runs is worth more than what is tried, which the engine drops when it is done with it.
    tryPlan: (plan) =>
      made({ plan, is_trial: true }, (why) =>
        fault(
          'engine.bad_task',
          `it takes too long to be made here: ${why}. Try it again when the device has less to do, or with less in it`,
        ),
      ),
    setParams: (steps) => child.send({ type: 'params', steps }),
    startRecording: (order) =>
      patiently(
        ask((number) => ({ type: 'record-start', ask: number, ...order })),
        { pid, threads: 'all', limits: limits.record },
        (why) => disk('begin', why),
      ).pipe(Effect.asVoid),
    stopRecording: patiently(
      ask((number) => ({ type: 'record-stop', ask: number })),
      { pid, threads: 'all', limits: limits.record },
      (why) => disk('end', why),
    ).pipe(Effect.map((progress) => progress as RecordingProgress)),
    gone: child.gone,
    controls: patiently(
      ask((number) => ({ type: 'controls', ask: number })),
      onControls,
      silent,
    ).pipe(Effect.map((controls) => controls as readonly Control[])),
    setControl: (id, value) =>
      patiently(
        ask((number) => ({ type: 'set-control', ask: number, id, value })),
        onControls,
        silent,
      ).pipe(Effect.map((outcome) => outcome as ControlOutcome)),
    setPictureKinds: (kinds: readonly PictureKind[]) => child.send({ type: 'picture-kinds', kinds }),
    setMount: (mount: PoseDocument | null) => child.send({ type: 'mount', mount }),
    setLive: (live) => child.send({ type: 'live', live }),
    setHeading: (heading) => child.send({ type: 'heading', heading }),
    setSourceClock: (clock) => child.send({ type: 'source-clock', clock }),
    setVideo: (wanted) => child.send({ type: 'video', wanted }),
    wantVideoKey: () => child.send({ type: 'video-key' }),
    setRewind: (max_bytes, is_paused = false) => child.send({ type: 'rewind', max_bytes, is_paused }),
    subscribe: (listener) => conversation.subscribe(listener),
  }
}

/** The disk, not the engine: that one is asked for its pulse elsewhere. */
const disk = (what: 'begin' | 'end', why: string): Fault =>
  fault('recording.failed', `The recording did not ${what}: ${why}. The disk may be overloaded or broken.`)

type Reply = Effect.Effect<unknown, Fault>

const READY = 0

/** One conversation with an engine: who waits for which answer, and where everything else goes. */
class Conversation {
  readonly #sinks: EngineSinks
  readonly #listeners = new Set<(event: EngineEvent) => void>()
  readonly #asks = new Map<number, (reply: Reply) => void>()
  #lastAsk = READY
  readonly #layouts = new Layouts()
  #exited: Fault | undefined
  readonly turns = new Turns()
  /** Told what is said about viewers; undefined: nobody is handed over. */
  door: EngineDoor | undefined

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
      if (bytes) this.#sinks.picture({ ...report.picture, jpeg: isBorrowed ? Uint8Array.from(bytes) : bytes })
    } else if (report.type === 'video') {
      if (bytes) this.#sinks.video?.({ ...report.packet, bytes: isBorrowed ? Uint8Array.from(bytes) : bytes })
    } else if (report.type === 'quiet') this.#sinks.quiet?.()
    else if (report.type === 'event') this.#tell(report.event)
    else if (report.type === 'ready') this.#settle(READY, Effect.void)
    else if (report.type === 'began') this.turns.began(report.ask)
    else if (report.type === 'answer')
      this.#settle(report.ask, report.fault ? Effect.fail(report.fault) : Effect.succeed(report.value))
    else if (report.type === 'opened')
      this.#settle(report.ask, Effect.succeed({ ...report.opened, layout: this.#known(report) }))
    else if (report.type === 'planned') {
      this.#known(report)
      this.#settle(report.ask, Effect.void)
    } else this.door?.report(report)
  }

  readonly gone = (fault: Fault): void => {
    this.#exited = fault
    for (const ask of [...this.#asks.keys()]) this.#settle(ask, Effect.fail(fault))
    this.door?.close()
    this.#tell({ type: 'exited', fault })
  }

  /** Even when nobody waits for the answer any more: results of this layout follow. */
  #known({ plan, layout }: { readonly plan: number; readonly layout: SentLayout }): ResultLayout {
    return this.#layouts.set(plan, layoutFrom(layout))
  }

  #answer(ask: number): Reply {
    return Effect.callback<unknown, Fault>((resume) => {
      if (this.#exited) return resume(Effect.fail(this.#exited))
      this.#asks.set(ask, resume)
      return Effect.sync(() => this.#asks.delete(ask))
    })
  }

  #settle(ask: number, reply: Reply): void {
    this.turns.ended(ask)
    this.#asks.get(ask)?.(reply)
    this.#asks.delete(ask)
  }

  #tell(event: EngineEvent): void {
    for (const listener of [...this.#listeners]) listener(event)
  }
}
