// Restarts that are ordered: what keeps one from being ordered, and the work of its job, which waits until nothing is
// interrupted, and is found again by the run that comes then.
import * as Effect from 'effect/Effect'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { hasEnded, type Job } from '../../machines/jobs/job.ts'
import { type DeviceUse, type WhenToInterrupt, waitsFor } from '../../machines/restart/device-use.ts'
import {
  endOfRestart,
  ORDERED_NOW,
  orderedAlready,
  RESTART_JOB,
  type RestartResult,
  type RestartTarget,
  robotIsEnabled,
} from '../../machines/restart/restart-order.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { restartStream } from '../../machines/stream/orders.ts'
import { type Clock, monotonicMs } from '../../native/clock/port.ts'
import type { RestartPort } from '../../native/restart/port.ts'
import { ask } from '../ask.ts'
import type { Directory } from '../directory.ts'
import type { Jobs, Work } from '../jobs/jobs.ts'
import type { StreamRegistry } from '../stream/stream-registry.ts'
import { untilHeard } from '../until-heard.ts'
import type { WatchDeviceUse } from './device-use.ts'

/** What it works with. */
export interface RestartParts {
  readonly port: RestartPort
  readonly watchUse: WatchDeviceUse
  readonly jobs: Pick<Jobs, 'all'>
  readonly directory: Pick<Directory, 'actor'>
  readonly streams: Pick<StreamRegistry, 'get'>
  readonly clock: Pick<Clock, 'monotonicUs'>
}

/** What is restarted. stream_id: for a stream. */
export interface WantedRestart {
  readonly target: RestartTarget
  readonly stream_id?: string
  readonly when: WhenToInterrupt
  readonly force: boolean
}

const MAX_END_MS = 60_000 // the service takes three seconds to end, a device half a minute
const MAX_STREAM_MS = 60_000 // a model takes as long to be read
const LOOK_EVERY_MS = 250
const MAX_CLAIM_MS = 20_000 // a job is on a slow disk by then, or is not ordered
const ANSWER_MS = 300 // whoever has ordered it is to be answered by this run

export class Restarts {
  readonly #parts: RestartParts
  /** When one was let through whose job is not known yet. */
  #claimedMs = Number.NEGATIVE_INFINITY

  constructor(parts: RestartParts) {
    this.#parts = parts
  }

  /** Why it is not ordered; undefined: it is. */
  async refusal({ target, when, force }: WantedRestart): Promise<Fault | undefined> {
    const { port } = this.#parts
    const open = this.#open()
    if (open) return orderedAlready(open.id)
    if (when === 'now' && !force && this.#use().robotEnabled) return robotIsEnabled
    if (target === 'stream') return undefined
    const check = Effect.match(port.check(target), { onSuccess: () => undefined, onFailure: (fault) => fault })
    return Effect.runPromise(check)
  }

  /** The same for the one who orders it now: until its job has begun no other is let through. */
  async claim(wanted: WantedRestart): Promise<Fault | undefined> {
    const refusal = await this.refusal(wanted)
    if (refusal) return refusal
    const open = this.#open() // since it was asked whether that is possible
    if (open) return orderedAlready(open.id)
    const nowMs = monotonicMs(this.#parts.clock)
    if (nowMs - this.#claimedMs < MAX_CLAIM_MS) return ORDERED_NOW
    this.#claimedMs = nowMs
    return undefined
  }

  /** It was not ordered after all. */
  release(): void {
    this.#claimedMs = Number.NEGATIVE_INFINITY
  }

  /** Its job's work. */
  work(wanted: WantedRestart): Work {
    return (report) =>
      Effect.gen({ self: this }, function* () {
        this.release()
        yield* this.#parts.port.takeNote // of one that was cancelled
        yield* this.#untilFree(wanted, (reasons) => report({ stage: 'waiting', message: `it waits: ${reasons}` }))
        report({ stage: 'restarting', message: 'it is being restarted' })
        const { target, stream_id } = wanted
        return target === 'stream' ? yield* this.#stream(stream_id ?? '') : yield* this.#run(target)
      })
  }

  /** The work of one that an earlier run had begun: it says how that ended. */
  resume({ resource_ref }: Pick<Job, 'resource_ref'>): Work {
    return () =>
      Effect.gen({ self: this }, function* () {
        const { port, clock } = this.#parts
        const run = { bootId: yield* port.bootId, nowUs: clock.monotonicUs() }
        const end = endOfRestart(resource_ref.target as RestartTarget, yield* port.takeNote, run)
        return isFault(end) ? yield* Effect.fail(end) : end
      })
  }

  #open(): Job | undefined {
    return this.#parts.jobs.all().find((job) => job.kind === RESTART_JOB && !hasEnded(job))
  }

  #use(): DeviceUse {
    let found: DeviceUse = { robotEnabled: false, busyWith: [] }
    this.#parts.watchUse((use) => {
      found = use
    })()
    return found
  }

  #untilFree({ when, force }: WantedRestart, tell: (reasons: string) => void): Effect.Effect<void> {
    return untilHeard<void>((done) =>
      this.#parts.watchUse((use) => {
        const reasons = waitsFor({ ...use, robotEnabled: use.robotEnabled && !force }, when)
        if (reasons.length > 0) tell(reasons.join('; '))
        else done(Effect.void)
      }),
    )
  }

  #run(target: Exclude<RestartTarget, 'stream'>): Effect.Effect<RestartResult, Fault> {
    const { port, clock } = this.#parts
    return Effect.gen(function* () {
      yield* port.note({ target, boot_id: yield* port.bootId, ordered_us: clock.monotonicUs() })
      yield* Effect.sleep(ANSWER_MS)
      yield* Effect.tapError(port.restart(target), () => port.takeNote)
      yield* Effect.sleep(MAX_END_MS) // this run ends meanwhile, and the job with it
      yield* port.takeNote
      return yield* Effect.fail(notRestarted(target))
    })
  }

  #stream(id: string): Effect.Effect<RestartResult, Fault> {
    const { directory, streams, clock } = this.#parts
    return Effect.gen(function* () {
      const [stream, actor] = [streams.get(id), directory.actor('streams')]
      if (!stream || !actor) return yield* Effect.fail(gone(id))
      stream.engine.pipelines.forgive()
      const order = restartStream(stream.manifest)
      if (isFault(order)) return yield* Effect.fail(order)
      const beganMs = monotonicMs(clock)
      const before = stream.engine.opened.value
      const reply = yield* ask(actor, order)
      if (reply.outcome !== 'done') return yield* Effect.fail(reply.fault)
      for (;;) {
        const { state, fault } = stream.status()
        const tookMs = monotonicMs(clock) - beganMs
        if (state === 'live' && stream.engine.opened.value !== before)
          return { target: 'stream', took_ms: Math.round(tookMs), detail: `The stream ${id} gives pictures again.` }
        if (tookMs > MAX_STREAM_MS) return yield* Effect.fail(notLive(id, fault?.detail ?? state))
        yield* Effect.sleep(LOOK_EVERY_MS)
      }
    })
  }
}

const notRestarted = (target: RestartTarget): Fault => ({
  code: 'device.failed',
  detail: oneLine`
    the restart of the ${target} was ordered, and nothing has happened within a minute; switch the device off and on
  `,
})

const notLive = (id: string, why: string): Fault => ({
  code: 'device.failed',
  detail: `the stream ${id} was restarted, and gives no pictures within a minute: ${why}`,
})

const gone = (id: string): Fault => ({ code: 'stream.not_found', detail: `there is no stream ${id} any more` })
