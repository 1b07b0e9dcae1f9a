// The kind `pairing`: what a device asks that would like to be paired, known by nothing but the certificate of its
// connection.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { askNow } from '../../actors/ask.ts'
import type { Directory } from '../../actors/directory.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { plainAddress } from '../../machines/http/access.ts'
import { areTooMany, countTry, TRIES_WINDOW_MS, type Tries } from '../../machines/http/wrong-tokens.ts'
import { NO_IDENTITY, toOthers } from '../../machines/identity/no-identity.ts'
import { NO_RUN } from '../../machines/pairing/pairing-faults.ts'
import type { Command } from '../../machines/supervision/actors.ts'
import { monotonicMs } from '../../native/clock/port.ts'
import type { DeviceIdentity, IdentityPort } from '../../native/identity/port.ts'
import { clientFingerprint } from '../connections/client-certificates.ts'
import { sendDocument } from '../endpoints/answer.ts'
import { type AnswerSpec, type BodySpec, type Endpoint, endpoint, type RowBase } from '../endpoints/endpoint.ts'
import { fault } from '../problems/problem.ts'

/** What the kind works with. */
interface PairingParts {
  readonly directory: Directory
  readonly identity: IdentityPort
}

/** What one request comes to. */
interface PairingRequest {
  /** What the pairing is told. fingerprint: of the certificate of the one that asks. */
  readonly order: (fingerprint: string) => Command<'pairing'>
  /** The answer, by what the pairing has said. own: the identity of this device. */
  readonly answer: (state: string | undefined, own: DeviceIdentity) => object
  /** The answer to a device that speaks of a run that the pairing does not know, where there is one. */
  readonly known?: (fingerprint: string) => object | undefined
}

/** A row of the kind. */
export interface PairingRow<Body extends TSchema> extends RowBase {
  readonly body: BodySpec<Body>
  readonly answer: Pick<AnswerSpec, 'schema' | 'example'>
  /** Takes a request; called once for each. */
  readonly take: (body: Static<Body>) => PairingRequest
}

const FAULTS = [
  ...(['actor.ended', 'actor.timeout', 'actor.unavailable', 'pairing.no_certificate'] as const),
  ...([...NO_IDENTITY, 'pairing.no_run', 'pairing.too_many_tries', 'peer.self'] as const),
]

/**
 * Each run has a chance of its own: no answer may be kept for a repeat, and none is given to whoever has shown no
 * certificate. So these rows are no commands.
 */
export const pairing = <Body extends TSchema>(
  path: string,
  requests: PairingRequests,
  row: PairingRow<Body>,
): Endpoint =>
  endpoint(
    'pairing',
    'POST',
    path,
    { ...row, access: 'open', faults: [...FAULTS, ...(row.faults ?? [])] },
    {
      body: row.body,
      answer: { status: 'ok', mediaType: 'application/json', ...row.answer },
      serve: ({ request, body }, reply) => requests.serve(request, reply, row.take(body as Static<Body>)),
    },
  )

const MAX_ADDRESSES = 1_000 // the longest known are forgotten first

/** Answers devices that nobody knows yet: wants a certificate, counts refusals, and says the same to all that guess. */
export class PairingRequests {
  readonly #parts: PairingParts
  readonly #refused = new Map<string, Tries>()

  constructor(parts: PairingParts) {
    this.#parts = parts
  }

  /** Answers a request, whose sender is known by the certificate of its connection. */
  async serve(request: FastifyRequest, reply: FastifyReply, taken: PairingRequest): Promise<FastifyReply> {
    const address = plainAddress(request.ip)
    if (this.#isTired(address)) {
      reply.header('retry-after', String(TRIES_WINDOW_MS / 1_000))
      return sendDocument(reply, 'ok', TOO_MANY_TRIES)
    }
    const fingerprint = clientFingerprint(request.raw.socket)
    const asked = await this.#ask(fingerprint, taken)
    const isUnknown = isFault(asked) && asked.code === NO_RUN.code && fingerprint !== undefined
    const found = (isUnknown ? taken.known?.(fingerprint) : undefined) ?? asked
    if (isFault(found)) this.#count(address)
    return sendDocument(reply, 'ok', found)
  }

  async #ask(fingerprint: string | undefined, { order, answer }: PairingRequest): Promise<object | Fault> {
    const { directory, identity } = this.#parts
    if (fingerprint === undefined) return NO_CERTIFICATE
    const own = identity.now()
    if (isFault(own)) return toOthers(own)
    if (fingerprint === own.fingerprint) return SELF
    const actor = directory.actor('pairing')
    if (!actor) return fault('actor.unavailable', 'pairing is being restarted; begin again in a second')
    const reply = await askNow(actor, order(fingerprint))
    return reply.outcome === 'done' ? answer(reply.value, own) : reply.fault
  }

  #isTired(address: string): boolean {
    const tries = this.#refused.get(address)
    return tries !== undefined && this.#nowMs() - tries.sinceMs < TRIES_WINDOW_MS && areTooMany(tries)
  }

  #count(address: string): void {
    this.#refused.set(address, countTry(this.#refused.get(address), this.#nowMs()))
    const [longest] = this.#refused.size > MAX_ADDRESSES ? this.#refused.keys() : []
    if (longest !== undefined) this.#refused.delete(longest)
  }

  #nowMs(): number {
    return monotonicMs(this.#parts.directory.clock)
  }
}

const NO_CERTIFICATE = fault(
  'pairing.no_certificate',
  'devices are paired by their certificates: ask over TLS, and show one',
)
const SELF = fault('peer.self', 'this device has called itself')
const TOO_MANY_TRIES = fault(
  'pairing.too_many_tries',
  'this address was refused ten times within a minute; until that is over it is not listened to',
)
