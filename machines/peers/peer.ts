// Other devices that somebody has registered: what is stored of each.

import type { Static } from 'typebox'
import { readBaseUrl } from '../discovery/base-url.ts'
import { DeviceId, Fingerprint } from '../interdevice/hello.ts'
import { Name } from '../schema/name.ts'
import { oneLine } from '../schema/one-line.ts'
import { quote } from '../schema/quote.ts'
import Type from '../schema/type.ts'
import { collection } from '../settings/collection.ts'
import { peerChanged } from './events.ts'

const strict = { additionalProperties: false } as const

/** A peer's id: part of paths. */
export const PeerId = Type.String({
  pattern: '^[a-z][a-z0-9_-]{0,39}$',
  description: '1 to 40 lower-case letters, digits, - and _, beginning with a letter.',
  examples: ['back'],
})

export const INTEGRATIONS = ['native', 'legacy', 'extvision', 'custom'] as const
export type Integration = (typeof INTEGRATIONS)[number]

const MAX_BASE_LENGTH = 2_048

const Base = Type.String({
  minLength: 1,
  maxLength: MAX_BASE_LENGTH,
  description: 'Where the device is, as `https://10.12.34.11:5801`; for one of this kind without a path.',
})

/** A stream of a device of another kind. */
export const UrlStream = Type.Object(
  {
    name: Type.Optional(Name(60, 'A name for people.')),
    url: Type.String({
      minLength: 1,
      maxLength: 2_048,
      description: oneLine`
        Where its pictures are: http://, https://, rtsp:// or rtsps://, without a name and password. What stands
        behind ? is kept, and shown to nobody.
      `,
    }),
  },
  {
    ...strict,
    title: 'UrlStream',
    description: 'A stream that can be had by its URL, as the source `url` of a stream.',
  },
)

/** One of the sorts of devices, as the documents explain it. */
export const IntegrationName = Type.Enum([...INTEGRATIONS], {
  title: 'PeerIntegration',
  description:
    'native: a device of this kind. legacy: an older one. extvision: one with the other vision product. custom: ' +
    'whatever else has streams.',
})

const fields = {
  name: Name(60, 'A name for people; default: what the device is called itself.'),
  integration: Type.Enum([...INTEGRATIONS], {
    description: oneLine`
      native: a device of this kind. legacy: an older one, extvision: one with the other vision product, custom:
      whatever else has streams. Default: what its greeting shows.
    `,
  }),
  fingerprint: Fingerprint,
  streams: Type.Array(UrlStream, {
    maxItems: 32,
    description: 'Of a device that is not native: its streams, by their URLs.',
  }),
}

/** What is sent to register a device. */
export const PeerRegistration = Type.Object(
  {
    base_url: Base,
    name: Type.Optional(fields.name),
    integration: Type.Optional(fields.integration),
    token: Type.Optional(
      Type.String({
        pattern: '^[\\x21-\\x7e]{1,256}$',
        description: oneLine`
          1 to 256 visible ASCII characters. The token that the device gave to this one; it is kept, and never shown.
          It is sent only on this machine, or over TLS to the device with the fingerprint that is said; where none is
          said, to the one whose certificate is met at the registration, and to no other from then on. The answer
          shows its fingerprint, to be compared with what that device says (\`GET /v1/interdevice/hello\`).
        `,
      }),
    ),
    fingerprint: Type.Optional(fields.fingerprint),
    streams: Type.Optional(fields.streams),
  },
  { ...strict, title: 'PeerRegistration', description: 'Another device that this one shall know.' },
)
export type PeerRegistration = Static<typeof PeerRegistration>

/**
 * A registered device as it is stored. device_id: once it has greeted. own_name: as it called itself when it was met.
 * token_version: rises with each token; the token itself lies elsewhere. 0: there is none.
 */
export const StoredPeer = Type.Object(
  {
    base_url: Base,
    name: Type.Optional(fields.name),
    own_name: Type.Optional(Type.String({ maxLength: 253 })),
    integration: Type.Optional(fields.integration),
    device_id: Type.Optional(DeviceId),
    fingerprint: Type.Optional(fields.fingerprint),
    streams: Type.Optional(fields.streams),
    token_version: Type.Integer({ minimum: 0 }),
  },
  strict,
)
export type StoredPeer = Static<typeof StoredPeer>

/** A link is a few sockets and 50 KB; more of them are a mistake in a script. */
export const MAX_PEERS = 64

export const peerCollection = collection({
  name: 'peers',
  id: PeerId,
  schema: StoredPeer,
  limit: MAX_PEERS,
  changed: peerChanged,
  notFound: (id) => ({ code: 'peer.not_found', detail: `there is no peer ${quote(id)}; GET /v1/peers lists them` }),
})

/**
 * Whether a device is to be treated as one of this kind: it was said to be, or greeted as one, or nobody knows better
 * yet.
 */
export const mayBeNative = ({ integration }: Pick<StoredPeer, 'integration'>): boolean =>
  integration === undefined || integration === 'native'

/**
 * An address as it is kept, or what is wrong with it, after the name of the field. isNative: it may be a device of this
 * kind, which has no path.
 */
export const baseOf = (base_url: string, isNative: boolean): { readonly base: string } | { readonly wrong: string } => {
  const found = readBaseUrl(base_url, { mayHavePath: !isNative })
  if (!found.ok) {
    const hasPath = isNative && readBaseUrl(base_url, { mayHavePath: true }).ok
    return { wrong: hasPath ? `${found.reason}; or say which \`integration\` it is, if it has a path` : found.reason }
  }
  const base = found.base.origin + found.path
  return base.length <= MAX_BASE_LENGTH
    ? { base }
    : { wrong: `is longer than ${MAX_BASE_LENGTH} characters as it is kept` }
}
