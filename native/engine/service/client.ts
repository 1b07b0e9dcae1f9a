// What the service says to a running engine, and for how long it waits for what is answered.
import * as Effect from 'effect/Effect'
import {
  type EngineLimits,
  judgeStep,
  type Limits,
  LOOK_EVERY_MS,
  type StepWatch,
} from '../../../machines/engine/health.ts'
import type { FaultCode } from '../../../machines/errors/catalogue.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import type { Plan } from '../../../machines/pipeline/graph.ts'
import type { Engine } from '../port.ts'
import {
  type AnswerOf,
  type ArgumentsOf,
  type AskedName,
  askedOrder,
  isAnswerTo,
  toldMethods,
} from '../protocol/orders.ts'
import { readThreads } from '../threads.ts'
import type { EngineChild } from './child.ts'
import type { Conversation } from './conversation.ts'
import { withHangLimit } from './hang-limit.ts'

/** An opening that takes no longer needs no question. */
const ASK_EVERY = '2 seconds'

/** The process of an engine, as far as its client needs it. */
export type ClientChild = Pick<EngineChild, 'pid' | 'send' | 'kill' | 'gone'>

/** The engine of a running child. limits: how long each thing may take. */
export const engineClient = (
  child: ClientChild,
  conversation: Conversation,
  limits: EngineLimits,
): Omit<Engine, 'handover'> => {
  const { pid } = child
  const ask = <Name extends AskedName>(name: Name, ...said: ArgumentsOf<Name>): Effect.Effect<AnswerOf<Name>, Fault> =>
    Effect.flatMap(
      conversation.reply((number) => child.send(askedOrder(name, number, ...said))),
      (answer) => (isAnswerTo(name, answer) ? Effect.succeed(answer) : Effect.fail(noAnswer(name))),
    )
  /**
   * Ended at once: asking it politely would cost another second without a camera, and another process has better
   * chances with a stuck driver.
   */
  const ended = (detail: string): Fault => {
    child.kill('it hangs')
    return fault('engine.hung', detail)
  }
  const askPulseWithin = (within: Limits) =>
    withHangLimit(ask('ping'), { pid, threads: 'main', limits: within }, (why) =>
      ended(`The vision engine of this stream does not answer: ${why}.`),
    )
  const askPulse = askPulseWithin(limits.ping)
  /** Who waits for his turn knows nothing of the engine but whether it answers. */
  const whileItAnswers = <Value>(program: Effect.Effect<Value, Fault>): Effect.Effect<Value, Fault> =>
    Effect.raceFirst(program, Effect.forever(Effect.delay(askPulseWithin(limits.open), ASK_EVERY)))
  let step: StepWatch | undefined // outlives a ping: a step that takes long is asked about again and again
  const look = Effect.map(askPulse, (pulse) => {
    const load = readThreads(pid)?.worker ?? { cpuMs: 0, isRunnable: true }
    const { verdict, why, watch } = judgeStep(step, { pulse, load, atMs: performance.now() }, limits.step)
    step = watch
    return { verdict, why }
  })
  const ping: Effect.Effect<void, Fault> = Effect.flatMap(look, ({ verdict, why }) => {
    if (verdict === 'turns') return Effect.void
    if (verdict === 'unsure') return Effect.delay(ping, LOOK_EVERY_MS)
    return Effect.fail(ended(`The pipeline of this stream hangs: ${why}.`))
  })
  const makePlan = (
    order: { readonly plan: Plan; readonly is_trial?: boolean },
    hung: (why: string) => Fault,
  ): Effect.Effect<void, Fault> =>
    Effect.asVoid(conversation.planQueue.wait(ask('plan', order), { pid, threads: 'maker', limits: limits.open }, hung))
  const onRecord = { pid, threads: 'all', limits: limits.record } as const
  const onControls = { pid, threads: 'all', limits: limits.controls } as const
  return {
    ...toldMethods((order) => child.send(order)),
    pid,
    ping,
    open: (task) =>
      conversation.planQueue
        .wait(ask('open', task), { pid, threads: 'all', limits: limits.open }, (why) =>
          ended(
            `The camera does not open: ${why}. Its vision engine is ended; check the cable, or restart the camera.`,
          ),
        )
        .pipe(
          whileItAnswers,
          Effect.map((answer) => ({ ...answer.opened, layout: conversation.layoutOf(answer) })),
        ),
    setPlan: (plan) =>
      makePlan({ plan }, (why) =>
        ended(`The pipeline is not made: ${why}. Its vision engine is ended, and begun anew.`),
      ),
    // What runs is worth more than what is tried, which the engine drops when it is done with it.
    tryPlan: (plan) =>
      makePlan({ plan, is_trial: true }, (why) =>
        fault(
          'engine.bad_task',
          `it takes too long to be made here: ${why}. Try it again when the device has less to do, or with less in it`,
        ),
      ),
    startRecording: (order) => withHangLimit(ask('record-start', order), onRecord, (why) => diskFault('begin', why)),
    stopRecording: withHangLimit(ask('record-stop'), onRecord, (why) => diskFault('end', why)),
    gone: child.gone,
    controls: withHangLimit(ask('controls'), onControls, silentCamera),
    setControl: (id, value) => withHangLimit(ask('set-control', id, value), onControls, silentCamera),
    subscribe: (listener) => conversation.subscribe(listener),
  }
}

const fault = (code: FaultCode, detail: string): Fault => ({ code, detail })

const noAnswer = (name: AskedName): Fault =>
  fault('engine.failed', `The vision engine of this stream answered the order ${name} with something else.`)

/** A camera that does not answer is no reason to end its pictures. */
const silentCamera = (why: string): Fault =>
  fault('camera.unreadable', `The camera does not answer when it is asked about its controls: ${why}.`)

/** The disk, not the engine: that one is asked for its pulse elsewhere. */
const diskFault = (what: 'begin' | 'end', why: string): Fault =>
  fault('recording.failed', `The recording did not ${what}: ${why}. The disk may be overloaded or broken.`)
