// Pairing with other devices.
import * as Effect from 'effect/Effect'
import { DIRECTORY } from '../../actors/directory.ts'
import { concludeAgreements } from '../../actors/pairing/conclude-agreements.ts'
import { type Agreements, pairingActor } from '../../actors/pairing/pairing-actor.ts'
import { REGISTER_PEER } from '../../actors/peers/tokens.ts'
import { settingsWriter, type WriteSettings } from '../../actors/settings/write-settings.ts'
import { HOST_NAME } from '../../machines/http/host-name.ts'
import { agreementCollection } from '../../machines/pairing/agreement.ts'
import { pairingChanged } from '../../machines/pairing/events.ts'
import { pairingNameOf } from '../../machines/pairing/messages.ts'
import type { PairingState } from '../../machines/pairing/pairing.ts'
import { pairingState } from '../../machines/pairing/pairing-machine.ts'
import { deleteOrder, putOrder } from '../../machines/settings/commit.ts'
import { documentOf, type SettingsStore } from '../../machines/settings/store.ts'
import { IDENTITY } from '../../native/identity/port.ts'
import { PAIRING_CODES } from '../../native/pairing/port.ts'
import { PEER_WIRE } from '../../native/peers/port.ts'
import { branch } from '../composition/branch.ts'
import { ON_BUG, RECORD, SUPERVISOR } from '../composition/tokens.ts'
import { pairingPorts } from './ports.ts'

export const pairingBranch = branch({
  collections: [agreementCollection],
  events: [pairingChanged],
  ports: pairingPorts,
  needs: {
    supervisor: SUPERVISOR,
    directory: DIRECTORY,
    record: RECORD,
    onBug: ON_BUG,
    hostName: HOST_NAME,
    own: IDENTITY,
    wire: PEER_WIRE,
    codes: PAIRING_CODES,
    register: REGISTER_PEER,
  },
  start: ({ supervisor, directory, hostName, own, onBug, ...parts }) =>
    Effect.gen(function* () {
      const { settings, events, clock, actor } = directory
      const write = settingsWriter(directory)
      const shared = { ...parts, settings, events, clock, write, agreements: agreementsIn(settings, write) }
      const logic = pairingActor({
        ...shared,
        own: own.now,
        name: (device_id) => pairingNameOf(hostName.value, device_id),
      })
      yield* supervisor.start({ id: 'pairing', incarnate: Effect.sync(() => ({ logic })) })
      yield* Effect.forkScoped(
        concludeAgreements({
          ...shared,
          onBug: onBug('pairing'),
          isRunning: (pairing_id) => {
            const snapshot = actor('pairing')?.getSnapshot()
            const isOpen = snapshot && FOLLOWED.includes(pairingState(snapshot.value))
            return isOpen === true && snapshot.context.run?.pairing_id === pairing_id
          },
        }),
      )
    }),
})

const FOLLOWED: readonly PairingState[] = ['comparing', 'confirmed', 'storing']

const agreementsIn = (settings: SettingsStore, write: WriteSettings): Agreements => ({
  keep: (id, agreement) => Effect.asVoid(write(putOrder(agreementCollection, id, agreement))),
  drop: (id) =>
    Effect.suspend(() =>
      documentOf(settings, agreementCollection, id)
        ? Effect.asVoid(write(deleteOrder(agreementCollection, id)))
        : Effect.void,
    ),
})
