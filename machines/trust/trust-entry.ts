// Which other devices are trusted, each by a certificate or by a token. Of a token only the hash is kept.
import type { Static, TSchema } from 'typebox'
import { DeviceId, Fingerprint } from '../interdevice/hello.ts'
import Type from '../schema/type.ts'
import { collection } from '../settings/collection.ts'
import { trustChanged } from './events.ts'
import { TrustId } from './trust-id.ts'

export const MAX_NAME_CHARACTERS = 120

/** As it is stored. New ones have to be well-formed; previous ones shall not cost a device its trust. */
export const TrustName = Type.String({
  minLength: 1,
  maxLength: MAX_NAME_CHARACTERS,
  description: 'What people call the device.',
})
export const UnixMs = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

const TrustEntry = Type.Object(
  {
    name: TrustName,
    fingerprint: orNull(Fingerprint),
    token_hash: orNull(Type.String({ pattern: '^[0-9a-f]{64}$' })),
    device_id: orNull(DeviceId),
    expires_at_ms: orNull(UnixMs),
    created_at_ms: UnixMs,
    pairing_id: Type.Optional(Type.String({ maxLength: 64 })),
  },
  { additionalProperties: false },
)
/**
 * An entry as it is stored. fingerprint: of the certificate that it goes by; token_hash: SHA-256 of the token, hex; one
 * of them is null. device_id: of the device, where it is known. Times are Unix time; expires_at_ms null: it has no end.
 * pairing_id: the run by which it came, or was confirmed again.
 */
export type TrustEntry = Static<typeof TrustEntry>

/** More devices than an arena has. */
const MAX_TRUSTED = 256

export const trustCollection = collection({
  name: 'trust',
  id: TrustId,
  schema: TrustEntry,
  limit: MAX_TRUSTED,
  changed: trustChanged,
  notFound: (id) => ({
    code: 'trust.not_found',
    detail: `there is no entry ${id} in the trust list; GET /v1/peers/trust lists them`,
  }),
  check: ({ fingerprint, token_hash }) =>
    (fingerprint === null) === (token_hash === null)
      ? [{ pointer: '', message: 'must have either a fingerprint or a token' }]
      : [],
})

/** By the wall clock: one that is set forward ends trust early, one that is set back revives it. */
export const isExpired = ({ expires_at_ms }: Pick<TrustEntry, 'expires_at_ms'>, nowMs: number): boolean =>
  expires_at_ms !== null && expires_at_ms <= nowMs
