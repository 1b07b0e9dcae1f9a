// The trust list on the wire.
import type { Static, TObject } from 'typebox'
import { DeviceId, Fingerprint } from '../../machines/interdevice/hello.ts'
import { Name } from '../../machines/schema/name.ts'
import Type from '../../machines/schema/type.ts'
import { MAX_NAME_CHARACTERS, TrustName, UnixMs } from '../../machines/trust/trust-entry.ts'

const strict = { additionalProperties: false } as const

/** The device to trust. */
export const TrustOrder = Type.Object(
  {
    name: Name(MAX_NAME_CHARACTERS, 'What people call the device.'),
    fingerprint: Type.Optional(Fingerprint),
    device_id: Type.Optional(DeviceId),
    expires_at_ms: Type.Optional({
      ...UnixMs,
      description: 'Until when it is trusted, Unix time of this device, later than now; default: until it is deleted.',
    }),
  },
  {
    ...strict,
    title: 'TrustOrder',
    description: 'A device to trust: by its certificate, or without a fingerprint by a token that is made for it.',
  },
)
export type TrustOrder = Static<typeof TrustOrder>

export const orderExample: TrustOrder = {
  name: 'Side camera',
  fingerprint: 'c2b1a0f9e8d7c6b5a4f3928170605f4e3d2c1b0a9f8e7d6c5b4a2f1e7d0b9c3a',
}

/** What was said of it. */
export const TrustSpec = Type.Object(
  {
    name: TrustName,
    fingerprint: Type.Union([Fingerprint, Type.Null()], { description: 'Of its certificate; null: it has a token.' }),
    device_id: Type.Union([DeviceId, Type.Null()], { description: 'Which device it is; null: nobody has said.' }),
    expires_at_ms: Type.Union([UnixMs, Type.Null()], {
      description: 'Until when it is trusted, Unix time of this device; null: until it is deleted.',
    }),
  },
  { ...strict, title: 'TrustSpec', description: 'What was said of a device that is trusted.' },
)

/** What is the case. */
export const TrustStatus = Type.Object(
  {
    by: Type.Enum(['certificate', 'token'], {
      description: 'How it shows who it is. certificate: by the one that it shows over TLS. token: by one of its own.',
    }),
    state: Type.Enum(['trusted', 'expired'], { description: 'expired: its time is over; it is not trusted any more.' }),
    created_at_ms: { ...UnixMs, description: 'When it was entered, Unix time of this device.' },
  },
  { ...strict, title: 'TrustStatus', description: 'What is the case with a device that is trusted.' },
)

/** An entry that was just made, with what is told only this once. */
export const createdOf = ({ properties }: TObject): TObject =>
  Type.Object(
    {
      ...properties,
      token: Type.Union([Type.String(), Type.Null()], {
        description:
          'What the device sends as `Authorization: Bearer`, told only this once; null: it goes by its certificate.',
      }),
    },
    { ...strict, title: 'TrustCreated', description: 'A device that is trusted from now on, and its token.' },
  )

export const trustExample = {
  id: 'certificate-5f3a9c0b7d1e2f4a',
  spec: {
    name: 'Back camera',
    fingerprint: '5f3a9c0b7d1e2f4a5b6c7d8e9f0a1b2c3d4e5f60718293a4b5c6d7e8f9a0b1c2',
    device_id: '0d0c2a5e-9c1b-4a52-8c0f-3f2b7c1d9e10',
    expires_at_ms: null,
  },
  status: { by: 'certificate', state: 'trusted', created_at_ms: 1_767_225_600_000 },
}
