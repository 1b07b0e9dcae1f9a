// The greeting of two devices: who one is, which protocol it speaks and what may be asked of it.

import type { Static } from 'typebox'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'

/** A device, as long as its data directory lives. */
export const DeviceId = Type.String({
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
  description: 'A UUID that the device made at its first start; it keeps it as long as its data directory.',
  examples: ['0d0c2a5e-9c1b-4a52-8c0f-3f2b7c1d9e10'],
})

/** SHA-256 of a certificate as DER. */
export const Fingerprint = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description: 'SHA-256 of the certificate (DER): 64 hex digits, lower case, without colons.',
  examples: ['5f3a9c0b7d1e2f4a5b6c7d8e9f0a1b2c3d4e5f60718293a4b5c6d7e8f9a0b1c2'],
})

/**
 * What this service speaks. A device with another major number is not understood; a higher minor one only knows more.
 */
export const PROTOCOL_VERSION = '1.0'

export const CAPABILITIES = [
  'proxy_streams',
  'remote_control',
  'remote_pipeline_edit',
  'remote_rig_pose',
  'remote_localization_outputs',
] as const
export type Capability = (typeof CAPABILITIES)[number]

/** One of them, as the documents explain it. */
export const CapabilityName = Type.Enum([...CAPABILITIES], {
  title: 'Capability',
  description:
    'proxy_streams: its pictures can be watched through another device. remote_control: its streams take commands. ' +
    'remote_pipeline_edit: their pipelines take patches. remote_rig_pose: it can be told where its cameras sit. ' +
    'remote_localization_outputs: it tells where it sees the robot.',
})

const strict = { additionalProperties: false } as const
const ProtocolVersion = Type.String({
  pattern: '^\\d{1,4}\\.\\d{1,4}$',
  description: '`<major>.<minor>`. Devices with one major number understand each other.',
})

/** The greeting of a device, as this service gives it. */
export const Hello = Type.Object(
  {
    device_id: DeviceId,
    name: Type.String({ maxLength: 253, description: 'What the device is called in its network.' }),
    protocol_version: ProtocolVersion,
    capabilities: Type.Array(CapabilityName, { description: 'What may be asked of it.' }),
    api_base: Type.String({ description: 'What paths such as `/v1/streams` follow, as the one who asks reaches it.' }),
    ws_base: Type.String({ description: 'The same for WebSockets.' }),
    fingerprint: Type.Union([Fingerprint, Type.Null()], {
      description: 'Of the certificate by which it is known over TLS. null: it is not served over TLS.',
    }),
    client_fingerprint: {
      ...Fingerprint,
      description: oneLine`
        Of the certificate that it shows when it calls another device, whether it is served over TLS or not: what that
        one enters to trust it. SHA-256 (DER), 64 hex digits.
      `,
    },
  },
  { ...strict, title: 'InterdeviceHello', description: 'Who a device is, and what may be asked of it.' },
)
export type Hello = Static<typeof Hello>

/** The least that a greeting must say to be one; others may say more, and know capabilities that nobody here does. */
export const HeardHello = Type.Object({
  device_id: DeviceId,
  protocol_version: ProtocolVersion,
  capabilities: Type.Array(Type.String({ maxLength: 64 }), { maxItems: 64 }),
  name: Type.Optional(Type.String({ maxLength: 253 })),
  api_base: Type.Optional(Type.String({ maxLength: 2_048 })),
  ws_base: Type.Optional(Type.String({ maxLength: 2_048 })),
  fingerprint: Type.Optional(Type.Union([Type.String({ maxLength: 128 }), Type.Null()])),
})
export type HeardHello = Static<typeof HeardHello>

/** What two devices can do together. capabilities: those that both know. */
export interface Agreement {
  readonly protocol_version: string
  readonly capabilities: readonly Capability[]
}

/** undefined: their major numbers differ. Of the minor numbers the lower counts. */
export const agreementWith = ({ protocol_version, capabilities }: HeardHello): Agreement | undefined => {
  const [major, minor] = numbersOf(protocol_version)
  const [ourMajor, ourMinor] = numbersOf(PROTOCOL_VERSION)
  if (major !== ourMajor) return undefined
  return {
    protocol_version: `${major}.${Math.min(minor, ourMinor)}`,
    capabilities: CAPABILITIES.filter((each) => capabilities.includes(each)),
  }
}

const numbersOf = (version: string): readonly [major: number, minor: number] => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return [major, minor]
}
