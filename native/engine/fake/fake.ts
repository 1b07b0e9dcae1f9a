// Engines without a camera, a process or C++: for tests, and for a machine on which the addon cannot be built
// (VEDETTE_ENGINE=fake).
import * as Effect from 'effect/Effect'
import type { SourceClock } from '../../../machines/clock/source-clock.ts'
import type { Control, ControlOutcome } from '../../../machines/engine/controls.ts'
import { type Fault, isFault } from '../../../machines/errors/fault.ts'
import { type Heading, type LiveControls, NO_LIVE_CONTROLS } from '../../../machines/extcam/live.ts'
import { identityPose, type Pose, poseFromDocument } from '../../../machines/localization/pose.ts'
import type { Plan, StepParams } from '../../../machines/pipeline/graph.ts'
import type { RecordingProgress } from '../../../machines/recording/progress.ts'
import type { Picture, PictureKind } from '../../../machines/stream/picture.ts'
import type { Engine, EngineEvent, EngineOpened, EnginePort, EngineSinks, EngineTask, RecordingOrder } from '../port.ts'
import { type ToldMethods, toldMethods } from '../protocol/orders.ts'
import { layoutOf } from '../protocol/results.ts'
import { controlsOf } from './controls.ts'
import { lensOf, openedBy } from './opened.ts'
import { FakeRecording } from './recording.ts'
import { fakeObservation, fakeResult } from './scene.ts'
import { fpsOf, hasTruth, isStamped } from './sources.ts'

/** What fake engines are told beforehand. */
export interface FakeEngineOptions {
  /** Frames come only when they are shown. */
  readonly byHand?: boolean
  /**
   * The clock of the frames, that of the service which has the engines: one of a device that was just switched on shows
   * another time.
   */
  readonly nowUs: () => number
  /** Why the next opening, or plan, fails; none: it succeeds. */
  readonly openFault?: (task: EngineTask) => Fault | undefined
  /** Why the next opening, or plan, fails; none: it succeeds. */
  readonly planFault?: (plan: Plan) => Fault | undefined
}

/** The port, and the engines that live, in the order in which they were started. */
export interface FakeEngines extends EnginePort {
  readonly alive: readonly FakeEngine[]
}

/**
 * Fake engines. Their frames come at the rate of the source, by Effect's clock: a test with a simulated one decides
 * when.
 */
export const fakeEngines = (options: FakeEngineOptions): FakeEngines => {
  const alive: FakeEngine[] = []
  return {
    alive,
    endLeft: Effect.succeed([]),
    spawn: (name, sinks) =>
      Effect.gen(function* () {
        const engine = yield* Effect.acquireRelease(
          Effect.sync(() => {
            const started = new FakeEngine(name, sinks, options, 4_000_000 + alive.length) // above any real process id
            alive.push(started)
            return started
          }),
          (started) =>
            Effect.sync(() => {
              alive.splice(alive.indexOf(started), 1)
              started.end()
            }),
        )
        if (!options.byHand) yield* Effect.forkScoped(engine.play)
        return engine
      }),
  }
}

const crashFault: Fault = { code: 'engine.crashed', detail: 'The vision engine of this stream stopped (SIGSEGV).' }
const hungFault: Fault = {
  code: 'engine.hung',
  detail: 'The vision engine of this stream does not answer within 1 s.',
}
const lostFault: Fault = { code: 'camera.lost', detail: 'The fake camera was unplugged.' }

const noRecording: Fault = {
  code: 'recording.failed',
  detail: 'There is nothing to be recorded, or something is being recorded already.',
}

/** Of the one picture that fake cameras show. */
const FAKE_SIZE = 16

const MAX_HEADINGS = 256

const IDLE_MS = 20 // how often an engine without a camera looks whether it has got one

/** What it does about orders that it does not simulate, such as those about video: nothing. */
const IgnoredOrders = class {
  constructor() {
    Object.assign(
      this,
      toldMethods(() => {}),
    )
  }
} as new () => ToldMethods

/** One fake engine, with the means to make it misbehave. */
export class FakeEngine extends IgnoredOrders implements Engine {
  readonly name: string
  readonly pid: number
  readonly handover = null
  /** What it was opened with; undefined while it is closed. */
  task: EngineTask | undefined
  kinds: readonly PictureKind[] = []
  live: LiveControls = NO_LIVE_CONTROLS
  /** As it was told last; null: that nobody knows it, or nothing. */
  sourceClock: SourceClock | null = null
  /** The newest last; as many as an engine keeps. */
  readonly headings: Heading[] = []
  readonly #sinks: EngineSinks
  readonly #options: FakeEngineOptions
  readonly #listeners = new Set<(event: EngineEvent) => void>()
  #opened: EngineOpened | undefined
  #controls = new Map<number, Control>()
  #mount: Pose = identityPose
  #hasMount = false
  #seq = 0
  #state: 'running' | 'hung' | 'crashed' = 'running'
  #recording: FakeRecording | undefined
  #maxKept = 0
  #keepsNoMore = false
  #isStampedThere = false
  readonly #kept: number[] = [] // when the pictures were taken that are kept
  readonly #gone = Promise.withResolvers<void>()

  constructor(name: string, sinks: EngineSinks, options: FakeEngineOptions, pid: number) {
    super()
    this.name = name
    this.pid = pid
    this.#sinks = sinks
    this.#options = options
  }

  readonly open = (task: EngineTask): Effect.Effect<EngineOpened, Fault> =>
    this.#answer(() => {
      const opened = this.#options.openFault?.(task) ?? openedBy(task)
      if (isFault(opened)) return Effect.fail(opened)
      this.task = task
      this.#controls = controlsOf(task.source)
      this.#seq = 0
      this.#isStampedThere = false
      this.setMount(task.mount)
      this.#opened = opened
      return Effect.succeed(opened)
    }, '10 seconds')

  readonly tryPlan = (plan: Plan): Effect.Effect<void, Fault> =>
    this.#answer(() => {
      const fault = this.#options.planFault?.(plan)
      return fault ? Effect.fail(fault) : Effect.void
    }, '10 seconds')

  readonly setPlan = (plan: Plan): Effect.Effect<void, Fault> =>
    Effect.map(this.tryPlan(plan), () => {
      if (!this.task || !this.#opened) return
      this.task = { ...this.task, plan }
      this.#opened = { ...this.#opened, layout: layoutOf(plan, hasTruth(this.task.source)) }
    })

  override readonly setParams = (steps: readonly StepParams[]): void => {
    const { task } = this
    if (!task) return
    const params = new Map(steps.map(({ id, params: each }) => [id, each]))
    const changed = task.plan.steps.map((step) => ({ ...step, params: params.get(step.id) ?? step.params }))
    this.task = { ...task, plan: { ...task.plan, steps: changed } }
  }

  readonly ping: Effect.Effect<void, Fault> = Effect.suspend(() => this.#answer(() => Effect.void, '1 second'))

  readonly startRecording = (order: RecordingOrder): Effect.Effect<void, Fault> =>
    this.#answer(() => {
      if (!this.task || this.#recording) return Effect.fail(noRecording)
      this.#recording = new FakeRecording(order, FAKE_SIZE)
      if (order.rewinds) for (const capturedUs of this.#kept) this.#recording.take(jpeg, capturedUs)
      return Effect.void
    }, '1 second')

  readonly stopRecording: Effect.Effect<RecordingProgress, Fault> = Effect.suspend(() =>
    this.#answer(() => {
      const recording = this.#recording
      this.#recording = undefined
      return recording ? Effect.succeed(recording.progress) : Effect.fail(noRecording)
    }, '1 second'),
  )

  readonly gone: Effect.Effect<void> = Effect.promise(() => this.#gone.promise)

  readonly controls: Effect.Effect<readonly Control[], Fault> = Effect.suspend(() =>
    this.#answer(() => Effect.succeed([...this.#controls.values()]), '5 seconds'),
  )

  readonly setControl = (id: number, value: number): Effect.Effect<ControlOutcome, Fault> =>
    this.#answer(() => this.#set(id, value), '5 seconds')

  override readonly setPictureKinds = (kinds: readonly PictureKind[]): void => {
    this.kinds = kinds
  }

  override readonly setMount = (mount: EngineTask['mount']): void => {
    this.#mount = mount ? poseFromDocument(mount) : identityPose
    this.#hasMount = mount !== null
  }

  override readonly setLive = (live: LiveControls): void => {
    this.live = live
  }

  override readonly setHeading = (heading: Heading): void => {
    this.headings.push(heading)
    if (this.headings.length > MAX_HEADINGS) this.headings.shift()
  }

  override readonly setSourceClock = (clock: SourceClock | null): void => {
    this.sourceClock = clock
  }

  override readonly setRewind = (maxBytes: number, isPaused = false): void => {
    this.#keepsNoMore = isPaused
    this.#maxKept = Math.floor(maxBytes / jpeg.length)
    if (maxBytes === 0) this.#kept.length = 0
  }

  readonly subscribe = (listener: (event: EngineEvent) => void): (() => void) => {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  /** Its process dies of SIGSEGV. */
  crash(): void {
    this.#state = 'crashed'
    this.task = undefined
    this.end()
    this.#tell({ type: 'exited', fault: crashFault })
  }

  /** Its recording ends by itself. */
  endRecording(fault: Fault): void {
    const recording = this.#recording
    this.#recording = undefined
    if (recording) this.#tell({ type: 'record-ended', fault, progress: recording.progress })
  }

  /** Its process is gone. */
  end(): void {
    this.#recording = undefined
    this.#gone.resolve()
  }

  /** It stops showing frames and answering. */
  hang(): void {
    this.#state = 'hung'
  }

  /** Its camera goes away; another `open` may find it again. */
  loseCamera(fault: Fault = lostFault): void {
    this.task = undefined
    this.#tell({ type: 'lost', fault })
  }

  /** Its source has played its last picture. */
  endSource(): void {
    this.task = undefined
    this.#tell({ type: 'ended' })
  }

  /** It reports something that stopped nothing, and how many times it happened. */
  warn(fault: Fault, count = 1): void {
    this.#tell({ type: 'warned', fault, count })
  }

  /** Whoever sends its pictures over the network is taken to say when they were taken. */
  #tellStamps({ source }: EngineTask): void {
    const isStampedThere = isStamped(source) && this.sourceClock !== null
    if (isStampedThere === this.#isStampedThere) return
    this.#isStampedThere = isStampedThere
    this.#tell({ type: 'stamped', timestamp_source: isStampedThere ? 'peer' : 'arrival' })
  }

  /** Shows one frame now; does nothing while it is closed, hung or crashed. */
  showFrame(): void {
    if (!this.task || !this.#opened || this.#state !== 'running') return
    this.#tellStamps(this.task)
    const { map } = this.task
    const { layout, intrinsics } = this.#opened
    const seq = this.#seq++
    const capturedUs = this.#options.nowUs()
    const lens = intrinsics ?? lensOf(this.#opened)
    const frame = { seq, capturedUs, mount: this.#mount, map, intrinsics: lens, layout }
    const result = { layout, data: fakeResult(frame) }
    const observes = this.task.observations && this.task.plan.steps.some(({ type }) => type === 'undistort-points')
    this.#sinks.results.set(observes ? { ...result, observation: fakeObservation(frame, this.#hasMount) } : result)
    this.#recording?.take(jpeg, capturedUs)
    if (this.#maxKept > 0 && !this.#keepsNoMore) this.#kept.push(capturedUs)
    while (this.#kept.length > this.#maxKept) this.#kept.shift()
    if (seq === 0) this.#tell({ type: 'first-frame' })
    const { outputs } = this.task.plan
    for (const { key, output, has_results } of this.kinds)
      if (!output || outputs.some(({ port, kind }) => port === output && kind === 'image'))
        this.#sinks.picture({ ...fakePicture(key, seq, capturedUs), ...(has_results && { result }) })
  }

  /** Shows frames at the rate of the source for ever. */
  readonly play: Effect.Effect<never> = Effect.suspend(() => {
    const periodMs = this.task ? 1000 / fpsOf(this.task.source) : IDLE_MS
    return Effect.delay(
      Effect.sync(() => this.showFrame()),
      periodMs,
    )
  }).pipe(Effect.forever)

  /** As a camera does: what lies outside of the limits is taken for the nearest that does not. */
  #set(id: number, requested: number): Effect.Effect<ControlOutcome, Fault> {
    const control = this.#controls.get(id)
    if (!control) return Effect.fail({ code: 'control.unknown', detail: `the camera has no control ${id}` })
    const applied = Math.min(Math.max(requested, control.min), control.max)
    this.#controls.set(id, { ...control, value: applied })
    if (applied === requested) return Effect.succeed({ requested, applied, ok: true, code: null, why: null })
    const why = `the camera took ${control.name} ${applied} instead of ${requested}`
    return Effect.succeed({ requested, applied, ok: false, code: 'control.adjusted', why })
  }

  #answer<Value>(reply: () => Effect.Effect<Value, Fault>, limit: '1 second' | '5 seconds' | '10 seconds') {
    return Effect.suspend((): Effect.Effect<Value, Fault> => {
      if (this.#state === 'crashed') return Effect.fail(crashFault)
      return this.#state === 'hung' ? Effect.never : reply()
    }).pipe(Effect.timeoutOrElse({ duration: limit, orElse: () => Effect.fail(hungFault) }))
  }

  #tell(event: EngineEvent): void {
    for (const listener of [...this.#listeners]) listener(event)
  }
}

/** Sixteen pixels square, a chequerboard of four fields. */
const jpeg = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19i' +
    'Z2hnPk1xeXBkeFxlZ2P/wAALCAAQABABAREA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUF' +
    'BAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVW' +
    'V1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi' +
    '4+Tl5ufo6erx8vP09fb3+Pn6/9oACAEBAAA/AOTr1CivL6//2Q==',
  'base64',
)

const fakePicture = (key: string, seq: number, captured_us: number): Picture => ({
  key,
  seq,
  captured_us,
  jpeg,
  width_px: 16,
  height_px: 16,
  passthrough: false,
})
