// The C++ addon as TypeScript sees it. Loaded in engine processes only.
import { createRequire } from 'node:module'
import type { Pulse } from '../../machines/engine/health.ts'
import type { PoseDocument } from '../../machines/localization/pose.ts'
import type { Plan, StepParams } from '../../machines/pipeline/graph.ts'
import type { Picture, PictureKind } from '../../machines/stream/picture.ts'
import type { ViewerLook } from '../viewers/port.ts'
import type { PictureSink } from './libav.ts'
import type { EngineEvent, EngineOpened, EngineTask } from './port.ts'

/** What a NativeStream opened. has_truth: results end with the outputs `truth` and `visible`. plan: the number of its plan, from 1, which stands in the results. */
export type NativeOpened = Omit<EngineOpened, 'layout'> & { readonly has_truth: boolean; readonly plan: number }

/** A task as the addon takes it. video_library: the other addon, which is loaded when the source is a video; without it there is no such source. */
export interface NativeTask extends EngineTask {
  readonly video_library?: string
}

/** Takes what a stream makes. `result`: the packed doubles; `result-in-turn`: those that must not be dropped, each answered by resultLeft(). */
export interface NativeListener {
  (type: 'result' | 'result-in-turn', bytes: Uint8Array): void
  (type: 'picture', picture: Picture): void
  (type: 'notice', event: EngineEvent): void
  (type: 'viewer-left', viewer: ViewerLeft): void
}

/** A viewer that is no longer written to. */
export interface ViewerLeft {
  readonly viewer: number
  readonly why: 'gone' | 'stalled'
}

/** One camera with its plan, and its viewers, who outlive an opening. open and close are called one after the other. Errors have a fault's `code`. */
export interface NativeStream {
  open(task: NativeTask): Promise<NativeOpened>
  close(): Promise<void>
  /** The number of a plan that is run from the next picture on; its results have it. Fails, and the plan of before goes on, when it cannot be made. isTrial: it is made and not run; 0. */
  setPlan(plan: Plan, isTrial?: boolean): Promise<number>
  /** All parameters of these steps, from the next picture on, as far as they are live. */
  setParams(steps: readonly StepParams[]): void
  setPictureKinds(kinds: readonly PictureKind[]): void
  setMount(mount: PoseDocument | null): void
  /** A result that came in turn has left this process: the next may come. */
  resultLeft(): void
  /** Everything that is captured from now on goes there too; null: nowhere else. rewinds: what is kept goes there first; default no. */
  record(sink: PictureSink | null, rewinds?: boolean): void
  /** Nothing that is captured from now on is recorded. True: all from before has gone there, with its results; to be called again until then, or until record(null), which drops the rest. */
  endRecording(): boolean
  /** How much is kept of the last pictures; 0: nothing. */
  setRewind(maxBytes: number): void
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
  /** No bytes: pictures again. */
  showInstead(jpeg: Uint8Array): void
  /** JSON text of a list of Control. */
  controls(): Promise<string>
  /** JSON text of a ControlOutcome. */
  setControl(id: number, value: number): Promise<string>
}

/** What was recorded since it was last asked for. results: all of them, packed, whoever else was told. lost: what there was no room for. */
export interface Recorded {
  readonly results: readonly { readonly opening: number; readonly data: Float64Array }[]
  readonly results_lost: number
  readonly pictures_lost: number
}

/** What the addon was compiled with, which the registry of nodes and the layout of results have to agree with; a test sees to it. */
export interface Declared {
  /** Ports by position, each as `name: kind` or `name: kind, optional`. */
  readonly node_types: Readonly<
    Record<string, { readonly inputs: readonly string[]; readonly outputs: readonly string[] }>
  >
  /** How many numbers a row of each kind of output has. */
  readonly row_widths: Readonly<Record<string, number>>
  /** In the order of the `family` field. */
  readonly families: readonly string[]
}

export interface Addon {
  readonly Stream: new (listener: NativeListener) => NativeStream
  readonly declared: () => Declared
}

/** Throws when the addon was not built or a library is missing. */
export const loadAddon = (): Addon => createRequire(import.meta.url)('../../native/addon/build/vedette.node') as Addon
