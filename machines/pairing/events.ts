// What is published about pairing. The code is not: it is read where only administrators do.

import { documentEvent, eventKind } from '../events/kind.ts'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'
import { TrustId } from '../trust/trust-id.ts'
import { PairingStateName } from './pairing.ts'

/** Pairing has another state. */
export const pairingChanged = eventKind({
  kind: 'pairing_changed',
  about: oneLine`
    Pairing of this device with another one has gone a step further, or has ended. Who shows it reads \`GET
    /v1/peers/pairing\`.
  `,
  reference: {},
  data: Type.Object(
    { state: PairingStateName },
    { additionalProperties: false, title: 'PairingStep', description: 'How far pairing is.' },
  ),
  revised: false,
  example: { resource_ref: {}, data: { state: 'comparing' } },
})

/** A pairing that was confirmed here, and that the other device has still to conclude, was kept or is concluded. */
export const pairingAgreementChanged = documentEvent({
  kind: 'pairing_agreement_changed',
  about: 'Somebody has confirmed a pairing here that the other device still has to conclude, or it is concluded.',
  of: { field: 'trust_id', id: TrustId, example: 'certificate-5f3a9c0b7d1e2f4a' },
})
