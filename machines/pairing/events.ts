// What is published about pairing. The code is not: it is read where only administrators do.
import { eventKind } from '../events/kind.ts'
import Type from '../schema/type.ts'
import { PairingStateName } from './pairing.ts'

/** Pairing has another state. */
export const pairingChanged = eventKind({
  kind: 'pairing_changed',
  about:
    'Pairing of this device with another one has gone a step further, or has ended. Who shows it reads `GET /v1/peers/pairing`.',
  reference: {},
  data: Type.Object(
    { state: PairingStateName },
    { additionalProperties: false, title: 'PairingStep', description: 'How far pairing is.' },
  ),
  revised: false,
  example: { resource_ref: {}, data: { state: 'comparing' } },
})
