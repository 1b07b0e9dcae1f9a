// The faults that an endpoint can answer with: the ones of its row, and the ones that any request of its kind can meet.
import type { ClientCode } from '../../machines/errors/catalogue.ts'
import { NO_IDENTITY } from '../../machines/identity/no-identity.ts'
import type { Endpoint } from './endpoint.ts'

const ANY: readonly ClientCode[] = [
  'host.missing',
  'host.repeated',
  'host.unknown',
  'origin.foreign',
  'query.invalid',
  'url.malformed',
  'url.too_long',
  'service.busy',
  'token.in_the_clear',
  'token.invalid',
  'token.too_many_tries',
  'trust.expired',
]
const WITH_BODY: readonly ClientCode[] = ['body.malformed', 'media_type.unsupported']
const CONDITIONAL: readonly ClientCode[] = ['if_match.malformed', 'revision.stale']

/** In order of code, each once. */
export const faultsOf = ({ access, method, body, conditional, faults }: Endpoint): ClientCode[] =>
  [
    ...new Set<ClientCode>([
      ...ANY,
      ...(access === 'open' ? [] : (['token.required'] as const)),
      ...(access === 'peer' ? ([...NO_IDENTITY, 'peer.other_device', 'trust.unknown'] as const) : []),
      ...(access === 'open' || access === 'peer' ? [] : (['trust.not_here'] as const)),
      ...(access === 'console' ? (['console.off'] as const) : []),
      ...(method === 'GET' ? [] : (['body.too_large'] as const)),
      ...(body ? [...WITH_BODY, body.invalid] : []),
      ...(conditional ? CONDITIONAL : []),
      ...faults,
    ]),
  ].sort()
