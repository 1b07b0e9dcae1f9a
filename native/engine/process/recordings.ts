// The recordings of an engine, one at a time. Loaded with its first order to record.

import { cropText } from '../../../machines/cameras/crop.ts'
import { type Fault, isFault } from '../../../machines/errors/fault.ts'
import type { RecordingProgress } from '../../../machines/recording/progress.ts'
import { oneLine } from '../../../machines/schema/one-line.ts'
import type { EngineEvent, EngineOpened, RecordingOrder } from '../port.ts'
import type { NativeStream } from './addon.ts'
import { loadLibav } from './libav.ts'
import { Recording, type RecordingParts } from './recording.ts'

const TELL_EVERY_MS = 1000

/** What they work with. layouts: of the results that are recorded. */
export interface RecordingsParts extends Pick<RecordingParts, 'layouts'> {
  readonly stream: NativeStream
  readonly tell: (event: EngineEvent) => void
}

/** Carries out the orders to record. */
export class Recordings {
  readonly #parts: RecordingsParts
  #current: Recording | undefined
  #stopping: Promise<Fault | RecordingProgress> | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(parts: RecordingsParts) {
    this.#parts = parts
  }

  /** opened: what the camera answered; undefined: it is not open. Answers why nothing is recorded. */
  async start(order: RecordingOrder, opened: EngineOpened | undefined): Promise<Fault | undefined> {
    // While one is ending its last pictures come, from the same stream.
    if (this.#current || this.#stopping)
      return { code: 'recording.failed', detail: 'This engine records already; stop that first.' }
    if (!opened) return { code: 'recording.failed', detail: 'The camera is not open, so there is nothing to record.' }
    const libav = loadLibav()
    if (isFault(libav)) return libav
    const recording = new Recording({
      libav,
      order,
      opened,
      stream: this.#parts.stream,
      layouts: this.#parts.layouts,
      failed: (fault, progress) => this.#ended(fault, progress),
    })
    this.#current = recording
    const fault = await recording.start()
    if (this.#current !== recording) return fault // it was stopped meanwhile, and another may have been begun
    if (fault) this.#current = undefined
    else this.#timer = setInterval(() => this.#tellProgress(), TELL_EVERY_MS).unref()
    return fault
  }

  /** Ends what is recorded, or waits until that is ended which somebody is ending. Answers how far it came. */
  stop(): Promise<Fault | RecordingProgress> {
    const recording = this.#current
    if (!recording) return this.#stopping ?? Promise.resolve(noRecording)
    this.#current = undefined
    clearInterval(this.#timer)
    const stopping = recording.stop().finally(() => {
      if (this.#stopping === stopping) this.#stopping = undefined
    })
    this.#stopping = stopping
    return stopping
  }

  /** The camera is gone, for a while at least. */
  cut(): void {
    this.#current?.cut()
  }

  /** The camera was opened again: it is recorded on, unless its pictures have another size now, or are another part. */
  async opened(opened: EngineOpened): Promise<void> {
    const recording = this.#current
    if (!recording || recording.fits(opened)) return
    await this.stop()
    const { width_px, height_px, crop } = opened
    const now = crop ? cropText(crop) : `${width_px}x${height_px}`
    const detail = oneLine`
      The pictures of the stream are ${now} pixels now, and a file holds those of one size and part: the recording was
      ended there.
    `
    this.#parts.tell({
      type: 'record-ended',
      fault: { code: 'recording.other_size', detail },
      progress: recording.progress,
    })
  }

  #ended(fault: Fault, progress: RecordingProgress): void {
    this.#current = undefined
    clearInterval(this.#timer)
    this.#parts.tell({ type: 'record-ended', fault, progress })
  }

  #tellProgress(): void {
    if (this.#current) this.#parts.tell({ type: 'recording', progress: this.#current.progress })
  }
}

const noRecording: Fault = { code: 'recording.failed', detail: 'This engine records nothing.' }
