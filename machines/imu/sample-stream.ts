// Samples out of a stream of bytes that is cut anywhere.
import type { PlacedChannel, ScanLayout } from './scan-layout.ts'

/** More than this without the end of a sample is none. */
const MAX_SAMPLE_BYTES = 4_096

export class SampleStream {
  readonly #layout: ScanLayout
  readonly #rest = new Uint8Array(MAX_SAMPLE_BYTES)
  #restBytes = 0

  constructor(layout: ScanLayout) {
    this.#layout = layout
  }

  /** Tells of each whole sample, with the bytes that it lies in and where. */
  feed(bytes: Uint8Array, told: (view: DataView, at: number) => void): void {
    const size = this.#layout.bytes
    let from = 0
    if (this.#restBytes > 0) {
      from = Math.min(size - this.#restBytes, bytes.length)
      this.#rest.set(bytes.subarray(0, from), this.#restBytes)
      this.#restBytes += from
      if (this.#restBytes < size) return
      told(new DataView(this.#rest.buffer, 0, size), 0)
      this.#restBytes = 0
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    for (; from + size <= bytes.length; from += size) told(view, from)
    this.#rest.set(bytes.subarray(from), 0)
    this.#restBytes = bytes.length - from
  }
}

/** The channel of this name. */
export const channelOf = (layout: ScanLayout, name: string): PlacedChannel | undefined =>
  layout.channels.find((each) => each.name === name)
