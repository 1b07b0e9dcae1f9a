// The engine as the control process sees it: a child that owns one camera and runs one plan on its pictures.
import type * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import type { AppliedCrop, Crop } from '../../machines/cameras/crop.ts'
import type { CameraMode, PixelFormat } from '../../machines/cameras/mode.ts'
import type { SourceClock } from '../../machines/clock/source-clock.ts'
import type { Control, ControlOutcome, TimestampSource } from '../../machines/engine/controls.ts'
import type { Result, ResultLayout } from '../../machines/engine/result.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import type { Heading, LiveControls } from '../../machines/extcam/live.ts'
import type { Latest } from '../../machines/latest.ts'
import type { FieldMap } from '../../machines/localization/field-map.ts'
import type { PoseDocument } from '../../machines/localization/pose.ts'
import type { Plan, StepParams } from '../../machines/pipeline/graph.ts'
import type { RecordingProgress } from '../../machines/recording/progress.ts'
import type { Intrinsics } from '../../machines/stream/manifest.ts'
import type { Picture, PictureKind } from '../../machines/stream/picture.ts'
import type { CanonicalFileSource } from '../../machines/stream/sources/file.ts'
import type { ImagesSource } from '../../machines/stream/sources/images.ts'
import type { SyntheticSource } from '../../machines/stream/sources/synthetic.ts'
import type { UrlSource } from '../../machines/stream/sources/url.ts'
import type { VideoPacket, VideoWant } from '../../machines/stream/video.ts'
import { token } from '../../machines/token.ts'
import type { ViewerHandover } from '../viewers/port.ts'

/** A value that a control of a camera is to have. */
export interface WantedControl {
  /** The driver's. */
  readonly id: number
  readonly value: number
}

/** A camera as an engine opens it. */
export interface V4l2Task extends CameraMode {
  readonly backend: 'v4l2'
  /** The file under which it is found now. */
  readonly device: string
  /** Written at each opening: automatic modes first, then exposure, then gain. */
  readonly controls: readonly WantedControl[]
}

/** A video as an engine opens it. */
export interface FileTask extends Pick<CanonicalFileSource, 'backend' | 'pace' | 'loop'> {
  /** Of its file, whoever gave it its name. */
  readonly path: string
}

/** What the pictures come from, as an engine opens it. */
export type EngineSource = SyntheticSource | ImagesSource | UrlSource | FileTask | V4l2Task

/** All that an engine needs to run. The source has every default filled in. */
export interface EngineTask {
  readonly source: EngineSource
  /** What of the source's picture is taken; default all. */
  readonly crop?: Crop | null
  /** Real paths of the folders and files outside of which nothing is read. */
  readonly media_roots: readonly string[]
  /** Of the whole picture. */
  readonly intrinsics: Intrinsics | null
  /** The camera body in the robot frame, by which everything is computed. */
  readonly mount: PoseDocument | null
  /**
   * From where a synthetic camera takes its pictures, as others take them from where they are screwed on; default
   * mount.
   */
  readonly true_mount?: PoseDocument | null
  readonly map: FieldMap
  readonly plan: Plan
  /** Whether results come with a sighting; default no. */
  readonly sightings?: boolean
  /** Whether results come with an observation, as far as the plan looks for tags; default no. */
  readonly observations?: boolean
}

/** The answer to an opening. */
export interface EngineOpened {
  /** Of the pictures, cropped. */
  readonly width_px: number
  readonly height_px: number
  /** null: the pictures are whole. */
  readonly crop: AppliedCrop | null
  readonly fps: number
  readonly pixel_format: 'gray8' | 'jpeg' | 'png' | 'h264' | 'h265' | PixelFormat
  /** What the times of capture rest on. */
  readonly timestamp_source: TimestampSource
  /** Those in force, of such pictures; the synthetic camera has its own. */
  readonly intrinsics: Intrinsics | null
  readonly layout: ResultLayout
}

/** A file that is to be recorded. */
export interface RecordingOrder {
  readonly path: string
  readonly sidecar_path: string
  /** Whose pictures these are, for the sidecar. */
  readonly stream: string
  /** Whether it begins with the pictures that are kept; default no. */
  readonly rewinds?: boolean
  /** The encoder of H.264; default: JPEGs as they are. */
  readonly library?: string
}

/** What an engine keeps of the last pictures, and of their results. */
export interface RewindKept {
  readonly pictures: number
  /** From the oldest to the newest. */
  readonly span_us: number
  readonly bytes: number
}

/**
 * Edges, few per second at most: a warning of one code comes once a second. `ended`: a source that does not loop has
 * played its last picture.
 */
export type EngineEvent =
  | { readonly type: 'first-frame' }
  | { readonly type: 'ended' }
  /** The camera is gone or cannot be read; the engine waits for another `open`. */
  | { readonly type: 'lost'; readonly fault: Fault }
  /**
   * Something to record that stopped nothing: one corrupt picture. count: how many times, since the last that was told.
   */
  | { readonly type: 'warned'; readonly fault: Fault; readonly count: number }
  /** How far a recording is; once a second. */
  | { readonly type: 'recording'; readonly progress: RecordingProgress }
  /** What it keeps of the last pictures; once a second while it keeps any, and null when no more are to be. */
  | { readonly type: 'rewind'; readonly kept: RewindKept | null }
  /** Nothing can be encoded for those who watch its video. */
  | { readonly type: 'video-failed'; readonly fault: Fault }
  /**
   * Times of capture rest on something else than was said when the camera was opened, or on that again. Once a second
   * at most.
   */
  | { readonly type: 'stamped'; readonly timestamp_source: TimestampSource }
  /** A recording has ended by itself: its file is whole as far as it goes. */
  | { readonly type: 'record-ended'; readonly fault: Fault; readonly progress: RecordingProgress }
  /** The process ended; nothing follows. */
  | { readonly type: 'exited'; readonly fault: Fault }

/** A running engine process. Released with its scope: asked to end, then killed after 1 s. */
export interface Engine {
  readonly pid: number
  /** Opens, or re-opens, the camera and starts the plan. Fails with the engine's fault; the process lives on. */
  readonly open: (task: EngineTask) => Effect.Effect<EngineOpened, Fault>
  /**
   * Answers when the engine's threads turn, or are kept from it by others that use the processors. Fails with
   * `engine.hung` when they stand still, or compute without end (machines/engine/health.ts), and the process is ended.
   */
  readonly ping: Effect.Effect<void, Fault>
  /** From the next picture on this plan is run. Fails, and the previous plan goes on, when it cannot be made. */
  readonly setPlan: (plan: Plan) => Effect.Effect<void, Fault>
  /** Whether it can be made here: fails when it cannot, or when no camera is open. */
  readonly tryPlan: (plan: Plan) => Effect.Effect<void, Fault>
  /** All parameters of some steps, from the next picture on, as far as they are live. */
  readonly setParams: (steps: readonly StepParams[]) => void
  /** Replaces the set of wanted pictures; an empty one stops all encoding. */
  readonly setPictureKinds: (kinds: readonly PictureKind[]) => void
  /** What it is to encode for those who watch its video; null: nobody does. */
  readonly setVideo: (wanted: VideoWant | null) => void
  /** The next picture of the video is to be one with which a decoder can begin. */
  readonly wantVideoKey: () => void
  /** Where the camera sits on the robot, from the next frame on. */
  readonly setMount: (mount: PoseDocument | null) => void
  /**
   * From the next frame on; whole, replaces what was said before. An engine that has just started knows none. However
   * many frames are to be left out, there is a result each second: a camera without any counts as silent.
   */
  readonly setLive: (live: LiveControls) => void
  /**
   * One sample; the engine keeps the last seconds of them and takes the heading at the time of each frame from between
   * two.
   */
  readonly setHeading: (heading: Heading) => void
  /**
   * Where the clock of the device stands whose live pictures its camera is, from the next picture on: those that say
   * when they were taken have that time. null: nobody knows it, and they have the time of their arrival. An engine that
   * has just started knows none.
   */
  readonly setSourceClock: (clock: SourceClock | null) => void
  /**
   * How much of the last pictures and their results is kept in its memory, bytes; 0: nothing. isPaused: what is kept
   * stays, and no more is; default no.
   */
  readonly setRewind: (maxBytes: number, isPaused?: boolean) => void
  /**
   * Records what is captured from now on, whatever becomes of the camera meanwhile. Fails with `recording.*` or
   * `storage.full`; the camera goes on.
   */
  readonly startRecording: (order: RecordingOrder) => Effect.Effect<void, Fault>
  /**
   * Done when all of it is on the disk. A fault says that the file is shorter than that; what is whole of it is there.
   */
  readonly stopRecording: Effect.Effect<RecordingProgress, Fault>
  /** Done when the process is gone, whoever ended it: from then on nobody writes its files. */
  readonly gone: Effect.Effect<void>
  /**
   * Those of the open camera, read again; none when what is open is no camera, or nothing is. Fails with `camera.lost`
   * or the engine's fault.
   */
  readonly controls: Effect.Effect<readonly Control[], Fault>
  /** Writes one, reads it back and says what it is now. Fails with `control.unknown`, or as `controls` does. */
  readonly setControl: (id: number, value: number) => Effect.Effect<ControlOutcome, Fault>
  readonly subscribe: (listener: (event: EngineEvent) => void) => () => void
  /** Takes viewers; null: this engine cannot, their pictures go through this process. */
  readonly handover: ViewerHandover | null
}

/** Where an engine puts what it makes. Owned by the caller, so that readers outlive the engine. */
export interface EngineSinks {
  readonly results: Latest<Result>
  readonly picture: (picture: Picture) => void
  readonly video?: (packet: VideoPacket) => void
  /**
   * Called each 45 ms in which no result came, while a camera is open whose results have sightings; an engine that
   * cannot tell never does.
   */
  readonly noResult?: () => void
}

export interface EnginePort {
  /** Starts an engine process; fails when none can be started. */
  readonly spawn: (name: string, sinks: EngineSinks) => Effect.Effect<Engine, Fault, Scope.Scope>
  /** Ends engines that an earlier service on this data directory has left. Answers with their process ids. */
  readonly endLeft: Effect.Effect<readonly number[]>
}

/** What starts the engines of this device. */
export const ENGINES = token<EnginePort>('engines')
