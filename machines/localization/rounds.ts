// Which frames are solved together. Exposures are not simultaneous, and pictures are on their way for different times.
import type { Round, RoundFrame } from './round.ts'

/** A frame that was exposed longer ago is not used. */
export const MAX_FRAME_AGE_US = 500_000

/** A frame that was exposed later than that from now has another clock. */
export const MAX_FRAME_AHEAD_US = 50_000

/** Of that many rounds in a row a stream is missing, before rounds no longer wait for it. */
const MAX_MISSED = 3

/** The next frame of a stream is waited for when it may come a little earlier than a frame time after the last. */
const MIN_SHARE_OF_FRAME_TIME = 0.75

/** How fast the learnt frame time follows. */
const LEARNING_SHARE = 1 / 8

/** What is older is refused, whatever its stream gave before. */
const FORGOTTEN_AFTER_US = MAX_FRAME_AGE_US + MAX_FRAME_AHEAD_US

/** Why a frame is in no round. */
export interface RefusedFrames {
  /** Exposed more than 0.5 s before it came. */
  old: number
  /** Exposed more than 50 ms after it came. */
  ahead: number
  /** Not exposed after the frame before of the same stream. */
  repeated: number
  /** In a round of which no frame is newer than the round before: a pose of it would be out of order. */
  late: number
}

/** How rounds are made. */
export interface RoundsOptions {
  /** How long a round waits for other streams, at most. Where it is less, a frame time of its first frame's stream. */
  readonly waitUs: number
}

/** What is known of a stream. */
interface StreamTiming {
  /** Of its last frame. */
  capturedUs: number
  cameUs: number
  /** Learnt from exposures; undefined: it has given one frame only. */
  frameTimeUs: number | undefined
  /** Rounds without it since its last frame. */
  missed: number
}

const NOTHING_YET: StreamTiming = {
  capturedUs: Number.NEGATIVE_INFINITY,
  cameUs: Number.NEGATIVE_INFINITY,
  frameTimeUs: undefined,
  missed: 0,
}

/** In the past, whatever the time is. */
const AT_ONCE_US = 0

/**
 * Collects frames into rounds: each frame counts in exactly one round, a round has one frame of a stream at most, and
 * rounds come in the order of their newest exposure.
 *
 * A round ends when all live streams have given a frame, when one gives a second, or a frame time after its first
 * frame. A stream is not waited for when its next frame cannot be expected by then, or when it was missing in the last
 * three rounds. After each call, `due` is to be asked once `nextDueUs` has come.
 */
export class Rounds {
  readonly #waitUs: number
  readonly #timings = new Map<string, StreamTiming>()
  readonly #refused: RefusedFrames = { old: 0, ahead: 0, repeated: 0, late: 0 }
  #live: readonly string[] = []
  #frames: RoundFrame[] = []
  #dueUs = Number.POSITIVE_INFINITY
  #roundUs = Number.NEGATIVE_INFINITY

  constructor({ waitUs }: RoundsOptions) {
    this.#waitUs = waitUs
  }

  /** Since it was made. */
  get refused(): Readonly<RefusedFrames> {
    return this.#refused
  }

  /** Those from which frames can be expected. */
  setStreams(liveIds: readonly string[]): void {
    this.#live = liveIds
    for (const [id, { capturedUs }] of this.#timings)
      if (!liveIds.includes(id) && capturedUs < this.#roundUs - FORGOTTEN_AFTER_US) this.#timings.delete(id)
    for (const id of liveIds) if (!this.#timings.has(id)) this.#timings.set(id, { ...NOTHING_YET })
    this.#endWhenComplete()
  }

  /** Takes a frame. The round that ends by it; the frame may be the last of it, or the first of the next. */
  add(frame: RoundFrame, nowUs: number): Round | undefined {
    if (!this.#takes(frame, nowUs)) return undefined
    const isSecond = this.#frames.some(({ streamId }) => streamId === frame.streamId)
    const ended = isSecond ? this.#end() : undefined
    this.#frames.push(frame)
    if (this.#frames.length === 1) this.#dueUs = nowUs + this.#waitFor(frame)
    this.#endWhenComplete()
    return ended ?? this.due(nowUs)
  }

  /** The round whose time has come. */
  due(nowUs: number): Round | undefined {
    return nowUs >= this.#dueUs ? this.#end() : undefined
  }

  /** When the open round ends, if nothing comes before; in the past: it is complete. undefined: none is open. */
  nextDueUs(): number | undefined {
    return this.#frames.length > 0 ? this.#dueUs : undefined
  }

  #takes({ streamId, capturedUs }: RoundFrame, nowUs: number): boolean {
    const timing = this.#timings.get(streamId) ?? { ...NOTHING_YET }
    if (nowUs - capturedUs > MAX_FRAME_AGE_US) this.#refused.old += 1
    else if (capturedUs - nowUs > MAX_FRAME_AHEAD_US) this.#refused.ahead += 1
    else if (capturedUs <= timing.capturedUs) this.#refused.repeated += 1
    else {
      learn(timing, capturedUs, nowUs)
      this.#timings.set(streamId, timing)
      return true
    }
    return false
  }

  #waitFor({ streamId }: RoundFrame): number {
    return Math.min(this.#waitUs, this.#timings.get(streamId)?.frameTimeUs ?? this.#waitUs)
  }

  #endWhenComplete(): void {
    if (this.#frames.length > 0 && !this.#live.some((id) => this.#awaits(id))) this.#dueUs = AT_ONCE_US
  }

  #awaits(streamId: string): boolean {
    if (this.#frames.some((frame) => frame.streamId === streamId)) return false
    const { cameUs, frameTimeUs = 0, missed } = this.#timings.get(streamId) ?? NOTHING_YET
    return missed < MAX_MISSED && cameUs + MIN_SHARE_OF_FRAME_TIME * frameTimeUs <= this.#dueUs
  }

  #end(): Round | undefined {
    const frames = this.#frames.sort((one, other) => one.capturedUs - other.capturedUs)
    this.#frames = []
    this.#dueUs = Number.POSITIVE_INFINITY
    const capturedUs = frames.at(-1)?.capturedUs ?? Number.NEGATIVE_INFINITY
    if (capturedUs <= this.#roundUs) {
      this.#refused.late += frames.length
      return undefined
    }
    this.#roundUs = capturedUs
    for (const [id, timing] of this.#timings) if (!frames.some(({ streamId }) => streamId === id)) timing.missed += 1
    return { frames, capturedUs }
  }
}

/** Frames that were left out make some of the times longer; a pause counts as twice the usual time. */
const learn = (timing: StreamTiming, capturedUs: number, cameUs: number): void => {
  const apartUs = capturedUs - timing.capturedUs
  if (Number.isFinite(apartUs)) {
    const known = timing.frameTimeUs ?? apartUs
    timing.frameTimeUs = known + (Math.min(apartUs, 2 * known) - known) * LEARNING_SHARE
  }
  timing.capturedUs = capturedUs
  timing.cameUs = cameUs
  timing.missed = 0
}
