// Looks at strangers over real sockets, few at a time.
import { limitConcurrentLookups } from '../names/concurrent-lookups.ts'
import { type Lookup, systemLookup } from '../names/lookup.ts'
import type { PeerLooks } from './port.ts'
import { DEFAULT_LIMITS, type LookLimits, probeAt } from './probe.ts'
import { DEFAULT_VISION_LIMITS, visionStreamsAt } from './vision.ts'

const MAX_LOOKS = 8 // each holds at most a few connections, for 4 s

/** lookup: says where names are. */
export const socketLooks = (lookup: Lookup = systemLookup, limits: LookLimits = DEFAULT_LIMITS): PeerLooks => {
  const detail = `${MAX_LOOKS} looks at other devices are under way; try again in a second`
  const counted = limitConcurrentLookups(MAX_LOOKS, lookup, { code: 'service.busy', detail })
  return {
    probe: (at, refusal) => counted((lookup) => probeAt(at, refusal, { lookup, limits })),
    visionStreams: (at, refusal) =>
      counted((lookup) => visionStreamsAt(at, refusal, { lookup, limits: DEFAULT_VISION_LIMITS })),
  }
}
