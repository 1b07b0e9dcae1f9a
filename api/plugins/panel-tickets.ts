// Tickets for the files of panels. A panel has an origin that is nobody's, so that a browser sends no cookie with what
// it asks for: the address itself says that somebody who may see the page has opened it. A ticket opens the files of
// one version of one plugin, which hold no data of the device, and nothing else. They are forgotten with each start.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** As long as a day at a competition. */
const GOOD_FOR_US = 16 * 3600 * 1e6

const SUM_LENGTH = 22 // of base64url: 132 bits

export class PanelTickets {
  readonly #secret = randomBytes(32)
  readonly #monotonicUs: () => number

  constructor(monotonicUs: () => number) {
    this.#monotonicUs = monotonicUs
  }

  /** A ticket for the files of a plugin: small letters, digits, and what base64url has. */
  make(name: string, version: string): string {
    const until = Math.floor((this.#monotonicUs() + GOOD_FOR_US) / 1e6)
    return `${until.toString(36)}.${this.#sum(name, version, until)}`
  }

  isGood(ticket: string, name: string, version: string): boolean {
    const [written = '', sum = ''] = ticket.split('.')
    const until = Number.parseInt(written, 36)
    if (!Number.isSafeInteger(until) || sum.length !== SUM_LENGTH || this.#monotonicUs() > until * 1e6) return false
    const expected = this.#sum(name, version, until)
    return Buffer.byteLength(sum) === SUM_LENGTH && timingSafeEqual(Buffer.from(sum), Buffer.from(expected))
  }

  #sum(name: string, version: string, until: number): string {
    const sum = createHmac('sha256', this.#secret)
      .update(JSON.stringify([name, version, until]))
      .digest('base64url')
    return sum.slice(0, SUM_LENGTH)
  }
}
