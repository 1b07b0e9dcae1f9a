// What is at an address, as it was found and as the wire shows it.

import type { Static } from 'typebox'
import type { Fault } from '../errors/fault.ts'
import { FaultDocument } from '../errors/fault-document.ts'
import { agreementWith, CapabilityName, type HeardHello, HeardHello as HeardHelloSchema } from '../interdevice/hello.ts'
import { validatorOf } from '../schema/errors.ts'
import { jsonIn } from '../schema/json.ts'
import { oneLine } from '../schema/one-line.ts'
import { orNull } from '../schema/or-null.ts'
import Type from '../schema/type.ts'
import type { BaseUrl } from './base-url.ts'

/** native: a device with this service. extvision: the other vision product. legacy: an HTTP server that is neither. */
export const PEER_KINDS = ['native', 'extvision', 'legacy'] as const
export type PeerKind = (typeof PEER_KINDS)[number]

/** One of them, as the documents explain it. */
export const PeerKindName = Type.Enum([...PEER_KINDS], {
  title: 'PeerKind',
  description:
    'native: a device with this service. extvision: the other vision product. legacy: an HTTP server that is neither.',
})

/**
 * What a probe found. kind null: nothing that speaks HTTP; then fault says why. fingerprint: of the certificate that
 * was shown, which proves nothing by itself.
 */
export interface ProbeFinding {
  readonly kind: PeerKind | null
  readonly hello: HeardHello | null
  readonly fingerprint: string | null
  readonly fault: Fault | null
}

const strict = { additionalProperties: false } as const
const HeardGreeting = Type.Object(
  {
    ...HeardHelloSchema.properties,
    fingerprint: Type.Optional(
      Type.Union([Type.String({ maxLength: 128 }), Type.Null()], {
        description: 'Of its certificate, as it says itself; the one that it showed stands beside this.',
      }),
    ),
    agreement: orNull(
      Type.Object(
        {
          protocol_version: Type.String({ description: 'The version in which the two devices would speak.' }),
          capabilities: Type.Array(CapabilityName, { description: 'Those that both know.' }),
        },
        { ...strict, title: 'PeerAgreement', description: 'What two devices can do together.' },
      ),
      'What this device could do with it; null: it speaks another major version.',
    ),
  },
  { ...strict, title: 'HeardHello', description: 'How a device greets: what it says of itself.' },
)

/** What is at an address. */
export const Probed = Type.Object(
  {
    base_url: Type.String({ description: 'Where it was looked at: scheme, host and port.' }),
    kind: orNull(PeerKindName, 'null: nobody who speaks HTTP; `fault` says why.'),
    hello: orNull(HeardGreeting, 'What it says of itself, of a native device.'),
    fingerprint: orNull(
      Type.String(),
      oneLine`
        SHA-256 of the certificate that it showed, 64 hex digits. It is a peer to be trusted only when its operator says
        that it is the right one. null: it was asked without TLS.
      `,
    ),
    fault: orNull(FaultDocument, 'Why nobody answered, or why what was answered is no greeting; null: all is well.'),
  },
  { ...strict, title: 'PeerProbed', description: 'What is at an address.' },
)
export type Probed = Static<typeof Probed>

/** As the wire shows it. Nothing of a stranger's greeting is shown but what a greeting has. */
export const probedView = ({ origin }: BaseUrl, { kind, hello, fingerprint, fault }: ProbeFinding): Probed => ({
  base_url: origin,
  kind,
  fingerprint,
  hello: hello && { ...hello, agreement: agreementOf(hello) },
  fault: fault && { code: fault.code, detail: fault.detail },
})

const agreementOf = (hello: HeardHello) => {
  const found = agreementWith(hello)
  return found ? { protocol_version: found.protocol_version, capabilities: [...found.capabilities] } : null
}

const errorsOfHello = validatorOf(HeardHelloSchema)

/** The greeting in a text, with nothing in it but what a greeting has; undefined: it is none. */
export const readHello = (text: string): HeardHello | undefined => {
  const heard = jsonIn(text)
  if (errorsOfHello(heard).length > 0) return undefined
  const { device_id, protocol_version, capabilities, name, api_base, ws_base, fingerprint } = heard as HeardHello
  return {
    device_id,
    protocol_version,
    capabilities,
    ...(name !== undefined && { name }),
    ...(api_base !== undefined && { api_base }),
    ...(ws_base !== undefined && { ws_base }),
    ...(fingerprint !== undefined && { fingerprint }),
  }
}
