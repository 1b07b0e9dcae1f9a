// All endpoints of the service, area by area: the table of contents of this folder.
import { deviceNt4Area } from './device-nt4.ts'
import type { Area } from './endpoints/endpoint.ts'
import { errorArea } from './errors.ts'
import { type EventFeed, eventArea } from './events.ts'
import { healthArea } from './health.ts'
import { localizationArea } from './localization.ts'
import { pageArea } from './pages.ts'
import { specArea } from './spec.ts'
import { type Previews, streamArea } from './streams.ts'

/** What endpoints hold on to beyond a request. */
export interface LongLived {
  readonly previews: Previews
  readonly events: EventFeed
}

/** version: of the service. */
export const allAreas = ({ previews, events }: LongLived, version: string): readonly Area[] => {
  const areas: readonly Area[] = [
    healthArea,
    streamArea(previews),
    localizationArea,
    deviceNt4Area,
    errorArea,
    eventArea(events),
    specArea(version, () => areas),
    pageArea,
  ]
  return areas
}
