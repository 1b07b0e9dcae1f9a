// What readers of the API see of the networks: read when they ask, and devices of the team asked at most every few
// seconds, however many readers there are.
import type { Fault } from '../../machines/errors/fault.ts'
import { isFault } from '../../machines/errors/fault.ts'
import type { NetworkReading } from '../../machines/network/interface.ts'
import type { NetworkPort } from '../../native/network/port.ts'
import { answerOf } from '../run.ts'

const MIN_BETWEEN_US = 3_000_000

/** What answered, by address; null: it cannot be asked. */
export type Answered = ReadonlyMap<string, boolean | null>

export class NetworkLook {
  readonly #port: Pick<NetworkPort, 'read' | 'reach'>
  readonly #nowUs: () => number
  #last: { readonly atUs: number; readonly of: string; readonly answered: Promise<Answered> } | null = null

  constructor(port: Pick<NetworkPort, 'read' | 'reach'>, nowUs: () => number) {
    this.#port = port
    this.#nowUs = nowUs
  }

  /** All interfaces, or why none can be read. */
  read(): Promise<NetworkReading | Fault> {
    return answerOf(this.#port.read)
  }

  /** Whether these devices answer, as of some seconds ago at most. */
  reach(addresses: readonly string[]): Promise<Answered> {
    const [of, atUs] = [addresses.join(), this.#nowUs()]
    if (!this.#last || this.#last.of !== of || atUs - this.#last.atUs > MIN_BETWEEN_US)
      this.#last = { atUs, of, answered: this.#ask(addresses) }
    return this.#last.answered
  }

  async #ask(addresses: readonly string[]): Promise<Answered> {
    const found = await answerOf(this.#port.reach(addresses))
    return new Map(isFault(found) ? [] : addresses.map((address, n) => [address, found[n] ?? null] as const))
  }
}
