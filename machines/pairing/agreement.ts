// What this device has agreed to: a pairing whose code somebody has confirmed here, until the other device has said
// what came of it. Kept on the disk, so that a kill between the halves of a pairing leaves neither with half a trust.
import type { Static } from 'typebox'
import { DeviceId, Fingerprint } from '../interdevice/hello.ts'
import Type from '../schema/type.ts'
import { collection } from '../settings/collection.ts'
import { TrustId } from '../trust/trust-id.ts'
import { pairingAgreementChanged } from './events.ts'
import { DeviceName } from './messages.ts'
import type { Callee, PairingRun } from './pairing-machine.ts'

const Agreement = Type.Object(
  {
    pairing_id: Type.String({ maxLength: 64 }),
    /** Of the device that was called. */
    base_url: Type.String({ maxLength: 2_048 }),
    /** What it shall be called here; null: as it calls itself. */
    name: Type.Union([Type.String({ maxLength: 120 }), Type.Null()]),
    other: Type.Object(
      { fingerprint: Fingerprint, device_id: DeviceId, name: DeviceName },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
)
/** One of them, as it is stored. */
export type Agreement = Static<typeof Agreement>

/** More at once than anybody pairs; by the id that the entry in the trust list will have. */
export const agreementCollection = collection({
  name: 'pairing-agreements',
  id: TrustId,
  schema: Agreement,
  limit: 16,
  changed: pairingAgreementChanged,
  notFound: (id) => ({ code: 'trust.not_found', detail: `nobody has agreed to a pairing that ${id} would come of` }),
})

/** What is agreed to with the confirmation of a code. */
export const agreementOf = ({ pairing_id, other }: PairingRun, { base_url, name }: Callee): Agreement => ({
  pairing_id,
  base_url,
  name,
  other,
})

/** The run of an agreement, with whom it was. It was called from here, so that nobody asks for its nonce any more. */
export const runOf = ({ pairing_id, base_url, name, other }: Agreement): { run: PairingRun; callee: Callee } => ({
  run: { pairing_id, other, nonce: '', commitment: null },
  callee: { base_url, name },
})
