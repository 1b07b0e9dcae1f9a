// What a stream's adapter shows now, whether or not a robot is linked: made on request, so that other frames cost
// nothing.
import { header, type Result } from '../../machines/engine/result.ts'
import type { ImuFigures } from '../../machines/extcam/imu.ts'
import type { Installation } from '../../machines/extcam/installation.ts'
import type { FrameTimes, Hardware, RewindFigures, Snapshot } from '../../machines/extcam/snapshot.ts'
import type { Latest } from '../../machines/latest.ts'
import type { Clock } from '../../native/clock/port.ts'
import type { Nt4Session } from '../../native/nt4/port.ts'

/** What a snapshot is made of. */
export interface SnapshotSources {
  readonly clock: Pick<Clock, 'monotonicUs' | 'nowMs'>
  /** When the service started, CLOCK_MONOTONIC. */
  readonly startedUs: number
  /** An empty one of the stream. */
  readonly newSnapshot: () => Snapshot
  readonly results: Latest<Result>
  /** As of now, the same object until something of it changed. */
  readonly installation: () => Installation
  /** As of now, the same object until something of it changed. */
  readonly hardware: () => Hardware | undefined
  /** What the stream keeps of its last pictures, as of now; undefined, or none: nothing. */
  readonly rewind?: () => RewindFigures | undefined
  /** What the IMU says, as of now; undefined, or none: there is no IMU. */
  readonly imu?: () => ImuFigures | undefined
  /** Empty while no robot is there. */
  readonly link: Latest<Nt4Session | undefined>
  /** Whether the stream is, as its status has it. */
  readonly isLive: () => boolean
  /** Told when its state changes. */
  readonly onMoved: (listener: () => void) => () => void
}

/**
 * The newest frame of a stream through the vendor's eyes, with that frame's own times: it was done when its engine was
 * done with it. Before the first frame, and from when the stream has left `live` until the next frame, it is what a
 * camera says that sees nothing now.
 */
export class CurrentSnapshot {
  readonly #sources: SnapshotSources
  readonly #snapshot: Snapshot
  #result: Result | undefined
  #session: Nt4Session | undefined
  /** What it showed when the stream left `live`, and shows no more. */
  #left: Result | undefined

  /** It listens to the stream for as long as that is there. */
  constructor(sources: SnapshotSources) {
    this.#sources = sources
    this.#snapshot = sources.newSnapshot()
    const moved = () => {
      if (!sources.isLive()) this.#left = sources.results.value
    }
    sources.onMoved(moved)
    moved()
  }

  /** The same object with other values in it each time. */
  get(): Snapshot {
    const { results, hardware, installation, link, clock } = this.#sources
    const snapshot = this.#snapshot
    const { value: result } = results
    const { value: session } = link
    snapshot.hardware = hardware()
    snapshot.rewind = this.#sources.rewind?.()
    snapshot.inertial = this.#sources.imu?.()
    if (!result || result === this.#left) {
      this.#result = undefined
      snapshot.clear(installation())
      snapshot.stamp(this.#timesAt(clock.monotonicUs()))
      return snapshot
    }
    if (result === this.#result && session === this.#session) {
      snapshot.lookAtPipeline()
      return snapshot
    }
    this.#result = undefined // what breaks midway is not shown as if it were whole
    if (result.sighting) snapshot.take(result.sighting)
    else snapshot.read(result, installation())
    snapshot.stamp(this.#timesAt(header(result, 'finished_us')))
    this.#result = result
    this.#session = session
    return snapshot
  }

  #timesAt(monotonicUs: number): FrameTimes {
    const { clock, startedUs, link } = this.#sources
    const agoUs = clock.monotonicUs() - monotonicUs
    return {
      monotonicUs,
      unixMs: clock.nowMs() - agoUs / 1000,
      ntUs: link.value ? link.value.serverTimeUs() - agoUs : 0,
      uptimeUs: monotonicUs - startedUs,
    }
  }
}
