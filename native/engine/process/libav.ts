// The second C++ addon as TypeScript sees it: the one with FFmpeg's libraries. Loaded in engine processes only, by
// those that record or encode. Where a source is a video, the first addon loads it by itself.

import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Fault } from '../../../machines/errors/fault.ts'
import { oneLine } from '../../../machines/schema/one-line.ts'
import type { VideoPacket } from '../../../machines/stream/video.ts'
import { projectPath } from '../../files/project-root.ts'

/** What a recorder writes. */
export interface RecorderOptions {
  readonly path: string
  readonly width_px: number
  readonly height_px: number
  readonly fps: number
  /** The encoder of H.264; null: JPEGs as they are. */
  readonly library: string | null
  /** Of H.264, in moving scenes. */
  readonly max_bits_per_s: number
  /** How much of it a crash may lose. */
  readonly fragment_ms: number
  /** What waits for a slow disk; more is lost. */
  readonly max_queued_bytes: number
}

/** How far a recorder is. */
export interface RecorderCounts {
  readonly pictures: number
  readonly lost: number
  /** Of whole fragments. */
  readonly bytes: number
  /** Capture time of the first picture, CLOCK_MONOTONIC; null before it. */
  readonly first_us: number | null
  readonly duration_us: number
}

/**
 * `opened`, when the header is written; then once `closed`, when all is on the disk, or `failed`, when the file is cut
 * back to what is whole.
 */
export interface RecorderEvent {
  readonly type: 'opened' | 'closed' | 'failed'
  readonly counts: RecorderCounts
  readonly fault?: Fault
}

declare const isSink: unique symbol

/** Where pictures go: it passes from this addon to the other one, which alone can look into it. */
export interface PictureSink {
  readonly [isSink]: true
}

/** A recording that is being written, by a thread of its own. */
export interface NativeRecorder {
  readonly sink: PictureSink
  /** Writes what there is, for no more may come for a while. */
  cut(): void
  /** Ends the file; an event follows. */
  stop(): void
  counts(): RecorderCounts
}

/** What live video is made by. */
export interface LiveVideoOptions {
  readonly library: string
  readonly fps: number
  readonly max_bits_per_s: number
}

/** H.264 of the pictures that its sink takes, made by a thread of its own. */
export interface NativeLiveVideo {
  readonly sink: PictureSink
  /** The next picture is to be one with which a decoder can begin. */
  wantKey(): void
  /** Pictures a second that are encoded at most; null: each one. */
  limit(maxFps: number | null): void
  /** Nothing more is encoded. */
  end(): void
}

export interface Libav {
  /** onEvent: told of each packet, or once why nothing can be encoded. */
  readonly LiveVideo: new (
    options: LiveVideoOptions,
    onEvent: (event: VideoPacket | { readonly fault: Fault }) => void,
  ) => NativeLiveVideo
  readonly Recorder: new (options: RecorderOptions, onEvent: (event: RecorderEvent) => void) => NativeRecorder
}

/** Where it is, or would be. */
export const LIBAV_PATH = projectPath('native/libav/build/vedette_libav.node')

const unavailable = (why: string): Fault => ({
  code: 'recording.unavailable',
  detail: oneLine`
    This device cannot record: ${why}. Install the packages libavformat-dev and libavcodec-dev, and start the service
    anew; all else works without them.
  `,
})

/** The addon, or why there is none. */
export const loadLibav = (): Libav | Fault => {
  try {
    return createRequire(import.meta.url)(LIBAV_PATH) as Libav
  } catch (error) {
    const isThere = existsSync(LIBAV_PATH)
    return unavailable(isThere ? String(error) : "FFmpeg's libraries were not there when it was set up")
  }
}
