// What H.264 takes of the budget. One encoding is for all who watch a stream, those on the device as well, so it is not
// made slower or smaller for some of them: it counts with its ceiling, and a viewer for which nothing is left is
// refused.
import { oneLine } from '../schema/one-line.ts'
import { MAX_VIDEO_BITS_PER_S } from '../stream/video.ts'
import { bytesPerSecondOf, mbitPerSecondOf } from './budget.ts'
import { OVERHEAD } from './ladder.ts'

/** 13 bytes before each of 240 pictures a second, more than cameras give. */
const HEADS_BYTES_PER_S = 13 * 240

/** What one viewer over the network may take, in bytes a second, as the network sees them. */
const VIEWER_BYTES_PER_S = (MAX_VIDEO_BITS_PER_S / 8 + HEADS_BYTES_PER_S) * OVERHEAD

/** What so many viewers over the network may take, in bytes a second. */
export const videoRateOf = (viewers: number): number => viewers * VIEWER_BYTES_PER_S

/** What so many viewers leave to the previews as MJPEG, in bytes a second. */
export const leftByVideo = (viewers: number, bytesPerS: number): number => Math.max(0, bytesPerS - videoRateOf(viewers))

/**
 * Why one more finds no room beside so many who watch H.264 over the network already, for people; undefined: it fits.
 * Previews as MJPEG give way to it.
 */
export const noRoomForVideo = (viewers: number, budget_mbit_s: number): string | undefined => {
  if (videoRateOf(viewers + 1) <= bytesPerSecondOf(budget_mbit_s)) return undefined
  const each = oneLine`
    each viewer of H.264 over the network may take ${mbitPerSecondOf(VIEWER_BYTES_PER_S)} Mbit/s, and ${budget_mbit_s}
    is the budget that the service was started with
  `
  return viewers === 0
    ? `${each}. Watch without codec=h264: such previews are made slower and smaller until they fit`
    : oneLine`
      ${each}; ${viewers === 1 ? 'one watches' : `${viewers} watch`} already. Close one of these previews, or watch
      without codec=h264: such previews are made slower and smaller until they fit
    `
}
