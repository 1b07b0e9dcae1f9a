// Sees to it that a request which is repeated is carried out once. It lives as long as the service, for all its
// servers.
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import type { Latest } from '../../machines/latest.ts'
import { type GivenAnswer, type KeptRequest, type RequestMark, reused } from '../../machines/requests/request.ts'
import { token } from '../../machines/token.ts'
import type { Documents } from '../../native/documents/port.ts'
import { answerOf } from '../run.ts'

/** A request's answer. isRepeat: it was given before, or is being given to another who asked the same. */
export interface OnceAnswered {
  readonly answer: GivenAnswer
  readonly isRepeat: boolean
}

/**
 * Carries a request out. written: what it left when it was carried out before without being answered; then only the
 * answer is made. isFinal: whether the same request would get this answer again; one that says "not now" shall be tried
 * again.
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
  readonly #running = new Map<
    string,
    { readonly fingerprint: string; readonly answer: Promise<OnceAnswered | Fault> }
  >()

  /** record: enters a fault in the error history. documents: where requests are kept, once that is open. */
  constructor(record: (fault: Fault) => void, documents: Pick<Latest<KeptRequests>, 'value'>) {
    this.#record = record
    this.#documents = documents
  }

  /** The answer; or `request_id.reused` when the key stands for another request, or why what is kept cannot be read. */
  async once(mark: RequestMark, carryOut: CarryOut): Promise<OnceAnswered | Fault> {
    const running = this.#running.get(mark.key)
    if (running) {
      if (running.fingerprint !== mark.fingerprint) return reused(mark)
      const first = await running.answer
      return isFault(first) ? first : repeated(first.answer)
    }
    // Nothing is waited for between the look and the entry: of two that come at once, one is first.
    const answer = this.#answer(mark, carryOut)
    this.#running.set(mark.key, { fingerprint: mark.fingerprint, answer })
    try {
      return await answer
    } finally {
      this.#running.delete(mark.key)
    }
  }

  async #answer(mark: RequestMark, carryOut: CarryOut): Promise<OnceAnswered | Fault> {
    const documents = this.#documents.value
    if (!documents) return NOT_READ
    const kept = await answerOf(documents.findRequest(mark.key))
    if (isFault(kept)) return kept
    if (kept && kept.fingerprint !== mark.fingerprint) return reused(mark)
    if (kept?.answer) return repeated(kept.answer)
    const { isFinal, ...answer } = await carryOut(kept?.written ?? null)
    if (isFinal) {
      // What was done is done, and is answered whether or not it can be remembered.
      const unkept = await answerOf(documents.finishRequest(mark, answer))
      if (isFault(unkept)) this.#record(unkept)
    }
    return { answer, isRepeat: kept !== undefined }
  }
}

const NOT_READ: Fault = { code: 'actor.unavailable', detail: 'the settings are not read yet; try again in a second' }

const repeated = (answer: GivenAnswer): OnceAnswered => ({ answer, isRepeat: true })
