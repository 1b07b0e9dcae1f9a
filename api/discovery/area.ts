// Finding other devices.
import { DIRECTORY } from '../../actors/directory.ts'
import { PEER_CANDIDATES } from '../../actors/discovery/tokens.ts'
import { PEER_LOOKS } from '../../native/discovery/port.ts'
import { areaOf } from '../endpoints/area.ts'
import { area } from '../endpoints/endpoint.ts'
import { SIGN_IN } from '../session/area.ts'
import { candidateRows } from './candidates.ts'
import { probeRow } from './probe.ts'
import { visionRow } from './vision-streams.ts'

const needs = { directory: DIRECTORY, looks: PEER_LOOKS, candidates: PEER_CANDIDATES, signIn: SIGN_IN }

export const discoveryArea = areaOf(needs, ({ directory, looks, candidates, signIn: { policy } }) =>
  area('peers', 'Other devices.', [
    probeRow({ looks, policy }),
    visionRow({ looks, policy }),
    ...candidateRows({ directory, candidates, policy }),
  ]),
)
