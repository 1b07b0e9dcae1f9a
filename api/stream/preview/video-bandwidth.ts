// Whether the bandwidth budget has room for another viewer of H.264 over the network.
import { STREAM_REGISTRY } from '../../../actors/stream/tokens.ts'
import { BANDWIDTH_BUDGET } from '../../../machines/bandwidth/budget.ts'
import { noRoomForVideo } from '../../../machines/bandwidth/video.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import type { Given } from '../../../machines/token.ts'
import { fault } from '../../problems/problem.ts'

/** The needs of the check. */
export const videoRoomNeeds = {
  budget: BANDWIDTH_BUDGET,
  streams: STREAM_REGISTRY,
}
type VideoRoomParts = Given<typeof videoRoomNeeds>

/** Why the viewer cannot watch now; undefined: it can. */
export const checkVideoBandwidth = ({ budget: { mbit_s }, streams }: VideoRoomParts): Fault | undefined => {
  if (mbit_s === null) return undefined
  const viewers = streams.all().reduce((sum, stream) => sum + stream.viewers.video.metered.viewers, 0)
  const why = noRoomForVideo(viewers, mbit_s)
  return why === undefined ? undefined : fault('viewer.too_many', why)
}
