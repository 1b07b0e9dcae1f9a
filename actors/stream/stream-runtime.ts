// What a stream is at run time, for as long as it is stored: its slots, figures and status. It outlives every incarnation of its actor; viewers and
// adapters hold on to this, never to an engine.
import type * as Effect from 'effect/Effect'
import { limitOf, type StreamBandwidth } from '../../machines/bandwidth/report.ts'
import type { SourceClock } from '../../machines/clock/source-clock.ts'
import type { TimestampSource } from '../../machines/engine/controls.ts'
import type { Quiet } from '../../machines/engine/quiet.ts'
import type { Result } from '../../machines/engine/result.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { type Heading, type LiveControls, NO_LIVE_CONTROLS } from '../../machines/extcam/live.ts'
import { NO_WANTS, type RobotWants } from '../../machines/extcam/robot-wants.ts'
import { Latest } from '../../machines/latest.ts'
import { Listeners, type OnBug } from '../../machines/listeners.ts'
import { type RecordingSnapshot, recordingStatusOf } from '../../machines/recording/status.ts'
import type { StoredValue } from '../../machines/settings/store.ts'
import type { CanonicalManifest } from '../../machines/stream/manifest.ts'
import { StreamMeter } from '../../machines/stream/meter.ts'
import { cameraUidOf } from '../../machines/stream/part-names.ts'
import { PictureBoard } from '../../machines/stream/picture.ts'
import { PipelineRecord } from '../../machines/stream/pipeline-record.ts'
import type { SlotGraph } from '../../machines/stream/slots.ts'
import {
  presentWarnings,
  type StreamState,
  type StreamStatus,
  type StreamWarning,
} from '../../machines/stream/status.ts'
import {
  conditionOf,
  pipelineOf,
  type StreamRun,
  type StreamSnapshot,
  statusOf,
} from '../../machines/stream/status-of.ts'
import { VideoBoard } from '../../machines/stream/video.ts'
import type { Applied } from '../../machines/stream/what-runs.ts'
import type { ChildStatus } from '../../machines/supervision/child.ts'
import { type Clock, monotonicMs } from '../../native/clock/port.ts'
import type { Engine, EngineOpened, RewindKept } from '../../native/engine/port.ts'
import type { ViewerDoor } from '../../native/viewers/port.ts'
import type { CameraControls } from './camera-controls.ts'
import type { PlanTrial } from './plan-trial.ts'

/** What runs a stream, asked whenever its status is wanted. status: undefined while nothing runs. snapshot: undefined while there is no actor. */
export interface StreamChild {
  readonly status: () => ChildStatus | undefined
  readonly snapshot: () => StreamSnapshot | undefined
}

/** What is told of a stream that has changed by itself. */
export type StreamTurn = Pick<StreamStatus, 'state' | 'fault'> & {
  readonly pipeline_fault: StreamStatus['pipeline']['fault']
}

/**
 * What a stream's runtime is made of. tableOf: the table under which the robot finds it. tableFaults: what is wrong
 * with its tables now. moved: told when its state has changed, or what is wrong with its pipeline. controlSet: told
 * when a control of its camera was set.
 */
export interface StreamRuntimeParts {
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicUs'>
  readonly tableOf: (id: string) => string | null
  readonly tableFaults?: ((id: string) => readonly Fault[]) | undefined
  readonly moved: (to: StreamTurn) => void
  readonly controlSet: (camera_uid: string, control_id: number, value: number) => void
  readonly onBug?: OnBug | undefined
}

/** One stream at run time. */
export class StreamRuntime {
  readonly id: string
  readonly results: Latest<Result>
  /** Told whenever the engine has had no result to send for 45 ms, and when it has ended. */
  readonly quiet: Listeners<Quiet>
  readonly pictures: PictureBoard
  readonly video: VideoBoard
  readonly meter = new StreamMeter()
  /** What became of its pipelines in its engines. */
  readonly pipelines: PipelineRecord
  /** The answer to the newest opening. */
  readonly opened: Latest<EngineOpened>
  /** What its times of capture rest on, where its engine has said so since the newest opening. */
  readonly stamped: Latest<TimestampSource | undefined>
  /** Where the clock of the device stands whose camera it is, if that is another one; null: nobody knows. */
  readonly sourceClock: Latest<SourceClock | null>
  /** What its engine has taken up, or the one before while that has taken up nothing yet. Told by its machine alone. */
  readonly applied: Latest<Applied>
  /** Since the newest opening. */
  readonly warnings: Latest<readonly StreamWarning[]>
  /** Through which viewers are handed to the engine; null while there is none, and with one that takes none. */
  readonly door: Latest<ViewerDoor | null>
  /** Of the camera that is open; null while none is. */
  readonly controls: Latest<CameraControls | null>
  /** The stored pipeline of its active slot, as it is now; null: none is active. */
  readonly graph: Latest<SlotGraph | null>
  /** What a robot program has set while it runs; none to begin with. */
  readonly live: Latest<LiveControls>
  /** What it said last of its heading; empty before it has said anything, and undefined as soon as that is in force no more. */
  readonly heading: Latest<Heading | undefined>
  /** Whether that is said over HTTP now: then what is said over NT4 does not count. */
  isHeadingByHttp = false
  /** What else it wants; nothing to begin with. */
  readonly robotWants: Latest<RobotWants>
  /** What its engine keeps of the last pictures; null: nothing is to be kept, or there is no engine. */
  readonly rewound: Latest<RewindKept | null>
  /** What the bandwidth budget does to its previews; empty while nobody watches over the network, or nothing limits that. */
  readonly bandwidth: Latest<StreamBandwidth | undefined>
  /** The engine's process id; undefined while there is none. */
  enginePid: number | undefined
  /** The engine of the present incarnation; empty while there is none. */
  readonly engine: Latest<Engine | undefined>
  /** Done when the newest recording has let go of the engine that it began with, which is not ended before; undefined: there was none. */
  engineHold: Effect.Effect<void> | undefined
  /** Has the engine of the present incarnation try a plan; undefined while there is none. */
  tryPlan: PlanTrial | undefined
  /** What its recording says of itself; undefined until there is somebody who records. */
  recording: (() => RecordingSnapshot | undefined) | undefined
  /** Who runs it; undefined until somebody does. */
  child: StreamChild | undefined
  readonly #parts: StreamRuntimeParts
  readonly #deleted: Listeners<void>
  readonly #moved: Listeners<void>
  #stored: StoredValue<CanonicalManifest>
  #isDeleted = false
  #shown: { readonly state: StreamState; readonly since_ms: number }
  #pipelineFault: StreamTurn['pipeline_fault'] = null

  constructor(id: string, stored: StoredValue<CanonicalManifest>, parts: StreamRuntimeParts) {
    const { clock, onBug } = parts
    this.id = id
    this.pipelines = new PipelineRecord(() => monotonicMs(clock))
    this.results = new Latest(onBug)
    this.quiet = new Listeners(onBug)
    this.pictures = new PictureBoard(onBug)
    this.video = new VideoBoard(onBug)
    this.opened = new Latest(onBug)
    this.stamped = new Latest(onBug)
    this.sourceClock = new Latest(onBug)
    this.applied = new Latest(onBug)
    this.engine = new Latest(onBug)
    this.warnings = new Latest(onBug)
    this.door = new Latest(onBug)
    this.controls = new Latest(onBug)
    this.bandwidth = new Latest(onBug)
    this.rewound = new Latest(onBug)
    this.graph = new Latest(onBug)
    this.live = new Latest(onBug)
    this.heading = new Latest(onBug)
    this.robotWants = new Latest(onBug)
    this.forgetRobot()
    this.graph.subscribe(() => this.observe())
    this.results.subscribe((result) => this.meter.record(result))
    this.#parts = parts
    this.#deleted = new Listeners(onBug)
    this.#moved = new Listeners(onBug)
    this.#stored = stored
    this.#shown = { state: conditionOf(this.#run()).state, since_ms: clock.nowMs() }
  }

  /** The newest manifest, with its revision. */
  get stored(): StoredValue<CanonicalManifest> {
    return this.#stored
  }

  get manifest(): CanonicalManifest {
    return this.#stored.value
  }

  get isDeleted(): boolean {
    return this.#isDeleted
  }

  /** The registry says that it was stored anew. */
  store(stored: StoredValue<CanonicalManifest>): void {
    this.#stored = stored
    this.observe()
  }

  /** The registry says that it was deleted. */
  delete(): void {
    this.#isDeleted = true
    this.#deleted.notify()
  }

  /** Calls back when it is deleted; returns the way to stop that. */
  onDeleted(listener: () => void): () => void {
    return this.#deleted.add(listener)
  }

  /** As its status has it. */
  get state(): StreamState {
    return this.#shown.state
  }

  /** Calls back when it has gone over into another state; returns the way to stop that. */
  onMoved(listener: () => void): () => void {
    return this.#moved.add(listener)
  }

  /** A control of its camera was set. value: as it was read back. */
  controlWasSet(control_id: number, value: number): void {
    this.#parts.controlSet(cameraUidOf(this.manifest), control_id, value)
  }

  /** What a robot program has set is in force no more. */
  forgetRobot(): void {
    this.live.set(NO_LIVE_CONTROLS)
    this.robotWants.set(NO_WANTS)
    this.heading.set(undefined)
  }

  /** Something changed from which its state follows, or what is wrong with its pipeline. The one place that notices that, and says so. */
  observe(): void {
    const { state, fault } = conditionOf(this.#run())
    const { fault: pipeline_fault } = pipelineOf(this.#run(), this.graph.value ?? null)
    const isSame = state === this.#shown.state
    if (this.#isDeleted || (isSame && pipeline_fault?.detail === this.#pipelineFault?.detail)) return
    this.#pipelineFault = pipeline_fault
    if (!isSame) this.#shown = { state, since_ms: this.#parts.clock.nowMs() }
    this.#parts.moved({ state, fault, pipeline_fault })
    if (!isSame) this.#moved.notify()
  }

  /** The clock was set: what is shown happened so much later. */
  clockSet(byMs: number): void {
    this.#shown = { ...this.#shown, since_ms: Math.max(0, this.#shown.since_ms + byMs) }
    const later = this.warnings.value?.map((each) => ({ ...each, last_at_ms: Math.max(0, each.last_at_ms + byMs) }))
    if (later) this.warnings.set(later)
  }

  status(): StreamStatus {
    const { clock, tableOf, tableFaults } = this.#parts
    const limit = this.bandwidth.value && limitOf(this.bandwidth.value)
    const nowMs = clock.nowMs()
    const facts = {
      opened: this.opened.value,
      stamped: this.stamped.value,
      warnings: [
        ...presentWarnings(this.warnings.value ?? [], nowMs),
        ...[...(limit ? [limit] : []), ...(tableFaults?.(this.id) ?? [])].map(({ code, detail }) => ({
          code,
          detail,
          count: 1,
          last_at_ms: nowMs,
        })),
      ],
      fps: this.meter.fps(clock.monotonicUs()),
      viewers: this.pictures.viewers + this.video.viewers,
      extcam_table: tableOf(this.id),
      recording: recordingStatusOf(this.recording?.()),
      graph: this.graph.value ?? null,
    }
    return statusOf(this.#run(), facts, this.#shown.since_ms)
  }

  #run(): StreamRun {
    return { manifest: this.manifest, child: this.child?.status(), snapshot: this.child?.snapshot() }
  }
}
