// One look at an address: who is there?

import type { BaseUrl } from '../../machines/discovery/base-url.ts'
import { type PeerKind, type ProbeFinding, readHello } from '../../machines/discovery/probe-result.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { PEER_SERVER_NAME } from '../../machines/interdevice/server-name.ts'
import { addressText } from '../../machines/nt4/target.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { findAllowedAddresses, type Refusal } from '../names/allowed-addresses.ts'
import type { Lookup } from '../names/lookup.ts'
import { type Answer, ask, isAnswer, type Question, type Unanswered } from './ask.ts'
import { awaitWithin, startTimeLimit } from './time-limit.ts'

/** How long a look may take, in milliseconds. */
export interface LookLimits {
  /** To find the host, and to reach it each time. */
  readonly connectMs: number
  /** From its beginning until it has greeted, and in all. */
  readonly helloMs: number
  /** From its beginning until it has greeted, and in all. */
  readonly allMs: number
}

export const DEFAULT_LIMITS: LookLimits = {
  connectMs: 1_500,
  helloMs: 2_000, // the rest is for asking an old device that never answers what it does not know
  allMs: 2_900, // of the 3 s that it may take; the rest is for answering on a busy device
}
const MAX_BYTES = 64 * 1024

/** What a look at an address works with. */
export interface LookMeans {
  /** Says where names are, maybe after the look has ended. */
  readonly lookup: Lookup
  readonly limits: LookLimits
  /** Of a clock that never jumps. */
  readonly nowMs?: () => number
}

/** Looks. */
export const probeAt = async (
  at: BaseUrl,
  refusal: Refusal,
  { lookup, limits: { connectMs, helloMs, allMs }, nowMs }: LookMeans,
): Promise<ProbeFinding | Fault> => {
  const left = startTimeLimit(nowMs)
  const judged = await awaitWithin(findAllowedAddresses(at.host, lookup, refusal), connectMs)
  if (!judged) return nobody({ code: 'peer.unreachable', detail: `nobody says in time where ${at.host} is` })
  if (judged.refused) return judged.refused
  const { addresses } = judged
  if (addresses.length === 0)
    return nobody({ code: 'peer.unreachable', detail: `nobody knows where ${at.host} is; is the name right?` })
  const asking = (path: string, more: Partial<Question> = {}) =>
    ask({
      at,
      addresses,
      path,
      connectMs,
      maxBytes: MAX_BYTES,
      totalMs: left(allMs),
      ...more,
    })

  const greeted = await asking('/v1/interdevice/hello', { servername: PEER_SERVER_NAME, totalMs: left(helloMs) })
  const hello = isAnswer(greeted) && greeted.status === OK ? readHello(greeted.text) : undefined
  if (hello) return { kind: 'native', hello, fingerprint: fingerprintOf(greeted), fault: null }
  if (!isAnswer(greeted) && greeted.stage === 'connecting') return nobody(faultOf(at, greeted))
  const others = await Promise.all([asking('/api/status'), asking('/')])
  const answers = [greeted, ...others].filter(isAnswer)
  const [first] = answers
  if (!first) return nobody(faultOf(at, isAnswer(greeted) ? undefined : greeted))
  const kind: PeerKind = others.filter(isAnswer).some(isOfVisionProduct) ? 'extvision' : 'legacy'
  return {
    kind,
    hello: null,
    fingerprint: first.fingerprint,
    fault: kind === 'legacy' ? faultOfHello(at, greeted) : null,
  }
}

const OK = 200

/** The other product: what it says of its state, or the title of its page. */
export const isOfVisionProduct = ({ status, text }: Answer): boolean =>
  status === OK && (text.trim() === 'not dead yet' || /<title>\s*Photon Client\s*<\/title>/i.test(text))

const nobody = (fault: Fault): ProbeFinding => ({ kind: null, hello: null, fingerprint: null, fault })

const fingerprintOf = (found: Answer | Unanswered): string | null => (isAnswer(found) ? found.fingerprint : null)

/** Why nobody answered, as far as a connection tells. */
export const faultOf = (at: BaseUrl, unanswered: Unanswered | undefined): Fault => {
  const where = addressText(at)
  const { stage, error } = unanswered ?? { stage: 'waiting', error: undefined }
  const why = error ? `: ${error.message}` : ''
  if (stage === 'connecting')
    return {
      code: 'peer.unreachable',
      detail: `nothing answers at ${where}${error ? why : ' in time'}; is it on, and are address and port right?`,
    }
  if (stage === 'securing')
    return {
      code: 'peer.bad_answer',
      detail: oneLine`
        ${where} takes connections, but speaks no TLS there${error ? ` (${error.code ?? error.message})` : ''}; is it
        http instead of https?
      `,
    }
  if (error)
    return {
      code: 'peer.bad_answer',
      detail: oneLine`
        ${where} takes connections, but does not answer as an HTTP server${why};
        ${at.isTls ? 'is the port right?' : 'is it https instead of http?'}
      `,
    }
  return { code: 'peer.too_slow', detail: `${where} takes connections, and then says nothing in time` }
}

const [UNAVAILABLE_FROM, NOT_IMPLEMENTED] = [500, 501]

/**
 * A server that greets in a way that is no greeting is one to be told of, and so is one that cannot greet at present: a
 * device of this kind may be starting, or have no identity.
 */
const faultOfHello = (at: BaseUrl, greeted: Answer | Unanswered): Fault | null => {
  const why = isAnswer(greeted) && whyNoGreeting(greeted)
  return why ? { code: 'peer.bad_answer', detail: `${addressText(at)} ${why}` } : null
}

const whyNoGreeting = ({ status, headers }: Answer): string | undefined => {
  if (status >= UNAVAILABLE_FROM && status !== NOT_IMPLEMENTED)
    return `cannot greet at present (${status}); if it is a device of this kind, look again in a few seconds`
  return status === OK && /\bjson\b/i.test(headers['content-type'] ?? '')
    ? 'greets in a way that is not understood here'
    : undefined
}
