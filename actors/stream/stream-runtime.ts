// What a stream is at run time, for as long as it is stored: its slots, figures and status. It outlives every
// incarnation of its actor; viewers and adapters hold on to this, never to an engine.
import { limitOf } from '../../machines/bandwidth/report.ts'
import type { SourceClock } from '../../machines/clock/source-clock.ts'
import type { NoResultCause } from '../../machines/engine/no-result.ts'
import type { Result } from '../../machines/engine/result.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { robotSetOf } from '../../machines/extcam/robot-set.ts'
import { Latest } from '../../machines/latest.ts'
import { Listeners, type OnBug } from '../../machines/listeners.ts'
import { recordingStatusOf } from '../../machines/recording/status.ts'
import type { StoredValue } from '../../machines/settings/store.ts'
import { type LiveFigures, recordedSoFar } from '../../machines/stream/live-figures.ts'
import type { CanonicalManifest } from '../../machines/stream/manifest.ts'
import { StreamMeter } from '../../machines/stream/meter.ts'
import { cameraUidOf } from '../../machines/stream/part-names.ts'
import { withOwnPipeline } from '../../machines/stream/pipeline-change.ts'
import type { SlotGraph } from '../../machines/stream/slots.ts'
import { ownCameraOf } from '../../machines/stream/sources/traits.ts'
import { presentWarnings, type StreamState, type StreamStatus } from '../../machines/stream/status.ts'
import {
  conditionOf,
  pipelineOf,
  type StreamRun,
  type StreamSnapshot,
  statusOf,
} from '../../machines/stream/status-of.ts'
import { hasOtherChoice } from '../../machines/stream/what-runs.ts'
import type { ChildStatus } from '../../machines/supervision/child.ts'
import type { Clock } from '../../native/clock/port.ts'
import type { HeldCameras } from './held-cameras.ts'
import { StreamEngine } from './stream-engine.ts'
import { StreamGuard } from './stream-guard.ts'
import { StreamRecording } from './stream-recording.ts'
import { StreamRobot } from './stream-robot.ts'
import { StreamViewers } from './stream-viewers.ts'
import { TriedPipeline } from './tried-pipeline.ts'

/** What runs a stream, asked whenever its status is wanted. */
export interface StreamChild {
  /** undefined while nothing runs. */
  readonly status: () => ChildStatus | undefined
  /** undefined while there is no actor. */
  readonly snapshot: () => StreamSnapshot | undefined
}

/** What is told of a stream that has changed by itself. */
export type StreamStateChange = Pick<StreamStatus, 'state' | 'fault'> & {
  readonly pipeline_fault: StreamStatus['pipeline']['fault']
}

/** What a stream's runtime is made of. */
export interface StreamRuntimeParts {
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicUs'>
  /** The table under which the robot finds it. */
  readonly tableOf: (id: string) => string | null
  /** What is wrong with its tables now. */
  readonly tableFaults?: ((id: string) => readonly Fault[]) | undefined
  /** Cameras that it may not open for a while. Default: none. */
  readonly held?: Pick<HeldCameras, 'why'> | undefined
  /** Told when its state has changed, or what is wrong with its pipeline. */
  readonly moved: (to: StreamStateChange) => void
  /** Told when a control of its camera was set. */
  readonly controlSet: (camera_uid: string, control_id: number, value: number) => void
  readonly onBug?: OnBug | undefined
}

/** One stream at run time: the parts of those who have to do with it, each written by its owner. */
export class StreamRuntime {
  readonly id: string
  /** Written by what runs its engine, as all that comes with each picture. */
  readonly results: Latest<Result>
  /** Told whenever the engine has had no result to send for 45 ms, and when it has ended. */
  readonly noResult: Listeners<NoResultCause>
  readonly meter = new StreamMeter()
  /** Written by the stream actor. */
  readonly engine: StreamEngine
  /** Written by what reads the robot. */
  readonly robot: StreamRobot
  /** Written by those who look, and by what shares out the network among them. */
  readonly viewers: StreamViewers
  /** Written by the resource guard. */
  readonly guard: StreamGuard
  /** Written by what records. */
  readonly recording = new StreamRecording()
  /**
   * Where the clock of the device stands whose camera it is, if that is another one; null: nobody knows. Written by the
   * actor of remote streams.
   */
  readonly sourceClock: Latest<SourceClock | null>
  /** The stored pipeline of its active slot, as it is now; null: none is active. Written by the registry. */
  readonly graph: Latest<SlotGraph | null>
  /** The pipeline that is tried on it. Written by those who change its pipeline. */
  readonly tried: TriedPipeline
  /** Who runs it; undefined until somebody does. Written by the supervisor of streams. */
  child: StreamChild | undefined
  readonly #parts: StreamRuntimeParts
  readonly #deleted: Listeners<void>
  readonly #moved: Listeners<void>
  #stored: StoredValue<CanonicalManifest>
  #wanted: StoredValue<CanonicalManifest>
  #isDeleted = false
  #shown: { readonly state: StreamState; readonly since_ms: number }
  #pipelineFault: StreamStateChange['pipeline_fault'] = null

  constructor(id: string, stored: StoredValue<CanonicalManifest>, parts: StreamRuntimeParts) {
    const { clock, onBug } = parts
    this.id = id
    this.results = new Latest(onBug)
    this.noResult = new Listeners(onBug)
    this.engine = new StreamEngine(clock, onBug)
    this.robot = new StreamRobot(onBug)
    this.viewers = new StreamViewers(onBug)
    this.guard = new StreamGuard(onBug)
    this.sourceClock = new Latest(onBug)
    this.graph = new Latest(onBug)
    this.graph.subscribe(() => this.observe())
    this.results.subscribe((result) => this.meter.record(result))
    this.guard.onChanged(() => this.#limitPictures())
    this.engine.opened.subscribe(() => this.#limitPictures())
    this.#parts = parts
    this.#deleted = new Listeners(onBug)
    this.#moved = new Listeners(onBug)
    this.#stored = stored
    this.#wanted = stored
    this.tried = new TriedPipeline(clock, onBug)
    this.tried.onChanged(() => {
      this.#wanted = this.#withTried()
      this.observe()
    })
    this.#shown = { state: conditionOf(this.#run()).state, since_ms: clock.nowMs() }
  }

  /** The newest manifest, with its revision. */
  get stored(): StoredValue<CanonicalManifest> {
    return this.#stored
  }

  get manifest(): CanonicalManifest {
    return this.#stored.value
  }

  /** What is to run: the newest manifest, with the pipeline that is tried in place of its own. */
  get wanted(): StoredValue<CanonicalManifest> {
    return this.#wanted
  }

  get isDeleted(): boolean {
    return this.#isDeleted
  }

  /** Whether something else has its camera for a while. */
  get isHeld(): boolean {
    return this.#heldBy !== undefined
  }

  /** Why nothing of it runs for a while, whatever its manifest says; null: it may. */
  get pause(): Fault | null {
    return this.#heldBy ?? this.guard.pause
  }

  /** The registry says that it was stored again. Whoever has chosen another pipeline ends what others try. */
  store(stored: StoredValue<CanonicalManifest>): void {
    const before = this.#stored.value
    this.#stored = stored
    this.#wanted = this.#withTried()
    if (endsTrial(before, stored.value)) this.tried.end()
    this.observe()
  }

  /** The registry says that it was deleted. */
  delete(): void {
    this.#isDeleted = true
    this.tried.end()
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

  /**
   * Something changed from which its state follows, or what is wrong with its pipeline. The one place that notices
   * that, and says so.
   */
  observe(): void {
    const { state, fault } = conditionOf(this.#run())
    const { fault: pipeline_fault } = pipelineOf(this.#run(), this.#graphOfSlot)
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
    this.engine.clockSet(byMs)
  }

  status(): StreamStatus {
    const { clock, tableOf, tableFaults } = this.#parts
    const limit = this.viewers.bandwidth.value && limitOf(this.viewers.bandwidth.value)
    const nowMs = clock.nowMs()
    const facts = {
      opened: this.engine.opened.value,
      stamped: this.engine.stamped.value,
      warnings: [
        ...presentWarnings(this.engine.warnings, nowMs),
        ...[...(limit ? [limit] : []), ...(tableFaults?.(this.id) ?? [])].map(({ code, detail }) => ({
          code,
          detail,
          count: 1,
          last_at_ms: nowMs,
        })),
      ],
      fps: this.meter.fps(clock.monotonicUs()),
      viewers: this.viewers.count,
      extcam_table: tableOf(this.id),
      recording: recordingStatusOf(this.recording.status?.()),
      guard: this.guard.status,
      robot: this.#robotSet,
      graph: this.#graphOfSlot,
      trial: this.tried.status,
    }
    return statusOf(this.#run(), facts, this.#shown.since_ms)
  }

  /** What changes all the time. */
  figures(): LiveFigures {
    const { sent_mbit_s = null, granted_mbit_s = null } = this.viewers.bandwidth.value ?? {}
    const isLive = this.state === 'live'
    const latencyUs = isLive ? this.meter.latencyUs() : null
    return {
      id: this.id,
      fps: isLive ? tenth(this.meter.fps(this.#parts.clock.monotonicUs())) : null,
      latency_ms: latencyUs === null ? null : tenth(latencyUs / US_IN_MS),
      viewers: this.viewers.count,
      restarts: this.child?.status()?.restarts ?? 0,
      bandwidth: sent_mbit_s === null || granted_mbit_s === null ? null : { sent_mbit_s, granted_mbit_s },
      recording: recordedSoFar(recordingStatusOf(this.recording.status?.())),
      robot: this.#robotSet,
    }
  }

  get #robotSet(): StreamStatus['robot'] {
    const { live, wants } = this.robot
    return robotSetOf(live.value, wants.value, this.manifest)
  }

  #limitPictures(): void {
    const { preview_fps: fps, preview_width_px: max_width_px } = this.guard.limit
    const { pixel_format } = this.engine.opened.value ?? {}
    const sparesOwnJpegs = pixel_format === 'jpeg' || pixel_format === 'mjpeg'
    this.viewers.pictures.limit({ fps, max_width_px, sparesOwnJpegs })
    this.viewers.video.limit(fps)
  }

  #withTried(): StoredValue<CanonicalManifest> {
    const { graph } = this.tried
    const { revision, value } = this.#stored
    return graph ? { revision, value: withOwnPipeline(value, graph) } : this.#stored
  }

  /** Of no interest while something else is tried. */
  get #graphOfSlot(): SlotGraph | null {
    return this.tried.graph ? null : (this.graph.value ?? null)
  }

  #run(): StreamRun {
    const { wanted, pause: paused, child } = this
    return { manifest: wanted.value, paused, child: child?.status(), snapshot: child?.snapshot() }
  }

  get #heldBy(): Fault | undefined {
    return this.#parts.held?.why(ownCameraOf(this.manifest.source)?.camera_uid)
  }
}

/** One that nobody wants to run any more is not tried on either. */
const endsTrial = (before: CanonicalManifest, after: CanonicalManifest): boolean =>
  hasOtherChoice(before, after) || (before.enabled && !after.enabled)

const US_IN_MS = 1_000

const tenth = (value: number): number => Math.round(value * 10) / 10
