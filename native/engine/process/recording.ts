// One recording in an engine: pictures go from the camera's threads straight to the muxer's, results pass here on their
// way to the sidecar.
import { setTimeout } from 'node:timers/promises'
import { cropNote } from '../../../machines/cameras/crop.ts'
import type { Result } from '../../../machines/engine/result.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import { FRAGMENT_MS } from '../../../machines/recording/fragments.ts'
import type { RecordingProgress } from '../../../machines/recording/progress.ts'
import { MAX_REWIND_BYTES } from '../../../machines/stream/rewind.ts'
import type { EngineOpened, RecordingOrder } from '../port.ts'
import type { Layouts } from '../protocol/results.ts'
import type { NativeStream } from './addon.ts'
import type { Libav, NativeRecorder, RecorderCounts, RecorderEvent } from './libav.ts'
import { SidecarWriter } from './sidecar.ts'

/** Two seconds of large pictures; a disk that is further behind than that is too slow for them. */
const MAX_QUEUED_BYTES = 32 * 1024 * 1024

/** Of H.264: a tenth of what the JPEGs of the same camera take. */
const MAX_BITS_PER_S = 8_000_000

const TAKE_EVERY_MS = 250 // results that a crash may lose

// In the end, for pictures that are being encoded, and for the results of the last ones: a second, which is the
// pipeline of a busy machine.
const LOOK_EVERY_MS = 10
const MAX_LOOKS = 100

/** What a recording works with. failed: it has ended by itself; called once, not after stop(). */
export interface RecordingParts {
  readonly libav: Libav
  readonly stream: Pick<NativeStream, 'record' | 'endRecording' | 'takeRecorded'>
  readonly order: RecordingOrder
  readonly opened: EngineOpened
  readonly layouts: Pick<Layouts, 'of'>
  readonly failed: (fault: Fault, progress: RecordingProgress) => void
}

export class Recording {
  readonly #parts: RecordingParts
  readonly #recorder: NativeRecorder
  readonly #begun = Promise.withResolvers<RecorderEvent>()
  readonly #ended = Promise.withResolvers<RecorderEvent>()
  readonly #timer: NodeJS.Timeout
  #sidecar: SidecarWriter | undefined
  #resultsLost = 0
  #picturesLost = 0
  #last: RecorderCounts | undefined
  #isStopping = false

  constructor(parts: RecordingParts) {
    const { libav, order, opened } = parts
    this.#parts = parts
    this.#recorder = new libav.Recorder(
      {
        path: order.path,
        width_px: opened.width_px,
        height_px: opened.height_px,
        fps: opened.fps,
        library: order.library ?? null,
        max_bits_per_s: MAX_BITS_PER_S,
        fragment_ms: FRAGMENT_MS,
        max_queued_bytes: MAX_QUEUED_BYTES + (order.rewinds ? MAX_REWIND_BYTES : 0), // what was kept comes all at once
      },
      (event) => this.#heard(event),
    )
    this.#timer = setInterval(() => this.#takeResults(), TAKE_EVERY_MS).unref()
  }

  /**
   * Begins; done when the header of the file is written, from then on everything that is captured is recorded. Answers
   * what went wrong.
   */
  async start(): Promise<Fault | undefined> {
    const { fault } = await this.#begun.promise
    if (fault || this.#isStopping) return fault ?? stopped
    this.#parts.stream.record(this.#recorder.sink, this.#parts.order.rewinds)
    return undefined
  }

  /**
   * Whether the pictures of another opening can be recorded too: a file holds those of one size, and one part of them.
   */
  fits({ width_px, height_px, crop }: EngineOpened): boolean {
    const { opened } = this.#parts
    const isSamePart = opened.crop?.x_px === crop?.x_px && opened.crop?.y_px === crop?.y_px
    return opened.width_px === width_px && opened.height_px === height_px && isSamePart
  }

  /** Writes what there is: the camera is gone. */
  cut(): void {
    this.#recorder.cut()
  }

  /** Ends it; all is on the disk then. */
  async stop(): Promise<Fault | RecordingProgress> {
    this.#isStopping = true
    await this.#lastOnes()
    this.#recorder.stop()
    const { fault } = await this.#ended.promise
    await this.#endSidecar()
    return fault ?? this.progress
  }

  /** What was captured before the end may still be on its way to the file. */
  async #lastOnes(): Promise<void> {
    const { stream } = this.#parts
    for (let looks = 0; looks < MAX_LOOKS && !stream.endRecording(); looks++) await setTimeout(LOOK_EVERY_MS)
    stream.record(null)
  }

  get progress(): RecordingProgress {
    const { pictures, lost, bytes, duration_us, first_us } = this.#last ?? this.#recorder.counts()
    return {
      pictures,
      bytes,
      duration_us,
      first_us,
      pictures_lost: lost + this.#picturesLost,
      results: this.#sidecar?.written ?? 0,
      results_lost: this.#resultsLost + (this.#sidecar?.lost ?? 0),
    }
  }

  #heard(event: RecorderEvent): void {
    this.#begun.resolve(event)
    if (event.type === 'opened') return
    this.#last = event.counts
    this.#ended.resolve(event)
    if (event.fault && !this.#isStopping) this.#failed(event.fault)
  }

  async #failed(fault: Fault): Promise<void> {
    this.#isStopping = true
    this.#parts.stream.record(null)
    await this.#endSidecar()
    this.#parts.failed(fault, this.progress)
  }

  /**
   * Those before the first picture wait for it: what was kept comes with its results, and the file may not have begun.
   */
  #takeResults(isLast = false): void {
    const sidecar = this.#sidecarNow()
    if (!sidecar && !isLast) return
    const { results, results_lost, pictures_lost } = this.#parts.stream.takeRecorded()
    this.#picturesLost += pictures_lost
    const known = results.flatMap(({ data }): Result[] => {
      const layout = this.#parts.layouts.of(data)
      return layout ? [{ layout, data }] : []
    })
    this.#resultsLost += results_lost + results.length - known.length
    sidecar?.add(known)
  }

  /** There is none before the first picture, whose time the first line tells. */
  #sidecarNow(): SidecarWriter | undefined {
    const { first_us } = this.#last ?? this.#recorder.counts()
    if (this.#sidecar || first_us === null) return this.#sidecar
    const { order, opened } = this.#parts
    const { pixel_format, width_px, height_px, fps } = opened
    this.#sidecar = new SidecarWriter(order.sidecar_path, {
      epoch_ms: Math.round(Date.now() - (monotonicUs() - first_us) / 1000),
      monotonic_us_of_pts_0: first_us,
      stream: order.stream,
      mode: { pixel_format, width_px, height_px, fps },
      ...cropNote(opened.crop),
    })
    return this.#sidecar
  }

  async #endSidecar(): Promise<void> {
    clearInterval(this.#timer)
    this.#takeResults(true)
    await this.#sidecar?.end()
  }
}

const monotonicUs = (): number => Number(process.hrtime.bigint() / 1000n)

const stopped: Fault = { code: 'recording.failed', detail: 'The recording was stopped before its file was begun.' }
