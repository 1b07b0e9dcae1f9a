// What a device that was greeted turned out to be.

import type { ClientCode } from '../errors/catalogue.ts'
import type { Fault } from '../errors/fault.ts'
import { NO_IDENTITY } from '../identity/no-identity.ts'
import { type Agreement, agreementWith, HeardHello, PROTOCOL_VERSION } from '../interdevice/hello.ts'
import { problemIn } from '../interdevice/problem.ts'
import { firstError, schemaErrors } from '../schema/errors.ts'
import { jsonIn } from '../schema/json.ts'
import { oneLine } from '../schema/one-line.ts'
import { quote } from '../schema/quote.ts'

/** Where every device of this kind greets. */
export const HELLO_PATH = '/v1/interdevice/hello'

/** What every server answers somehow. */
export const FIRST_PAGE = '/'

/**
 * legacy: something answers, but not as one of these devices; its streams can be had by their URLs. why: the end of a
 * sentence.
 */
export type Greeted =
  | { readonly kind: 'native'; readonly hello: HeardHello; readonly agreement: Agreement }
  | { readonly kind: 'legacy'; readonly why: string }

/** An answer to the greeting. */
export interface GreetingAnswer {
  readonly status: number
  readonly location: string | undefined
  readonly text: string
}

/** Whom one expects. */
export interface Expectation {
  readonly origin: string
  /** Our id; null: not known. */
  readonly own: string | null
  /** The id of the device that it must be, since it was met before or claims to have been; null: any. */
  readonly known: string | null
}

/** Judges what came of the greeting: an answer, or the fault of the wire. */
export const judgeGreeting = (expected: Expectation, came: GreetingAnswer | Fault): Greeted | Fault => {
  const judged = 'code' in came ? ofFault(came) : ofAnswer(expected, came)
  if ('code' in judged || judged.kind === 'native') return judged
  return expected.known === null ? judged : notNative(expected, judged.why, came)
}

/** Whether a device has taken the connection and then said nothing. */
export const isSilence = ({ code }: Fault): boolean => code === 'peer.too_slow'

/**
 * Judges a stranger that has kept silent once: what came of a second greeting, and at the same time of asking for its
 * first page.
 */
export const judgeSilence = (
  expected: Expectation,
  again: GreetingAnswer | Fault,
  other: GreetingAnswer | Fault,
): Greeted | Fault => {
  if (!('code' in again && isSilence(again))) return judgeGreeting(expected, again)
  if ('code' in other && other.code !== 'peer.bad_answer') return again
  return { kind: 'legacy', why: `it answers, and never what is asked at ${HELLO_PATH}` }
}

/** Whether a fault lies with what the peer is or thinks of us: to try again at once would change nothing. */
export const isRefusal = ({ code }: Fault): boolean => (REFUSALS as readonly string[]).includes(code)

/** Why there is no link, and nothing is asked of whoever answers there. */
export const REFUSALS = [
  ...NO_IDENTITY,
  'peer.not_native',
  'peer.other_device',
  'peer.other_version',
  'peer.redirects',
  'peer.refuses_us',
  'peer.self',
  'peer.twice',
  'peer.wrong_certificate',
] as const satisfies readonly ClientCode[]

/** What says nothing that is HTTP may be a camera. */
const ofFault = (fault: Fault): Greeted | Fault =>
  fault.code === 'peer.bad_answer' ? { kind: 'legacy', why: `it does not greet as one (${fault.detail})` } : fault

const isBetween = (status: number, from: number, below: number): boolean => status >= from && status < below

const ofAnswer = (expected: Expectation, { status, location, text }: GreetingAnswer): Greeted | Fault => {
  const { origin } = expected
  if (isBetween(status, 300, 400)) {
    const isElsewhere = hostOf(location, origin) !== hostOf(origin, origin)
    return isElsewhere ? redirects(origin, location) : { kind: 'legacy', why: `it has no ${HELLO_PATH} (${status})` }
  }
  const { said: refusal, refusesUs } = problemIn(status, text)
  if (refusesUs && refusal === undefined)
    // a camera with a password, say
    return { kind: 'legacy', why: `it lets nobody see ${HELLO_PATH} (${status})` }
  if (refusesUs)
    return {
      code: 'peer.refuses_us',
      detail: oneLine`
        ${origin} does not even greet this device (${status}); its token or certificate may have been revoked there.
        Pair the two again (POST /v1/peers/pairing), or enter this device there (POST /v1/peers/trust)
      `,
    }
  if (status >= UNAVAILABLE_FROM && status !== NOT_IMPLEMENTED)
    return { code: 'peer.bad_answer', detail: `${origin} cannot greet at present (${status})` }
  if (refusal && !isBetween(status, 200, 300) && status !== NOT_FOUND && status !== NOT_IMPLEMENTED)
    return { code: 'peer.bad_answer', detail: `${origin} does not greet (${status}, ${quote(refusal)})` }
  if (!isBetween(status, 200, 300)) return { kind: 'legacy', why: `it has no ${HELLO_PATH} (${status})` }
  const said = jsonIn(text)
  const errors = schemaErrors(HeardHello, said)
  if (errors.length > 0)
    return { kind: 'legacy', why: `what it has at ${HELLO_PATH} is no greeting (${firstError(errors, 'it')})` }
  return ofHello(expected, said as HeardHello)
}

/** Where a redirect leads; undefined: nowhere that could be told. */
const hostOf = (location: string | undefined, origin: string): string | undefined =>
  location === undefined ? undefined : URL.parse(location, origin)?.hostname

const NOT_FOUND = 404
const UNAVAILABLE_FROM = 500
const NOT_IMPLEMENTED = 501

const ofHello = ({ origin, own, known }: Expectation, hello: HeardHello): Greeted | Fault => {
  const { device_id, protocol_version } = hello
  if (device_id === own) return { code: 'peer.self', detail: `${origin} leads to this device itself` }
  if (known !== null && device_id !== known)
    return {
      code: 'peer.other_device',
      detail: oneLine`
        at ${origin} answers the device ${device_id}, where ${known} was met before. If it was replaced or set up anew,
        delete this peer and register it again
      `,
    }
  const agreement = agreementWith(hello)
  if (agreement) return { kind: 'native', hello, agreement }
  return {
    code: 'peer.other_version',
    detail: oneLine`
      ${origin} speaks version ${protocol_version} of the protocol between devices, this one ${PROTOCOL_VERSION}: the
      two do not understand each other. Update the older one
    `,
  }
}

const redirects = (origin: string, location: string | undefined): Fault => ({
  code: 'peer.redirects',
  detail: oneLine`
    ${origin} sends on to ${quote(location ?? 'nowhere')}, where nobody goes unasked; give the address of the device
    itself
  `,
})

/**
 * Who was never met may be of another kind, whatever was said of it. Of a device that was one of these before, nonsense
 * that is no HTTP is a failure, which passes.
 */
const notNative = ({ origin }: Expectation, why: string, came: GreetingAnswer | Fault): Fault =>
  'code' in came
    ? came
    : { code: 'peer.not_native', detail: `what answers at ${origin} is no device of this kind: ${why}` }
