// What a stream knows of its engines, and says through the present one. It outlives them all.
import type { TimestampSource } from '../../machines/engine/controls.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { Latest } from '../../machines/latest.ts'
import type { OnBug } from '../../machines/listeners.ts'
import type { FieldMap } from '../../machines/localization/field-map.ts'
import { PipelineRecord } from '../../machines/stream/pipeline-record.ts'
import { type StreamWarning, withWarning } from '../../machines/stream/status.ts'
import type { Applied } from '../../machines/stream/what-runs.ts'
import { type Clock, monotonicMs } from '../../native/clock/port.ts'
import type { Engine, EngineOpened, RewindKept } from '../../native/engine/port.ts'
import type { ViewerHandover } from '../../native/viewers/port.ts'
import type { CameraControls } from './camera-controls.ts'
import type { PlanTrial } from './plan-trial.ts'

/** The engine's part of a stream. Its slots are written by the stream actor alone. */
export class StreamEngine {
  /** The engine of the present incarnation; empty while there is none. */
  readonly current: Latest<Engine | undefined>
  /** The answer to the newest opening. */
  readonly opened: Latest<EngineOpened>
  /** The field map of the newest opening. */
  readonly map: Latest<FieldMap | undefined>
  /** What its times of capture rest on, where it has said so since the newest opening. */
  readonly stamped: Latest<TimestampSource | undefined>
  /** What it has taken up, or the previous one while that has taken up nothing yet. */
  readonly applied: Latest<Applied>
  /** Through which viewers are handed to it; null while there is none, and with one that takes none. */
  readonly handover: Latest<ViewerHandover | null>
  /** Of the camera that is open; null while none is. */
  readonly controls: Latest<CameraControls | null>
  /** What it keeps of the last pictures; null: nothing is to be kept, or there is no engine. */
  readonly rewound: Latest<RewindKept | null>
  /** What became of the stream's pipelines in its engines. */
  readonly pipelines: PipelineRecord
  readonly #clock: Pick<Clock, 'nowMs'>
  readonly #warnings: Latest<readonly StreamWarning[]>
  #tryPlan: PlanTrial | undefined

  constructor(clock: Pick<Clock, 'nowMs' | 'monotonicUs'>, onBug?: OnBug) {
    this.#clock = clock
    this.current = new Latest(onBug)
    this.opened = new Latest(onBug)
    this.map = new Latest(onBug)
    this.stamped = new Latest(onBug)
    this.applied = new Latest(onBug)
    this.handover = new Latest(onBug)
    this.controls = new Latest(onBug)
    this.rewound = new Latest(onBug)
    this.#warnings = new Latest(onBug)
    this.pipelines = new PipelineRecord(() => monotonicMs(clock))
  }

  /** The process id of the engine; undefined while there is none. */
  get pid(): number | undefined {
    return this.current.value?.pid
  }

  /** Has the engine try a plan; undefined while there is none. */
  get tryPlan(): PlanTrial | undefined {
    return this.#tryPlan
  }

  /** Since the newest opening. */
  get warnings(): readonly StreamWarning[] {
    return this.#warnings.value ?? []
  }

  /** There is an engine. */
  start(engine: Engine, tryPlan: PlanTrial): void {
    this.#tryPlan = tryPlan
    this.current.set(engine)
  }

  /** It is gone, or about to be ended. */
  end(): void {
    this.handover.set(null)
    this.current.set(undefined)
    this.#tryPlan = undefined
    this.controls.set(null)
    this.rewound.set(null)
  }

  /** The engine has said that something is wrong. times: how often since it said so last. */
  warn(fault: Fault, times: number): void {
    this.#warnings.set(withWarning(this.warnings, fault, { times, nowMs: this.#clock.nowMs() }))
  }

  /** What was wrong with the previous opening is of no interest any more. */
  forgetWarnings(): void {
    this.#warnings.set([])
  }

  /** The clock was set: what was said is so much later. */
  clockSet(byMs: number): void {
    const later = this.warnings.map((each) => ({ ...each, last_at_ms: Math.max(0, each.last_at_ms + byMs) }))
    if (later.length > 0) this.#warnings.set(later)
  }
}
