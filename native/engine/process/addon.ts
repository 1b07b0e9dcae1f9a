// The C++ addon as TypeScript sees it. Loaded in engine processes only.
import { createRequire } from 'node:module'
import type { SourceClock } from '../../../machines/clock/source-clock.ts'
import type { Pulse } from '../../../machines/engine/health.ts'
import type { Heading, LiveControls } from '../../../machines/extcam/live.ts'
import type { PoseDocument } from '../../../machines/localization/pose.ts'
import type { Plan, StepParams } from '../../../machines/pipeline/graph.ts'
import type { Picture, PictureKind } from '../../../machines/stream/picture.ts'
import { projectPath } from '../../files/project-root.ts'
import type { ViewerLook } from '../../viewers/port.ts'
import type { EngineEvent, EngineOpened, EngineTask, RewindKept } from '../port.ts'
import type { PackedBeside } from '../protocol/reports.ts'
import type { PictureSink } from './libav.ts'

/**
 * What a NativeStream opened. has_truth: results end with the outputs `truth` and `visible`. plan: the number of its
 * plan, from 1, which stands in the results.
 */
export type NativeOpened = Omit<EngineOpened, 'layout'> & { readonly has_truth: boolean; readonly plan: number }

/**
 * A task as the addon takes it. video_library: the other addon, which is loaded when the source is a video; without it
 * there is no such source.
 */
export interface NativeTask extends EngineTask {
  readonly video_library?: string
}

/** A picture as the addon gives it. result: packed doubles. */
export type NativePicture = Omit<Picture, 'result'> & PackedBeside

/**
 * Takes what a stream makes. `result`: the packed doubles, and where the task asks for observations also those of one,
 * then how many these are; `result-in-turn`: those that must not be dropped, each answered by resultLeft().
 */
export interface NativeListener {
  (type: 'result' | 'result-in-turn', bytes: Uint8Array): void
  (type: 'picture', picture: NativePicture): void
  (type: 'notice', event: EngineEvent): void
  (type: 'viewer-left', viewer: ViewerLeft): void
}

/** A viewer that is no longer written to. */
export interface ViewerLeft {
  readonly viewer: number
  readonly why: 'gone' | 'stalled'
}

/**
 * One camera with its plan, and its viewers, who outlive an opening. open and close are called one after the other.
 * Errors have a fault's `code`.
 */
export interface NativeStream {
  open(task: NativeTask): Promise<NativeOpened>
  close(): Promise<void>
  /**
   * The number of a plan that is run from the next picture on; its results have it. Fails, and the previous plan goes
   * on, when it cannot be made. isTrial: it is made and kept, not run; 0.
   */
  setPlan(plan: Plan, isTrial?: boolean): Promise<number>
  /** The same with the plan that was tried last, which is made already. 0: it is not kept any more. */
  runTried(): number
  /** Gives its memory back. */
  dropTried(): void
  /** All parameters of these steps, from the next picture on, as far as they are live. */
  setParams(steps: readonly StepParams[]): void
  setPictureKinds(kinds: readonly PictureKind[]): void
  setMount(mount: PoseDocument | null): void
  /** From the next picture on, of this opening and those that follow. */
  setLive(live: LiveControls): void
  /** One more sample. */
  addHeading(heading: Heading): void
  /** From the next picture on, of this opening and those that follow; null: nobody knows it. */
  setSourceClock(clock: SourceClock | null): void
  /** A result that came in turn has left this process: the next may come. */
  resultLeft(): void
  /**
   * Everything that is captured from now on goes there too; null: nowhere else. rewinds: what is kept goes there first;
   * default no.
   */
  record(sink: PictureSink | null, rewinds?: boolean): void
  /**
   * Nothing that is captured from now on is recorded. True: all from before has gone there, with its results; to be
   * called again until then, or until record(null), which drops the rest.
   */
  endRecording(): boolean
  /** How much is kept of the last pictures; 0: nothing. isPaused: what is kept stays, and no more is; default no. */
  setRewind(maxBytes: number, isPaused?: boolean): void
  /** null: nothing is to be kept. */
  rewindKept(): RewindKept | null
  takeRecorded(): Recorded
  /** Everything that is captured from now on is encoded there; null: nobody watches. */
  showVideo(sink: PictureSink | null): void
  pulse(): Pulse
  /** Where it is written down what each viewer is owed: a file that stays open here. */
  keepViewerRecords(fd: number): void
  /** Takes a duplicate of a socket, and returns its position. */
  takeViewer(viewer: number, place: number, fd: number): number
  startViewer(viewer: number, look: ViewerLook): void
  dropViewer(viewer: number): void
  /** No bytes: pictures again. output: whose viewers see it; empty: those of the camera. */
  showInstead(jpeg: Uint8Array, output: string): void
  /** JSON text of a list of Control. */
  controls(): Promise<string>
  /** JSON text of a ControlOutcome. */
  setControl(id: number, value: number): Promise<string>
}

/**
 * What was recorded since it was last asked for. results: all of them, packed, whoever else was told. lost: what there
 * was no room for.
 */
export interface Recorded {
  readonly results: readonly { readonly opening: number; readonly data: Float64Array }[]
  readonly results_lost: number
  readonly pictures_lost: number
}

/**
 * What the addon was compiled with, which the registry of nodes and the layout of results have to agree with; a test
 * sees to it.
 */
export interface Declared {
  /** Ports by position, each as `name: kind` or `name: kind, optional`. */
  readonly node_types: Readonly<
    Record<string, { readonly inputs: readonly string[]; readonly outputs: readonly string[] }>
  >
  /** How many numbers a row of each kind of output has. */
  readonly row_widths: Readonly<Record<string, number>>
  /** In the order of the `family` field. */
  readonly families: readonly { readonly name: string; readonly tags: number; readonly bits: number }[]
  /** How many values a plan may keep. */
  readonly max_slots: number
}

/** What a worker that does a step needs. */
export interface HostNeeds {
  /** Of a request, at most. */
  readonly input_bytes: number
  /** Of an answer, at most. */
  readonly output_bytes: number
  /** Numbers that the step reads when it is made. */
  readonly facts: readonly number[]
}

/** A worker's place. Each request is answered once, or fails with a sentence. */
export interface HostSeat {
  /** Memory that the step sees too, with the requests. */
  readonly input: ArrayBuffer
  /** Memory that the step sees too, with the answers. */
  readonly output: ArrayBuffer
  readonly answer: (bytes: number) => void
  readonly fail: (why: string) => void
}

/** The requests of a step to its worker. */
export interface HostPulse extends Pulse {
  /** The worker has no memory left, and stands still. */
  readonly is_exhausted: boolean
  /** Steps of plans that have it. */
  readonly users: number
}

/**
 * The channels between steps and the workers that do them, of the whole process. Those that are not there are errors
 * with the code `engine.bad_task`.
 */
export interface NativeHosts {
  /** A channel without a worker; its number, which the step has as its parameter `host`. */
  open(): number
  /** Whoever waits for an answer is told that there is none. */
  close(number: number): void
  /** Why there is no worker, for warnings. */
  setReason(number: number, why: string): void
  pulse(number: number): HostPulse
  /** In the worker. run: told of each request, with its bytes. Its memory is watched from then on. */
  attach(number: number, needs: HostNeeds, run: (bytes: number) => void): HostSeat
  /** In the worker, for good: the stacks of its errors are "file:line", made without JavaScript. */
  keepStacksPlain(): void
}

/** Where a port of a plugin's step stands in the memory. row_numbers: of a row that is given; 0: it cannot be. */
export interface PluginPlace {
  readonly at: number
  readonly bytes: number
  readonly row_numbers: number
}

/** Where everything stands in the memory that a step shares with a program. */
export interface PluginPlaces {
  readonly memory_bytes: number
  readonly answer_at: number
  /** Of the memory of all pictures, where there is one. */
  readonly pictures_bytes: number
  readonly inputs: readonly PluginPlace[]
  readonly outputs: readonly PluginPlace[]
}

/** The program of a step, as its channel knows it. */
export interface PluginLook extends Pulse {
  /** preparing: it has not said that it is ready. */
  readonly state: 'preparing' | 'working' | 'gone'
  /** Steps of plans that have it. */
  readonly users: number
  /** What it said when it was, JSON. */
  readonly ready: string
  /** Of one that is gone. */
  readonly why: string
}

/**
 * The channels between steps and the programs of plugins that do them. Those that are not there are errors with the
 * code `engine.bad_task`.
 */
export interface NativePlugins {
  /** A channel without a process, for ports by their kinds: `detections`, `image gray`. */
  open(inputs: readonly string[], outputs: readonly string[]): PluginPlaces & { readonly number: number }
  /** Whoever waits for an answer is told that there is none. */
  close(number: number): void
  /**
   * For another process: descriptors that become its 3, 4 and 5, to be closed here. pictures: of all pictures of this
   * process, for reading; not there where the system has no such memory.
   */
  seat(number: number): { readonly socket: number; readonly memory: number; readonly pictures?: number }
  /** What a process is told first, JSON. */
  start(number: number, order: string): void
  /** There is no process any more, and why, for warnings. */
  vacate(number: number, why: string): void
  look(number: number): PluginLook
}

export interface Addon {
  readonly Stream: new (listener: NativeListener) => NativeStream
  readonly hosts: NativeHosts
  readonly plugins: NativePlugins
  readonly declared: () => Declared
}

/** Throws when the addon was not built or a library is missing. */
export const loadAddon = (): Addon =>
  createRequire(import.meta.url)(projectPath('native/addon/build/vedette.node')) as Addon
