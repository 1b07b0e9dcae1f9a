// The engine of this process: one camera, the plan that runs on its pictures, and what is made of them. It lives as
// long as the process.
import type { Control, ControlOutcome } from '../../../machines/engine/controls.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import type { LiveControls } from '../../../machines/extcam/live.ts'
import type { PoseDocument } from '../../../machines/localization/pose.ts'
import type { Plan, StepParams } from '../../../machines/pipeline/graph.ts'
import type { RecordingProgress } from '../../../machines/recording/progress.ts'
import type { VideoWant } from '../../../machines/stream/video.ts'
import type { EngineEvent, EngineOpened, EngineTask, RecordingOrder } from '../port.ts'
import type { Opened, Planned } from '../protocol/answers.ts'
import { Layouts, layoutOf, resultBytes, sentLayout } from '../protocol/results.ts'
import type { Addon, NativePicture, NativeStream, ViewerLeft } from './addon.ts'
import { CameraQuestions } from './camera-questions.ts'
import type { HostedPlan, Hosts } from './host/hosts.ts'
import { isHosted } from './host/modules.ts'
import { LIBAV_PATH } from './libav.ts'
import { NoResultTimer } from './no-result-timer.ts'
import type { Recordings } from './recordings.ts'
import type { ReportOutbox } from './report-outbox.ts'
import { TableFrameMaker } from './table-frames.ts'
import { toFault } from './to-fault.ts'
import { TriedPlan } from './tried-plan.ts'
import { Video } from './video.ts'

const REWIND_TOLD_EVERY_MS = 1_000

const DEFAULT_FPS = 30 // until a camera says how many it gives

/** What an engine works with. */
export interface EngineParts {
  readonly addon: Pick<Addon, 'Stream' | 'hosts' | 'plugins'>
  /** Takes what is made, and what happens. */
  readonly outbox: ReportOutbox
}

/** One camera and its plan, and what they are at the moment. What it cannot do it throws. */
export class VisionEngine {
  /** The camera and its plan in C++. */
  readonly stream: NativeStream
  readonly #addon: EngineParts['addon']
  readonly #outbox: ReportOutbox
  readonly #layouts = new Layouts()
  readonly #tableFrames: TableFrameMaker
  readonly #noResultTimer: NoResultTimer
  readonly #cameraQuestions: CameraQuestions
  readonly #tried: TriedPlan
  readonly #video: Video
  /** Done when the newest opening, plan or parameters are. */
  #changes: Promise<unknown> = Promise.resolve()
  /** What was found when the camera was opened; undefined: it is not open. */
  #opened: EngineOpened | undefined
  #hasTruth = false
  #observes = false
  /** What it takes to record is loaded with the first order to do so. */
  #recordings: Recordings | undefined
  /** Loaded with the first plan that JavaScript does steps of. */
  #hosts: Hosts | undefined
  #rewindTimer: NodeJS.Timeout | undefined

  constructor({ addon, outbox }: EngineParts) {
    this.#addon = addon
    this.#outbox = outbox
    this.#tableFrames = new TableFrameMaker(this.#layouts, (fault) => this.warn(fault))
    this.#noResultTimer = new NoResultTimer(() => outbox.send({ type: 'quiet' }))
    this.stream = new addon.Stream(
      (
        type: 'result' | 'result-in-turn' | 'picture' | 'notice' | 'viewer-left',
        value: Uint8Array | NativePicture | EngineEvent | ViewerLeft,
      ) => {
        if (type === 'result') outbox.sendLatest('result', { type }, this.#resultBytes(value as Uint8Array))
        else if (type === 'result-in-turn')
          outbox.sendInTurn({ type: 'result' }, this.#resultBytes(value as Uint8Array), () => this.stream.resultLeft())
        else if (type === 'notice') this.#notice(value as EngineEvent)
        else if (type === 'viewer-left') outbox.send({ type, ...(value as ViewerLeft) })
        else {
          const { jpeg, result: data, ...picture } = value as NativePicture
          const beside = data === undefined ? {} : { result: data && resultBytes(data) }
          outbox.sendLatest(`picture ${picture.key}`, { type, picture, ...beside }, jpeg)
        }
      },
    )
    this.#cameraQuestions = new CameraQuestions(this.stream)
    this.#tried = new TriedPlan(() => this.stream.dropTried())
    this.#video = new Video({
      stream: this.stream,
      send: ({ bytes, ...packet }) => outbox.sendIfRoom({ type: 'video', packet }, bytes),
      fail: (fault) => this.#notice({ type: 'video-failed', fault }),
    })
  }

  /** began: told when it is its turn, and its workers are ready. */
  open(task: EngineTask, began: () => void): Promise<Opened> {
    return this.#inTurn(() => {
      this.#opened = undefined
      return this.#hosted(task.plan, began, (plan) => this.#open(task, plan))
    })
  }

  /** Runs another plan from the next picture on. began: as for `open`. */
  setPlan(plan: Plan, began: () => void): Promise<Planned> {
    return this.#inTurn(() => this.#hosted(plan, began, (hosted) => this.#setPlan(plan, hosted)))
  }

  /** Makes a plan and keeps it for a while, but does not run it. began: as for `open`. */
  tryPlan(plan: Plan, began: () => void): Promise<undefined> {
    return this.#inTurn(() => this.#hosted(plan, began, (hosted) => this.#tryPlan(hosted)))
  }

  /** Those of a plan that is still being made wait for it. What cannot be set is reported. */
  setParams(steps: readonly StepParams[]): void {
    this.#inTurn(async () => this.stream.setParams(this.#hosts?.paramsFor(steps) ?? steps)).catch((error) =>
      this.warn(toFault(error)),
    )
  }

  /** Where the camera is, from the next picture on. */
  setMount(mount: PoseDocument | null): void {
    this.stream.setMount(mount)
    this.#tableFrames.setMount(mount)
  }

  /** What the robot wants, from the next picture on. */
  setLive(live: LiveControls): void {
    this.stream.setLive(live)
    this.#tableFrames.setLive(live)
  }

  /** How much of the last pictures is kept. */
  setRewind(maxBytes: number, isPaused: boolean): void {
    this.stream.setRewind(maxBytes, isPaused)
    this.#reportRewind()
  }

  /** What is encoded for those who watch; null: nobody does. */
  setVideo(wanted: VideoWant | null): void {
    this.#video.set(wanted, this.#opened?.fps ?? DEFAULT_FPS)
  }

  /** The next picture of the video is to be one with which a decoder can begin. */
  wantVideoKey(): void {
    this.#video.wantKey()
  }

  /** The camera's controls, as it has them now. */
  async listControls(): Promise<readonly Control[]> {
    return JSON.parse(await this.#cameraQuestions.list())
  }

  /** Sets one control, and reads it back. */
  async setControl(id: number, value: number): Promise<ControlOutcome> {
    return JSON.parse(await this.#cameraQuestions.set(id, value))
  }

  /** A value that is a fault says why nothing is recorded. */
  async startRecording(order: RecordingOrder): Promise<Fault | undefined> {
    return (await this.#loadRecordings()).start(order, this.#opened)
  }

  /** Done when all of it is on the disk. A value that is a fault says why it is not. */
  async stopRecording(): Promise<Fault | RecordingProgress> {
    return (await this.#loadRecordings()).stop()
  }

  /** Reports something that stopped nothing. */
  warn(fault: Fault): void {
    this.#outbox.send({ type: 'event', event: { type: 'warned', fault, count: 1 } })
  }

  /** Done when the camera is closed, and what is recorded is on the disk. */
  async end(): Promise<void> {
    this.#video.end()
    this.#hosts?.end()
    await Promise.all([this.#changes.then(() => this.stream.close()), this.#recordings?.stop()])
  }

  /** Openings, plans and parameters come one after the other; nothing else waits for them. */
  #inTurn<Made>(make: () => Promise<Made>): Promise<Made> {
    const made = this.#changes.then(make)
    this.#changes = made.catch(() => {}) // settles a step after `made`, so that what was made is answered first
    return made
  }

  /** A plan has its workers while it is made, and does not lose them before. */
  async #hosted<Made>(plan: Plan, began: () => void, make: (hosted: HostedPlan) => Promise<Made>): Promise<Made> {
    const begin = (ready: HostedPlan): Promise<Made> => {
      began()
      return make(ready)
    }
    if (!this.#hosts && !isHosted(plan)) return begin({ plan, labels: new Map(), adopt: () => {} })
    this.#hosts ??= new (await import('./host/hosts.ts')).Hosts(this.#addon)
    return this.#hosts.during(plan, begin)
  }

  async #open(task: EngineTask, { labels, adopt, plan: native }: HostedPlan): Promise<Opened> {
    const nativeTask = { ...task, plan: native, video_library: LIBAV_PATH }
    const { has_truth, plan, ...opened } = await this.stream.open(nativeTask)
    adopt()
    this.#hasTruth = has_truth
    this.#observes = task.observations === true
    const layout = this.#layouts.set(plan, layoutOf(task.plan, has_truth, labels))
    this.#opened = { ...opened, layout }
    this.#recordings?.opened(this.#opened)
    this.#outbox.clear()
    this.#tableFrames.opened(task, this.#opened)
    if (task.sightings) this.#noResultTimer.start()
    else this.#noResultTimer.stop()
    return { opened, plan, layout: sentLayout(layout) }
  }

  async #setPlan(plan: Plan, { labels, adopt, plan: native }: HostedPlan): Promise<Planned> {
    const number = (this.#tried.take(native) && this.stream.runTried()) || (await this.stream.setPlan(native))
    adopt()
    const layout = this.#layouts.set(number, layoutOf(plan, this.#hasTruth, labels))
    return { plan: number, layout: sentLayout(layout) }
  }

  async #tryPlan({ plan: native }: HostedPlan): Promise<undefined> {
    this.#tried.drop()
    await this.stream.setPlan(native, true)
    this.#tried.keep(native)
  }

  async #loadRecordings(): Promise<Recordings> {
    this.#recordings ??= new (await import('./recordings.ts')).Recordings({
      stream: this.stream,
      layouts: this.#layouts,
      tell: (event) => this.#notice(event),
    })
    return this.#recordings
  }

  /** What the addon gave, with what goes beside it. */
  #resultBytes(given: Uint8Array): Uint8Array {
    this.#noResultTimer.sent()
    const { data, observed } = this.#observes ? withObservation(given) : { data: given, observed: 0 }
    return resultBytes(data, { sighting: this.#tableFrames.of(data), observed })
  }

  #notice(event: EngineEvent): void {
    if (event.type === 'lost') this.#recordings?.cut()
    this.#outbox.send({ type: 'event', event })
  }

  /** What is kept of the last pictures, now and each second as long as there is something to be kept. */
  #reportRewind(): void {
    const kept = this.stream.rewindKept()
    this.#notice({ type: 'rewind', kept })
    clearTimeout(this.#rewindTimer)
    this.#rewindTimer = kept === null ? undefined : setTimeout(() => this.#reportRewind(), REWIND_TOLD_EVERY_MS).unref()
  }
}

/** The last double says how many of those before it are the observation. */
const withObservation = ({ buffer, byteOffset, length }: Uint8Array) => ({
  data: new Uint8Array(buffer, byteOffset, length - 8),
  observed: new DataView(buffer, byteOffset + length - 8).getFloat64(0, true),
})
