// Who looks at a stream: the pictures and the video that are wanted of it, and what they may take of the network.
import type { StreamBandwidth } from '../../machines/bandwidth/report.ts'
import { Latest } from '../../machines/latest.ts'
import type { OnBug } from '../../machines/listeners.ts'
import { PictureBoard } from '../../machines/stream/picture.ts'
import { ResultListeners } from '../../machines/stream/result-listeners.ts'
import { VideoBoard } from '../../machines/stream/video.ts'

/** The viewers' part of a stream. */
export class StreamViewers {
  readonly pictures: PictureBoard
  readonly video: VideoBoard
  /** Those who are told of its results without pictures. */
  readonly results: ResultListeners
  /**
   * What the bandwidth budget does to the previews; empty while nobody watches over the network, or nothing limits
   * that. Written by the bandwidth actor alone.
   */
  readonly bandwidth: Latest<StreamBandwidth | undefined>

  constructor(onBug?: OnBug) {
    this.pictures = new PictureBoard(onBug)
    this.video = new VideoBoard(onBug)
    this.results = new ResultListeners(onBug)
    this.bandwidth = new Latest(onBug)
  }

  /** How many there are. */
  get count(): number {
    return this.pictures.viewers + this.video.viewers
  }
}
