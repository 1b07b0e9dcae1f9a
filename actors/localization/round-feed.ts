// From the results of all streams to solved rounds. Lives as long as one incarnation of the actor.

import type { Result } from '../../machines/engine/result.ts'
import type { Heading } from '../../machines/extcam/live.ts'
import { mountInForce, NO_WANTS } from '../../machines/extcam/robot-wants.ts'
import type { ImuBatch } from '../../machines/imu/reading.ts'
import type { Latest } from '../../machines/latest.ts'
import type { LocalizationConfig } from '../../machines/localization/config.ts'
import { localizationConfigIn } from '../../machines/localization/config-collection.ts'
import type { ExternalMeasurement } from '../../machines/localization/external/output-slot.ts'
import type { FieldMap, FieldMaps } from '../../machines/localization/field-map.ts'
import type { LocalizationEvent } from '../../machines/localization/localization-machine.ts'
import { tagCountOf } from '../../machines/localization/observation.ts'
import type { Round } from '../../machines/localization/round.ts'
import type { RoundSolver } from '../../machines/localization/round-solver.ts'
import { Rounds } from '../../machines/localization/rounds.ts'
import type { SolvedBy } from '../../machines/localization/solve-rounds.ts'
import { mapIdIn, type StreamFacts, streamUses } from '../../machines/localization/stream-use.ts'
import { isSameJson } from '../../machines/settings/same-json.ts'
import type { SettingsStore, StoredValue } from '../../machines/settings/store.ts'
import type { Clock } from '../../native/clock/port.ts'
import type { Nt4Session } from '../../native/nt4/port.ts'
import type { RecordFault } from '../errors/error-keeper-actor.ts'
import type { Imu } from '../imu/tokens.ts'
import type { Talk } from '../run.ts'
import type { StreamRegistry } from '../stream/stream-registry.ts'
import type { StreamRuntime } from '../stream/stream-runtime.ts'
import { type StartTimer, startTimer } from '../timer.ts'
import type { LocalizationRuntime } from './localization-runtime.ts'
import { OdometryReader } from './odometry-reader.ts'
import { roundFrameOf } from './round-frame.ts'

/** What the feed works with. */
export interface RoundFeedParts {
  readonly runtime: LocalizationRuntime
  readonly streams: Pick<StreamRegistry, 'all' | 'subscribe'>
  readonly settings: SettingsStore
  readonly maps: FieldMaps
  /** Of the content of a map. */
  readonly hashOf: (map: FieldMap) => string
  /** Calls back when there may be other maps. */
  readonly onMaps: (listener: () => void) => () => void
  /** To the robot; empty while there is none. */
  readonly link: Latest<Nt4Session | undefined>
  /** What other programs have measured, as it comes. */
  readonly measured: Pick<Latest<ExternalMeasurement>, 'subscribe'>
  /** Of the device; default: it has none. */
  readonly imu?: Pick<Imu, 'listen' | 'status'>
  readonly clock: Pick<Clock, 'monotonicUs'>
  readonly makeSolver: (by: SolvedBy) => RoundSolver
  /** Enters a fault in the error history. */
  readonly record: RecordFault
  readonly later?: StartTimer
}

/** A pose need not be told more often: it is fresh for 0.3 s. */
const TELL_EACH_US = 50_000

/** A place by odometry that is less sure than that is none, metres. */
const MAX_FUSED_STD_M = 1

const RAD = Math.PI / 180

const INERTIAL_EACH_US = 10_000
const RUNAWAY_EACH_US = 1_000_000
const YAW = 2 // of roll, pitch, yaw

/** How far a chip's bias may be off: as it was measured once, and as its maker promises it, radians a second. */
const runawayOf = (isMeasured: boolean): number => (isMeasured ? 0.02 : 0.3) * RAD

/** What is followed of one stream. */
interface Followed {
  readonly stream: StreamRuntime
  readonly stop: () => void
  looksForTags: boolean | undefined
  isUsed: boolean
}

/** What a solver was made by, to be compared. */
interface Made extends SolvedBy {
  /** Where each camera sits and what it sees through, as it is stored. */
  readonly rig: ReadonlyMap<string, unknown>
}

export class RoundFeed {
  readonly #parts: RoundFeedParts
  readonly #talk: Talk<LocalizationEvent>
  readonly #later: StartTimer
  readonly #followed = new Map<string, Followed>()
  readonly #unsubscribe: readonly (() => void)[]
  #config: StoredValue<LocalizationConfig>
  #map: FieldMap | undefined
  #made: Made | undefined
  #solver: RoundSolver | undefined
  #rounds = new Rounds({ waitUs: 0 })
  #odometry: OdometryReader | undefined
  #headingFrom: string | undefined
  #stopImu: (() => void) | undefined
  #inertialUs = Number.NEGATIVE_INFINITY
  #runaway = { rad_s: 0, lookedUs: Number.NEGATIVE_INFINITY }
  #wasAnyUsed: boolean | undefined
  #toldUs = Number.NEGATIVE_INFINITY
  #isWarned = false
  #stopTimer: (() => void) | undefined

  constructor(parts: RoundFeedParts, talk: Talk<LocalizationEvent>) {
    this.#parts = parts
    this.#talk = talk
    this.#later = parts.later ?? startTimer
    this.#config = localizationConfigIn(parts.settings)
    this.#tellConfig()
    this.#followOdometry()
    this.#followImu()
    this.#followStreams()
    this.#look()
    const settings = parts.settings.subscribe(talk.guard(() => this.#followConfig()))
    this.#unsubscribe = [
      () => settings.unsubscribe(),
      parts.streams.subscribe(talk.guard(() => this.#followStreams())),
      parts.onMaps(talk.guard(() => this.#look())),
      parts.measured.subscribe(talk.guard((measurement) => this.#solver?.measured(measurement))),
    ]
  }

  stop(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
    for (const { stop } of this.#followed.values()) stop()
    this.#odometry?.stop()
    this.#stopImu?.()
    this.#stopTimer?.()
    this.#parts.runtime.clear()
    this.#parts.runtime.setUses([], null)
  }

  #followConfig(): void {
    const config = localizationConfigIn(this.#parts.settings)
    if (config.revision === this.#config.revision) return
    this.#config = config
    this.#tellConfig()
    this.#followOdometry()
    this.#followImu()
    this.#look()
  }

  #tellConfig(): void {
    this.#talk.send({ type: 'config.changed', isEnabled: this.#config.value.enabled })
  }

  #followOdometry(): void {
    const { enabled, odometry } = this.#config.value
    const isWanted = enabled && odometry.source === 'nt4'
    if (isWanted === (this.#odometry !== undefined)) return
    this.#odometry?.stop()
    const { link, clock } = this.#parts
    this.#odometry = isWanted
      ? new OdometryReader({
          link,
          nowUs: clock.monotonicUs,
          later: this.#later,
          guard: this.#talk.guard,
          take: (sample) => this.#solver?.odometry(sample),
          turned: (isFresh) => this.#talk.send({ type: isFresh ? 'odometry.fresh' : 'odometry.stale' }),
        })
      : undefined
  }

  #followImu(): void {
    const { enabled, heading } = this.#config.value
    const isWanted = enabled && heading.use && heading.use_imu
    if (!isWanted) {
      this.#stopImu?.()
      this.#stopImu = undefined
      return
    }
    this.#stopImu ??= this.#parts.imu?.listen(this.#talk.guard((batch) => this.#feel(batch)))
  }

  /** Between samples of a hundredth of a second a robot turns evenly. */
  #feel({ count, at_us, angles_deg }: ImuBatch): void {
    for (let n = 0; n < count; n++) {
      const us = at_us[n] as number
      if (us - this.#inertialUs < INERTIAL_EACH_US) continue
      this.#inertialUs = us
      this.#solver?.inertial((angles_deg[3 * n + YAW] as number) * RAD, us, this.#runawayAt(us))
    }
  }

  #runawayAt(us: number): number {
    if (us - this.#runaway.lookedUs >= RUNAWAY_EACH_US) {
      const { bias } = this.#parts.imu?.status() ?? {}
      this.#runaway = { rad_s: runawayOf(bias !== null && bias !== undefined), lookedUs: us }
    }
    return this.#runaway.rad_s
  }

  #followStreams(): void {
    const streams = this.#parts.streams.all()
    for (const [id, { stream, stop }] of this.#followed) {
      if (streams.includes(stream)) continue
      stop()
      this.#followed.delete(id)
      if (this.#headingFrom === id) this.#headingFrom = undefined
    }
    for (const stream of streams) if (!this.#followed.has(stream.id)) this.#follow(stream)
    this.#look()
  }

  #follow(stream: StreamRuntime): void {
    const { guard } = this.#talk
    const look = guard(() => this.#look())
    const stops = [
      stream.results.subscribe(guard((result) => this.#take(followed, result))),
      stream.onMoved(look),
      stream.engine.opened.subscribe(look),
      stream.robot.wants.subscribe(look),
      stream.robot.heading.subscribe(guard((heading) => this.#hear(stream.id, heading))),
    ]
    const followed: Followed = {
      stream,
      stop: () => {
        for (const stop of stops) stop()
      },
      looksForTags: looksForTags(stream.results.value),
      isUsed: false,
    }
    this.#followed.set(stream.id, followed)
    this.#hear(stream.id, stream.robot.heading.value)
  }

  /** Robots tell each camera the same: the first that is told counts until it is told no more. */
  #hear(streamId: string, heading: Heading | undefined): void {
    if (!heading) {
      if (this.#headingFrom === streamId) this.#headingFrom = undefined
      return
    }
    this.#headingFrom ??= streamId
    if (this.#headingFrom === streamId) this.#solver?.heading(heading.yaw_deg * RAD, heading.at_us)
  }

  /** Something changed from which it follows what is used, and by what is solved. */
  #look(): void {
    const { maps, runtime } = this.#parts
    const { enabled } = this.#config.value
    const facts = [...this.#followed.values()].map(factsOf)
    const id = mapIdIn(this.#config.value, facts)
    this.#map = id === undefined ? undefined : maps().get(id)
    const uses = streamUses(this.#config.value, facts, { id, isKnown: this.#map !== undefined })
    for (const { streamId, used } of uses) {
      const followed = this.#followed.get(streamId)
      if (followed) followed.isUsed = enabled && used
    }
    const used = uses.filter((use) => use.used).map(({ streamId }) => streamId)
    if (used.length > 0 !== this.#wasAnyUsed) {
      this.#wasAnyUsed = used.length > 0
      this.#talk.send({ type: 'streams.changed', isAnyUsable: this.#wasAnyUsed })
    }
    const hash = this.#makeSolver()
    runtime.setUses(uses, this.#map && hash !== undefined ? { id: this.#map.id, hash } : null)
    this.#rounds.setStreams(enabled ? used : [])
    this.#endRounds(this.#parts.clock.monotonicUs())
  }

  /** Makes another solver where the previous one went by something else, and has no past. Gives the hash of the map. */
  #makeSolver(): string | undefined {
    const { hashOf, makeSolver } = this.#parts
    const { value: config, revision } = this.#config
    const before = this.#made
    const map = this.#map
    const hash = map && (map === before?.map ? before.hash : hashOf(map))
    const rig = new Map([...this.#followed].map(([id, { stream }]) => [id, placeOf(stream)]))
    const isOfConfig = before?.revision === revision
    const isOfMap = before?.map.id === map?.id && before?.hash === hash
    const isOfRig = [...rig].every(([id, place]) => isSameJson(before?.rig.get(id) ?? place, place))
    if (!map || hash === undefined) {
      if (!before) return hash
      this.#made = undefined
      this.#solver = undefined
    } else if (!isOfConfig || !isOfMap || !isOfRig) {
      this.#made = { map, hash, config, revision, rig }
      this.#solver = makeSolver({ map, hash, config, revision })
      this.#rounds = new Rounds({ waitUs: 1000 * config.round_wait_ms })
    } else {
      this.#made = { map, hash, config, revision, rig }
      return hash
    }
    this.#parts.runtime.clear()
    if (before && isOfConfig) this.#talk.send({ type: isOfMap ? 'mounts.changed' : 'map.changed' })
    return hash
  }

  #take(followed: Followed, result: Result): void {
    const { stream } = followed
    const looks = looksForTags(result)
    if (looks !== followed.looksForTags) {
      followed.looksForTags = looks
      this.#look()
    }
    if (!followed.isUsed) return
    if (this.#map !== this.#parts.maps().get(this.#map?.id ?? '')) this.#look()
    const { opened, stamped } = stream.engine
    const source = stamped.value ?? opened.value?.timestamp_source ?? 'arrival'
    const frame = roundFrameOf(stream.id, result, source)
    if (!frame) return
    const nowUs = this.#parts.clock.monotonicUs()
    const refusedBefore = refusedOf(this.#rounds)
    const round = this.#rounds.add(frame, nowUs)
    if (refusedOf(this.#rounds) > refusedBefore)
      this.#parts.runtime.rejectedTags.add('old_frame', nowUs, tagCountOf(frame.observation))
    if (round) this.#solve(round, nowUs)
    this.#endRounds(nowUs)
  }

  /** Those whose time has come; for the open one it has a timer, which may ring for one that has ended meanwhile. */
  #endRounds(nowUs: number): void {
    for (let dueUs = this.#rounds.nextDueUs(); dueUs !== undefined; dueUs = this.#rounds.nextDueUs()) {
      if (dueUs > nowUs) {
        this.#stopTimer ??= this.#later(Math.ceil((dueUs - nowUs) / 1000), this.#talk.guard(this.#timesUp))
        return
      }
      const round = this.#rounds.due(nowUs)
      if (round) this.#solve(round, nowUs)
    }
  }

  readonly #timesUp = (): void => {
    this.#stopTimer = undefined
    this.#endRounds(this.#parts.clock.monotonicUs())
  }

  #solve(round: Round, nowUs: number): void {
    if (!this.#solver) return
    const { runtime, clock } = this.#parts
    const beganUs = clock.monotonicUs() // the kernel counts what a thread computes in ticks of milliseconds
    const answer = this.#solver.solve(round)
    const solved = { ...answer, cpuUs: clock.monotonicUs() - beganUs }
    for (const { reason } of solved.tags) if (reason !== null) runtime.rejectedTags.add(reason, nowUs)
    if (solved.solved && nowUs - this.#toldUs >= TELL_EACH_US) {
      this.#toldUs = nowUs
      this.#talk.send({ type: 'round.solved' })
    }
    if (solved.fused && Math.max(solved.fused.stdDevs[0], solved.fused.stdDevs[1]) > MAX_FUSED_STD_M)
      this.#talk.send({ type: 'fused.unsure' })
    this.#lookAtHeading(solved.capturedUs)
    runtime.solved.set(solved)
    runtime.rounds.set({ round, solved })
  }

  /** Told once, until it is right again. */
  #lookAtHeading(atUs: number): void {
    const warning = this.#solver?.headingWarningAt(atUs)
    if (warning !== undefined && !this.#isWarned)
      this.#parts.record({ code: 'localization.heading_off', resource: 'localization', detail: warning })
    this.#isWarned = warning !== undefined
  }
}

const looksForTags = (result: Result | undefined): boolean | undefined => result && result.observation !== undefined

const placeOf = ({ manifest }: StreamRuntime): readonly unknown[] => [manifest.pose, manifest.intrinsics]

const factsOf = ({ stream, looksForTags }: Followed): StreamFacts => ({
  streamId: stream.id,
  isInternal: stream.manifest.internal,
  isLive: stream.state === 'live',
  looksForTags,
  hasLens: (stream.engine.opened.value?.intrinsics ?? null) !== null,
  hasMount: mountInForce(stream.robot.wants.value ?? NO_WANTS, stream.manifest) !== null,
  mapId: stream.manifest.map_id,
})

const refusedOf = ({ refused: { old, ahead, repeated, late } }: Rounds): number => old + ahead + repeated + late
