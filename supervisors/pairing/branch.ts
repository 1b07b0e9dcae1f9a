// Pairing with other devices.
import * as Effect from 'effect/Effect'
import { DIRECTORY } from '../../actors/directory.ts'
import { pairingActor } from '../../actors/pairing/pairing-actor.ts'
import { REGISTER_PEER } from '../../actors/peers/tokens.ts'
import { settingsWriter } from '../../actors/settings/write-settings.ts'
import { HOST_NAME } from '../../machines/http/host-name.ts'
import { pairingChanged } from '../../machines/pairing/events.ts'
import { pairingNameOf } from '../../machines/pairing/messages.ts'
import { IDENTITY } from '../../native/identity/port.ts'
import { PAIRING_CODES } from '../../native/pairing/port.ts'
import { PEER_WIRE } from '../../native/peers/port.ts'
import { branch } from '../composition/branch.ts'
import { RECORD, SUPERVISOR } from '../composition/tokens.ts'
import { pairingPorts } from './ports.ts'

export const pairingBranch = branch({
  events: [pairingChanged],
  ports: pairingPorts,
  needs: {
    ...{ supervisor: SUPERVISOR, directory: DIRECTORY, record: RECORD, hostName: HOST_NAME },
    ...{ own: IDENTITY, wire: PEER_WIRE, codes: PAIRING_CODES, register: REGISTER_PEER },
  },
  start: ({ supervisor, directory, hostName, own, ...parts }) => {
    const { settings, events, clock } = directory
    const logic = pairingActor({
      ...{ ...parts, settings, events, clock, write: settingsWriter(directory) },
      own: own.now,
      name: (device_id) => pairingNameOf(hostName.value, device_id),
    })
    return supervisor.start({ id: 'pairing', incarnate: Effect.sync(() => ({ logic })) })
  },
})
