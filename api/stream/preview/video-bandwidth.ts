// Whether the bandwidth budget has room for another viewer of H.264 over the network.
import { noRoomForVideo } from '../../../machines/bandwidth/video.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import { fault } from '../../problems/problem.ts'
import type { StreamParts } from '../parts.ts'

/** Why the viewer cannot watch now; undefined: it can. */
export const checkVideoBandwidth = ({
  budget: { mbit_s },
  streams,
}: Pick<StreamParts, 'budget' | 'streams'>): Fault | undefined => {
  if (mbit_s === null) return undefined
  const viewers = streams.all().reduce((sum, stream) => sum + stream.viewers.video.metered.viewers, 0)
  const why = noRoomForVideo(viewers, mbit_s)
  return why === undefined ? undefined : fault('viewer.too_many', why)
}
