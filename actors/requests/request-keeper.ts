// Sees to it that a request which is repeated is carried out once. It lives as long as the service, for all its servers.
import * as Effect from 'effect/Effect'
import { type Fault, faultOf, isFault } from '../../machines/errors/fault.ts'
import type { Latest } from '../../machines/latest.ts'
import { type GivenAnswer, type KeptRequest, type RequestMark, reused } from '../../machines/requests/request.ts'
import { token } from '../../machines/token.ts'
import type { Documents } from '../../native/documents/port.ts'

/** A request's answer. isRepeat: it was given before, or is being given to another who asked the same. */
export interface OnceAnswered {
  readonly answer: GivenAnswer
  readonly isRepeat: boolean
}

/**
 * Carries a request out. written: what it left when it was carried out before without being answered; then only the answer is made.
 * isFinal: whether the same request would get this answer again; one that says "not now" shall be tried again.
 */
export type CarryOut = (written: KeptRequest['written']) => Promise<GivenAnswer & { readonly isFinal: boolean }>

/** Where requests are kept. */
type KeptRequests = Pick<Documents, 'findRequest' | 'finishRequest'>

/** One for all servers of this device. */
export const REQUESTS = token<RequestKeeper>('requests')

/** Remembers requests: those that are being carried out here, those that were on disk. */
export class RequestKeeper {
  readonly #record: (fault: Fault) => void
  readonly #documents: Pick<Latest<KeptRequests>, 'value'>
  readonly #running = new Map<string, { readonly fingerprint: string; readonly answer: Promise<GivenAnswer> }>()

  /** record: enters a fault in the error history. documents: where requests are kept, once that is open. */
  constructor(record: (fault: Fault) => void, documents: Pick<Latest<KeptRequests>, 'value'>) {
    this.#record = record
    this.#documents = documents
  }

  /** The answer; or `request_id.reused` when the key stands for another request, or why what is kept cannot be read. */
  async once(mark: RequestMark, carryOut: CarryOut): Promise<OnceAnswered | Fault> {
    const running = this.#running.get(mark.key)
    if (running) return running.fingerprint === mark.fingerprint ? repeated(await running.answer) : reused(mark)
    // Nothing is waited for between the look and the entry: of two that come at once, one is first.
    const kept = this.#find(mark.key)
    if (isFault(kept)) return kept
    if (kept && kept.fingerprint !== mark.fingerprint) return reused(mark)
    if (kept?.answer) return repeated(kept.answer)
    const answer = this.#carryOut(mark, kept?.written ?? null, carryOut)
    this.#running.set(mark.key, { fingerprint: mark.fingerprint, answer })
    try {
      return { answer: await answer, isRepeat: kept !== undefined }
    } finally {
      this.#running.delete(mark.key)
    }
  }

  async #carryOut(mark: RequestMark, written: KeptRequest['written'], carryOut: CarryOut): Promise<GivenAnswer> {
    const { isFinal, ...answer } = await carryOut(written)
    if (isFinal && this.#documents.value) {
      // What was done is done, and is answered whether or not it can be remembered.
      const kept = Effect.runSync(Effect.result(this.#documents.value.finishRequest(mark, answer)))
      if (kept._tag === 'Failure') this.#record(faultOf(kept.failure))
    }
    return answer
  }

  #find(key: string): KeptRequest | undefined | Fault {
    if (!this.#documents.value)
      return { code: 'actor.unavailable', detail: 'the settings are not read yet; try again in a second' }
    const found = Effect.runSync(Effect.result(this.#documents.value.findRequest(key)))
    return found._tag === 'Failure' ? faultOf(found.failure) : found.success
  }
}

const repeated = (answer: GivenAnswer): OnceAnswered => ({ answer, isRepeat: true })
