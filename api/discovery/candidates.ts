// The devices that were found, and looking for more.

import type { Static } from 'typebox'
import type { Directory } from '../../actors/directory.ts'
import type { FoundPeers } from '../../actors/discovery/tokens.ts'
import { BaseUrlText } from '../../machines/discovery/base-url.ts'
import { Candidate } from '../../machines/discovery/candidates.ts'
import type { ScanResult, ScanTarget } from '../../machines/discovery/peer-scan-machine.ts'
import { PeerKindName } from '../../machines/discovery/probe-result.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { FaultDocument } from '../../machines/errors/fault-document.ts'
import { type AccessPolicy, accessFault } from '../../machines/http/access.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import { command } from '../endpoints/command.ts'
import type { Call, Endpoint } from '../endpoints/endpoint.ts'
import { list } from '../endpoints/list.ts'
import { askerOf } from '../session/refusal.ts'
import { baseUrlIn } from './probe.ts'

/** What the rows work with. policy: who may have addresses outside of private networks looked at. */
export interface CandidateParts {
  readonly directory: Directory
  readonly candidates: FoundPeers
  readonly policy: AccessPolicy
}

const strict = { additionalProperties: false } as const
const MAX_BASE_URLS = 32

const DiscoverBody = Type.Object(
  {
    base_urls: Type.Optional(
      Type.Array(BaseUrlText, {
        maxItems: MAX_BASE_URLS,
        description: oneLine`
          Addresses to look at too, as \`POST /v1/peers/probe\` does. Without any, only those are asked who announce
          themselves.
        `,
      }),
    ),
  },
  { ...strict, title: 'PeerDiscovery', description: 'Where to look for other devices.' },
)

const Scanned = Type.Object(
  {
    base_url: Type.String(),
    kind: Type.Union([PeerKindName, Type.Null()], { description: 'What is there; null: nobody.' }),
    fault: Type.Union([FaultDocument, Type.Null()], { description: 'Why nobody was found; null: somebody was.' }),
  },
  { ...strict, title: 'PeerScanned', description: 'What became of an address that was looked at.' },
)

const Discovery = Type.Object(
  {
    dns_sd: Type.Object(
      {
        state: Type.Enum(['off', 'starting', 'browsing'], {
          description:
            'off: nobody is looked for, and `reason` says why. starting: it is being begun. browsing: it is listened ' +
            'for devices that announce themselves (`_vedette._tcp`).',
        }),
        reason: Type.Union([Type.String(), Type.Null()], { description: 'Why it is off; null: it is not.' }),
        announced_as: Type.Union([Type.String(), Type.Null()], {
          description: 'The name under which this device is announced; null: it is not.',
        }),
      },
      { ...strict, title: 'DnsSdStatus', description: 'How it is with devices that announce themselves.' },
    ),
    scan: Type.Object(
      {
        waiting: Type.Integer({ minimum: 0, description: 'Addresses that are still to be looked at.' }),
        results: Type.Array(Scanned, { description: 'Of the last look at addresses that ended.' }),
      },
      { ...strict, title: 'PeerScan', description: 'How it is with the addresses that were named.' },
    ),
  },
  { ...strict, title: 'Discovery', description: 'How other devices are being found.' },
)

const example = {
  dns_sd: { state: 'browsing', reason: null, announced_as: 'front-camera-0d0c2a5e' },
  scan: { waiting: 1, results: [] },
}

const candidateExample = {
  id: '7b1f6c2e-3d4a-4f5b-8c6d-9e0f1a2b3c4d',
  device_id: '7b1f6c2e-3d4a-4f5b-8c6d-9e0f1a2b3c4d',
  base_url: 'https://10.12.34.12:5801',
  other_base_urls: [],
  name: 'rear-camera-7b1f6c2e',
  kind: null,
  protocol_version: '1.0',
  fingerprint: null,
  fingerprint_hint: '5f3a9c0b7d1e2f4a',
  found_by: ['dns-sd'],
  first_seen_ms: 1_790_000_000_000,
  last_seen_ms: 1_790_000_060_000,
}

export const candidateRows = ({ directory, candidates, policy }: CandidateParts): readonly Endpoint[] => [
  command('POST', '/v1/peers/discover', {
    summary: 'Look for other devices',
    about: oneLine`
      Asks those who announce themselves, and has a list of addresses looked at, four at a time; answers at once. Who
      is found is a candidate in \`GET /v1/peers/candidates\`, and is not trusted for that. An address outside of
      private networks takes an administrator.
    `,
    to: 'peer-scan',
    body: { schema: DiscoverBody, example: { base_urls: ['http://10.12.34.12:5800'] }, optional: true },
    send: (call) => {
      const targets = targetsIn(call, policy)
      return isFault(targets) ? targets : { type: 'peers.discover', targets }
    },
    answer: { schema: Discovery, example, of: () => discoveryView(directory) },
  }),

  list<Candidate>('GET', '/v1/peers/candidates', {
    name: 'PeerCandidates',
    summary: 'Devices that were found',
    about: 'They are not trusted for being found: what is said of them is what they say themselves.',
    item: Candidate,
    example: candidateExample,
    order: 'In the order in which they were found, at most 64.',
    items: () => candidates.all,
    keyOf: ({ id }) => id,
    revision: () => candidates.revision,
    more: {
      properties: { discovery: Discovery },
      example: { discovery: example },
      value: () => ({ discovery: discoveryView(directory) }),
    },
  }),
]

/** What to look at, or what is wrong with the list. */
const targetsIn = (
  { body, request }: Call<never, unknown, Static<typeof DiscoverBody>>,
  policy: AccessPolicy,
): readonly ScanTarget[] | Fault => {
  const mayLeave = accessFault(policy, 'administer', askerOf(request)) === undefined
  const targets: ScanTarget[] = []
  for (const [n, text] of (body.base_urls ?? []).entries()) {
    const at = baseUrlIn(text, `/base_urls/${n}`)
    if (isFault(at)) return at
    targets.push({ at, mayLeave })
  }
  return targets
}

const discoveryView = ({ actor }: Directory): Static<typeof Discovery> => {
  const dnsSd = actor('dns-sd')?.getSnapshot()
  const { targets = [], waiting = [], results = [] } = actor('peer-scan')?.getSnapshot().context ?? {}
  const isBrowsing = dnsSd?.matches('browsing') ?? false
  const reason = dnsSd?.context.reason ?? null
  return {
    dns_sd: {
      state: isBrowsing ? 'browsing' : reason === null ? 'starting' : 'off',
      reason,
      announced_as: (isBrowsing && dnsSd?.context.survey.announced?.name) || null,
    },
    scan: { waiting: targets.length + waiting.length, results: results.map(scannedView) },
  }
}

const scannedView = ({ base_url, kind, fault }: ScanResult): Static<typeof Scanned> => ({
  base_url,
  kind,
  fault: fault && { code: fault.code, detail: fault.detail },
})
