// The robot's writes to its camera: read as they come, and carried out. It outlives links and incarnations, so that
// counts go on and settings hold.
import type * as Effect from 'effect/Effect'
import type { FaultCode } from '../../machines/errors/catalogue.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { type LiveControls, NO_LIVE_CONTROLS } from '../../machines/extcam/live.ts'
import { NO_WANTS, type RobotWants } from '../../machines/extcam/robot-wants.ts'
import { Counter } from '../../machines/extcam/writes/counter.ts'
import { WRITE_KEYS, type WriteKey } from '../../machines/extcam/writes/keys.ts'
import { readWrite } from '../../machines/extcam/writes/read-write.ts'
import type { RobotOrder } from '../../machines/extcam/writes/robot-order.ts'
import { LogThrottle } from '../../machines/limits/log-throttle.ts'
import { isSameJson } from '../../machines/settings/same-json.ts'
import { rewindBytes } from '../../machines/stream/rewind.ts'
import { type Clock, monotonicMs } from '../../native/clock/port.ts'
import type { Nt4Session, Nt4Update } from '../../native/nt4/port.ts'
import type { LightClaims } from '../lighting/light-claims.ts'
import type { Talk } from '../run.ts'
import type { StreamRuntime } from '../stream/stream-runtime.ts'
import type { StartTimer } from '../timer.ts'
import { HeadingKeeper } from './heading-keeper.ts'
import type { RobotOperations } from './robot-operations.ts'
import { RobotTasks } from './robot-tasks.ts'

/**
 * What the controls of one stream work with. record: enters a fault in the error history, with how often it happened.
 */
export interface ControlsParts {
  readonly stream: Pick<StreamRuntime, 'id' | 'manifest' | 'robot'> & {
    readonly meter: Pick<StreamRuntime['meter'], 'frames'>
  }
  readonly operations: RobotOperations
  readonly clock: Pick<Clock, 'monotonicUs'>
  readonly record: (fault: Fault, times?: number) => void
  readonly lights: Pick<LightClaims, 'setLedMode'>
}

/**
 * Every change as soon as the server sends: a count that goes up and back down within a tenth of a second asks for
 * something.
 */
const AT_ONCE = { all: true, periodic: 0.01 } as const

/** How something is called back: guard keeps a throw from the caller. */
interface CallingBack extends Pick<Talk, 'guard'> {
  readonly later: StartTimer
}

/**
 * A session on which a table is read, and since when: by the server's clock as it stood then, offsetUs beyond ours.
 *
 * heading: what was said of it there.
 */
interface Reading {
  readonly session: Pick<Nt4Session, 'serverOffsetUs'>
  readonly heading: HeadingKeeper
  readonly sinceUs: number
  readonly offsetUs: number
}

/** When and where an order was given: at a time of the server, before anybody listened or since. */
interface Said extends Omit<Reading, 'sinceUs' | 'offsetUs'> {
  readonly isRetained: boolean
  readonly timestampUs: number
}

export class Controls {
  readonly #parts: ControlsParts
  readonly #complaints = new LogThrottle()
  readonly #snapshots = new Counter()
  readonly #clips = new Counter()
  /** When each key was last written, server time: what is delivered again with a new link is known by that. */
  readonly #writtenUs = new Map<WriteKey, number>()
  readonly #tasks: RobotTasks

  constructor(parts: ControlsParts) {
    this.#parts = parts
    this.#tasks = new RobotTasks({
      operations: parts.operations,
      frames: () => parts.stream.meter.frames,
      nowMs: () => this.#nowMs(),
      complain: (key, code, why) => this.#complain(key, code, why),
    })
  }

  /** Reads a table on a session; returns the way to stop that, with which the robot's heading ends. */
  follow(
    session: Pick<Nt4Session, 'subscribe' | 'serverTimeUs' | 'serverOffsetUs'>,
    table: string,
    { guard, later }: CallingBack,
  ): () => void {
    const keys = new Map<string, WriteKey>(WRITE_KEYS.map((key) => [`/${table}/${key}`, key]))
    const { stream } = this.#parts
    const heading = new HeadingKeeper({
      slot: { set: (said) => stream.robot.isHeadingByHttp || stream.robot.heading.set(said) },
      nowUs: this.#parts.clock.monotonicUs,
      later: (delayMs, callback) => later(delayMs, guard(callback)),
    })
    this.#light() // what was said on an earlier link is in force again
    const reading = { session, heading, sinceUs: session.serverTimeUs(), offsetUs: session.serverOffsetUs() }
    const heard = guard<[Nt4Update]>((update) => {
      const key = keys.get(update.topic.name)
      if (key) this.#hear(key, update, reading)
    })
    const unsubscribe = session.subscribe([...keys.keys()], AT_ONCE, heard)
    return () => {
      unsubscribe()
      heading.stop()
      this.#parts.lights.setLedMode(stream.id, 0) // who is not heard any more has no light
    }
  }

  /** Carries out, for ever, what takes more than a moment. */
  get carryOut(): Effect.Effect<never> {
    return this.#tasks.carryOut
  }

  #hear(key: WriteKey, { value, timestampUs }: Nt4Update, { sinceUs, offsetUs, ...where }: Reading): void {
    const steppedUs = where.session.serverOffsetUs() - offsetUs // that clock may have been set since
    const isRetained = timestampUs < sinceUs + steppedUs
    const isKnown = isRetained && this.#writtenUs.get(key) === timestampUs
    this.#writtenUs.set(key, timestampUs)
    if (isKnown && key !== 'robot_orientation_set') return // that one has ended with its link
    const read = readWrite(key, value)
    if (!read.ok) this.#complain(key, 'extcam.bad_write', `${read.why}; nothing was changed`)
    else this.#obey(read.order, { ...where, isRetained, timestampUs })
  }

  #obey(order: RobotOrder, said: Said): void {
    const { stream } = this.#parts
    const { isRetained, session, heading } = said
    if (order.type === 'live') this.#set(order.change)
    else if (order.type === 'heading') {
      const { yaw_deg, yaw_rate_dps } = order
      if (isRetained) heading.hold(yaw_deg)
      else heading.say({ at_us: this.#atUs(said), yaw_deg, yaw_rate_dps })
    } else if (order.type === 'mount') this.#want({ mount: order.mount })
    else if (order.type === 'layout') this.#want({ videoLayout: order.layout })
    else if (order.type === 'lights') {
      this.#want({ ledMode: order.mode })
      const lacking = this.#light()
      if (order.mode !== 0 && lacking !== undefined) this.#lacks('ledMode', lacking)
    } else if (order.type === 'keystone') {
      this.#want({ keystone: order.skew })
      if (order.skew.some((skew) => skew !== 0)) this.#lacks('keystone_set', 'pictures are not skewed here')
    } else if (order.type === 'rewind') {
      this.#want({ keepsRewind: order.isKept })
      if (order.isKept && rewindBytes(stream.manifest) === 0)
        this.#lacks('rewind_enable_set', `the stream ${stream.id} has no rewind in its manifest`)
    } else if (order.type === 'pipeline') this.#tasks.orderSlot(order.slot)
    else if (order.type === 'snapshot') {
      if (this.#snapshots.asks(order.count, isRetained, session)) this.#tasks.orderPicture()
    } else if (this.#clips.asks(order.count, isRetained, session)) this.#tasks.orderClip()
  }

  /** Has the lights show what the robot wants of them. Returns why nothing lights. */
  #light(): string | undefined {
    const { stream, lights } = this.#parts
    return lights.setLedMode(stream.id, (stream.robot.wants.value ?? NO_WANTS).ledMode)
  }

  #set(change: Partial<LiveControls>): void {
    const { live } = this.#parts.stream.robot
    const before = live.value ?? NO_LIVE_CONTROLS
    const after = { ...before, ...change }
    if (!isSameJson(before, after)) live.set(after)
  }

  #want(change: Partial<RobotWants>): void {
    const { wants: slot } = this.#parts.stream.robot
    const before = slot.value ?? NO_WANTS
    const wants = { ...before, ...change }
    if (!isSameJson(before, wants)) slot.set(wants)
  }

  #lacks(key: WriteKey, why: string): void {
    this.#complain(key, 'extcam.not_available', `${key} is kept, but does nothing: ${why}`)
  }

  #complain(key: WriteKey, code: FaultCode, detail: string): void {
    const times = this.#complaints.times(`${key} ${code}`, this.#nowMs())
    if (times === undefined) return
    this.#parts.record({ code, detail: `What a robot program wrote: ${detail}.` }, times)
  }

  /** Of a time of the server, when it is one: a robot cannot have said something later than now. */
  #atUs({ timestampUs, session }: Said): number {
    const nowUs = this.#parts.clock.monotonicUs()
    return timestampUs > 0 ? Math.min(Math.max(0, timestampUs - session.serverOffsetUs()), nowUs) : nowUs
  }

  #nowMs(): number {
    return monotonicMs(this.#parts.clock)
  }
}
