// Finding other devices, and being found.

import * as Effect from 'effect/Effect'
import { DIRECTORY } from '../../actors/directory.ts'
import { dnsSdActor } from '../../actors/discovery/dns-sd-actor.ts'
import { PeerCandidates } from '../../actors/discovery/peer-candidates.ts'
import { peerScanActor } from '../../actors/discovery/peer-scan-actor.ts'
import { PEER_CANDIDATES } from '../../actors/discovery/tokens.ts'
import { announcementOf, OWN_DEVICE } from '../../machines/discovery/announcement.ts'
import { peerCandidatesChanged } from '../../machines/discovery/events.ts'
import { HOST_NAME } from '../../machines/http/host-name.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { DNS_SD, PEER_LOOKS } from '../../native/discovery/port.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'
import { OPTIONS, RECORD, SUPERVISOR } from '../composition/tokens.ts'
import { whenClockIsSet } from '../composition/when-clock-is-set.ts'
import { discoveryPorts } from './ports.ts'
import { findServedHosts, isServedAt } from './served-hosts.ts'

const NOT_SERVED = oneLine`
  the service listens on this device alone, where nobody could reach it; start it with --http or --tls and an address
  of a network
`

export const discoveryBranch = branch({
  events: [peerCandidatesChanged],
  ports: discoveryPorts,
  offers: [
    offer(
      PEER_CANDIDATES,
      { directory: DIRECTORY, own: OWN_DEVICE },
      ({ directory: { events, clock }, own }) =>
        new PeerCandidates({ events, nowMs: clock.nowMs, wait: clock.wait, own }),
    ),
  ],
  needs: {
    supervisor: SUPERVISOR,
    directory: DIRECTORY,
    options: OPTIONS,
    hostName: HOST_NAME,
    own: OWN_DEVICE,
    record: RECORD,
    port: DNS_SD,
    looks: PEER_LOOKS,
    candidates: PEER_CANDIDATES,
  },
  start: ({ supervisor, directory: { actor, clock }, options, hostName, own, record, port, looks, candidates }) => {
    const served = findServedHosts(options)
    const announced = () => {
      const device = own()
      return device && served && served.port !== 0 ? announcementOf(device, hostName.value ?? 'vedette', served) : null
    }
    const dnsSd = dnsSdActor({
      port,
      candidates,
      announced,
      record,
      isServedAt: (address) => served !== null && isServedAt(served, address),
    })
    const input = { reason: served ? null : NOT_SERVED }
    return Effect.gen(function* () {
      yield* whenClockIsSet(clock, (byMs) => candidates.clockSet(byMs))
      yield* supervisor.start({ id: 'dns-sd', incarnate: Effect.sync(() => ({ logic: dnsSd, options: { input } })) })
      yield* supervisor.start({
        id: 'peer-scan',
        incarnate: Effect.sync(() => ({ logic: peerScanActor({ looks, candidates, actor }) })),
      })
    })
  },
})
