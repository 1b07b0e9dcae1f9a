// Finding other devices.
import { PEER_LOOKS } from '../../native/discovery/port.ts'
import { areaOf } from '../endpoints/area.ts'
import { area } from '../endpoints/endpoint.ts'
import { SIGN_IN } from '../session/area.ts'
import { probeRow } from './probe.ts'
import { visionRow } from './vision-streams.ts'

export const discoveryArea = areaOf({ looks: PEER_LOOKS, signIn: SIGN_IN }, ({ looks, signIn: { policy } }) =>
  area('peers', 'Other devices.', [probeRow({ looks, policy }), visionRow({ looks, policy })]),
)
