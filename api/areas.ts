// All endpoints of the service, area by area: the table of contents of this folder.

import type { Area } from './endpoints/endpoint.ts'
import { errorArea } from './errors/area.ts'
import { type EventFeed, eventArea } from './events/area.ts'
import { healthArea } from './health/area.ts'
import { localizationArea } from './localization/area.ts'
import { deviceNt4Area } from './nt4/area.ts'
import { pageArea } from './pages/area.ts'
import { type SignIn, sessionArea } from './session/area.ts'
import { specArea } from './spec/area.ts'
import { type Previews, streamArea } from './streams/area.ts'

/** What endpoints hold on to beyond a request. */
export interface LongLived {
  readonly previews: Previews
  readonly events: EventFeed
  readonly signIn: SignIn
}

/** version: of the service. */
export const allAreas = ({ previews, events, signIn }: LongLived, version: string): readonly Area[] => {
  const areas: readonly Area[] = [
    healthArea,
    streamArea(previews),
    localizationArea,
    deviceNt4Area,
    errorArea,
    eventArea(events),
    sessionArea(signIn),
    specArea(version, () => areas),
    pageArea,
  ]
  return areas
}
