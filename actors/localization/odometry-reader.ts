// Reads the robot's odometry from its server, on whichever session there is, and tells when it comes and when it stops.
import type { Latest } from '../../machines/latest.ts'
import { MAX_ODOMETRY_AGE_US, type OdometrySample, readPose2d } from '../../machines/localization/odometry.ts'
import { ODOMETRY_TOPIC, ODOMETRY_TYPE } from '../../machines/own-table/localization-topics.ts'
import type { Nt4Session, Nt4Update } from '../../native/nt4/port.ts'
import type { Talk } from '../run.ts'
import type { StartTimer } from '../timer.ts'

/** Every sample, as soon as the server sends. */
const AT_ONCE = { all: true, periodic: 0.01 } as const

/** A sample that is so much later than now has another clock. */
const MAX_AHEAD_US = 50_000

/** What it works with. */
export interface OdometryReaderParts {
  readonly link: Latest<Nt4Session | undefined>
  /** CLOCK_MONOTONIC. */
  readonly nowUs: () => number
  readonly later: StartTimer
  readonly guard: Talk['guard']
  readonly take: (sample: OdometrySample) => void
  /** It comes, or does not any more. */
  readonly turned: (isFresh: boolean) => void
}

/** Lives as long as odometry is wanted. */
export class OdometryReader {
  readonly #parts: OdometryReaderParts
  readonly #unwatch: () => void
  #unsubscribe: () => void = () => {}
  #stopTimer: () => void = () => {}
  #newestUs = Number.NEGATIVE_INFINITY
  #isFresh = false

  constructor(parts: OdometryReaderParts) {
    this.#parts = parts
    const follow = parts.guard((session: Nt4Session | undefined) => this.#follow(session))
    this.#unwatch = parts.link.subscribe(follow)
    follow(parts.link.value)
  }

  stop(): void {
    this.#unwatch()
    this.#unsubscribe()
    this.#stopTimer()
    if (this.#isFresh) this.#parts.turned(false)
  }

  #follow(session: Nt4Session | undefined): void {
    this.#unsubscribe()
    const heard = session && this.#parts.guard((update: Nt4Update) => this.#hear(update, session))
    this.#unsubscribe = (heard && session.subscribe([ODOMETRY_TOPIC], AT_ONCE, heard)) ?? (() => {})
  }

  #hear({ topic, value, timestampUs }: Nt4Update, session: Pick<Nt4Session, 'serverOffsetUs'>): void {
    if (topic.name !== ODOMETRY_TOPIC || topic.type !== ODOMETRY_TYPE || !(value instanceof Uint8Array)) return
    const nowUs = this.#parts.nowUs()
    const atUs = timestampUs - session.serverOffsetUs()
    const sample = atUs - nowUs <= MAX_AHEAD_US ? readPose2d(value, atUs) : undefined
    if (!sample) return
    this.#parts.take(sample)
    this.#newestUs = Math.max(this.#newestUs, atUs)
    if (!this.#isFresh) this.#look()
  }

  /** It has one timer while samples come, however many there are. */
  #look(): void {
    const { nowUs, later, guard, turned } = this.#parts
    const freshForUs = this.#newestUs + MAX_ODOMETRY_AGE_US - nowUs()
    const isFresh = freshForUs > 0
    if (isFresh)
      this.#stopTimer = later(
        Math.ceil(freshForUs / 1000),
        guard(() => this.#look()),
      )
    if (isFresh === this.#isFresh) return
    this.#isFresh = isFresh
    turned(isFresh)
  }
}
