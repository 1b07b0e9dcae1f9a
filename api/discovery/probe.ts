// Looks at an address and says which device is there.

import type { BaseUrl } from '../../machines/discovery/base-url.ts'
import { BaseUrlText, readBaseUrl } from '../../machines/discovery/base-url.ts'
import { Probed, probedView } from '../../machines/discovery/probe-result.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import type { AccessPolicy } from '../../machines/http/access.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import type { PeerLooks } from '../../native/discovery/port.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { read } from '../endpoints/read.ts'
import { invalidBody } from '../problems/problem.ts'
import { foreignAddressFault } from '../session/refusal.ts'

/** What the rows work with. policy: who may look beyond private networks. */
export interface LookParts {
  readonly looks: PeerLooks
  readonly policy: AccessPolicy
}

const ProbeQuestion = Type.Object(
  { base_url: BaseUrlText },
  { additionalProperties: false, title: 'PeerProbeQuestion', description: 'Which address to look at.' },
)

const example = {
  base_url: 'https://10.12.34.12:5801',
  kind: 'native',
  hello: {
    device_id: '0d0c2a5e-9c1b-4a52-8c0f-3f2b7c1d9e10',
    name: 'vedette-2',
    protocol_version: '1.0',
    capabilities: ['proxy_streams', 'remote_control'],
    api_base: 'https://10.12.34.12:5801',
    ws_base: 'wss://10.12.34.12:5801',
    fingerprint: '5f3a9c0b7d1e2f4a5b6c7d8e9f0a1b2c3d4e5f60718293a4b5c6d7e8f9a0b1c2',
    agreement: { protocol_version: '1.0', capabilities: ['proxy_streams', 'remote_control'] },
  },
  fingerprint: '5f3a9c0b7d1e2f4a5b6c7d8e9f0a1b2c3d4e5f60718293a4b5c6d7e8f9a0b1c2',
  fault: null,
}

export const probeRow = ({ looks, policy }: LookParts): Endpoint =>
  read('POST', '/v1/peers/probe', {
    access: 'operate', // it makes this device call others
    summary: 'What is at an address',
    about: oneLine`
      A look that changes nothing, and after which nobody is trusted: at most 3 s and 64 KiB an answer. No redirect is
      followed, no certificate is asked to be good, and no credentials are sent. An address outside of private
      networks takes an administrator. The name is looked up once, and asked at the address that was judged.
    `,
    body: { schema: ProbeQuestion, example: { base_url: 'https://10.12.34.12:5801' } },
    answer: Probed,
    example,
    get: async ({ body, request }) => {
      const base = baseUrlIn(body.base_url, '/base_url')
      if (isFault(base)) return base
      const seen = await looks.probe(base, foreignAddressFault(policy, request))
      return isFault(seen) ? seen : probedView(base, seen)
    },
  })

/** The place that a text in the body names, or what is wrong with it. */
export const baseUrlIn = (text: string, pointer: string): BaseUrl | Fault => {
  const found = readBaseUrl(text)
  return found.ok ? found.base : invalidBody({ pointer, message: found.reason })
}
