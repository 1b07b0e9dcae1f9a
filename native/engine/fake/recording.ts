// The recording of a fake engine: its one picture, again and again, at the times of its frames.
import { appendFileSync, writeFileSync } from 'node:fs'
import { noProgress, type RecordingProgress } from '../../../machines/recording/progress.ts'
import type { RecordingOrder } from '../port.ts'
import { movieFragment, movieHead } from './movie.ts'

/** Writes one file; what stands beside it is left out. */
export class FakeRecording {
  readonly #path: string
  #firstUs: number | undefined
  progress: RecordingProgress = noProgress

  /** sizePx: width and height of its pictures. */
  constructor({ path }: RecordingOrder, sizePx: number) {
    this.#path = path
    writeFileSync(path, movieHead(sizePx, sizePx))
  }

  take(jpeg: Buffer, capturedUs: number): void {
    this.#firstUs ??= capturedUs
    const { pictures, bytes } = this.progress
    const duration_us = Math.max(0, Math.round(capturedUs - this.#firstUs))
    const fragment = movieFragment(pictures + 1, duration_us, jpeg)
    appendFileSync(this.#path, fragment)
    this.progress = {
      ...this.progress,
      pictures: pictures + 1,
      bytes: bytes + fragment.length,
      duration_us,
      first_us: this.#firstUs,
    }
  }
}
