// Live video in an engine: pictures go from the camera's threads straight to the encoder's, packets pass here on their
// way to the control process.
import { type Fault, isFault } from '../../../machines/errors/fault.ts'
import { MAX_VIDEO_BITS_PER_S, type VideoPacket, type VideoWant } from '../../../machines/stream/video.ts'
import type { NativeStream } from './addon.ts'
import { loadLibav, type NativeLiveVideo } from './libav.ts'

/** What it works with. */
export interface VideoParts {
  readonly stream: Pick<NativeStream, 'showVideo'>
  /** Whether there was room for the packet. */
  readonly send: (packet: VideoPacket) => boolean
  /** Nothing can be encoded. */
  readonly fail: (fault: Fault) => void
}

/** The video of one stream, while somebody watches it. */
export class Video {
  readonly #parts: VideoParts
  #waitsForKey = false
  #running: { readonly library: string; readonly fps: number; readonly native: NativeLiveVideo } | undefined

  constructor(parts: VideoParts) {
    this.#parts = parts
  }

  /** null: nobody watches. fps: of the camera as it is open; another one begins again, with a key. */
  set(wanted: VideoWant | null, fps: number): void {
    const now = this.#running
    if (wanted && now?.library === wanted.library && now.fps === fps) {
      now.native.limit(wanted.max_fps)
      return
    }
    this.end()
    if (wanted) this.#begin(wanted, fps)
  }

  /** The next picture is to be a key. */
  wantKey(): void {
    this.#running?.native.wantKey()
  }

  end(): void {
    const now = this.#running
    this.#running = undefined
    if (!now) return
    this.#parts.stream.showVideo(null)
    now.native.end()
  }

  #begin({ library, max_fps }: VideoWant, fps: number): void {
    const libav = loadLibav()
    if (isFault(libav)) {
      this.#parts.fail({ code: 'codec.unavailable', detail: libav.detail })
      return
    }
    const native = new libav.LiveVideo({ library, fps, max_bits_per_s: MAX_VIDEO_BITS_PER_S }, (event) => {
      if (native !== this.#running?.native) return // on its way when that was ended
      if ('fault' in event) {
        this.end()
        this.#parts.fail(event.fault)
      } else this.#pass(event)
    })
    native.limit(max_fps)
    this.#running = { library, fps, native }
    this.#waitsForKey = false
    this.#parts.stream.showVideo(native.sink)
  }

  /** What finds no room costs those who watch everything up to the next key. */
  #pass(packet: VideoPacket): void {
    if (this.#waitsForKey && !packet.is_key) return
    this.#waitsForKey = !this.#parts.send(packet)
    if (this.#waitsForKey) this.wantKey()
  }
}
