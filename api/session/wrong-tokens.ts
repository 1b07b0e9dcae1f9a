// Holds back clients that try wrong tokens again and again, each address by itself. The right token passes at any time,
// also from such an address.

import type { FastifyReply } from 'fastify'
import type { Directory } from '../../actors/directory.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { type Profile, plainAddress } from '../../machines/http/access.ts'
import { areTooMany, countTry, TRIES_WINDOW_MS, type Tries } from '../../machines/http/wrong-tokens.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { monotonicMs } from '../../native/clock/port.ts'
import { fault } from '../problems/problem.ts'

/** With the connections that an address may have, 64 guesses a second: a token has 192 bits. */
const PAUSE_MS = 1_000

const MAX_ADDRESSES = 1_000 // the longest known are forgotten first

export interface WrongTokensParts {
  readonly profile: Profile
  readonly clock: Pick<Directory['clock'], 'monotonicUs' | 'wait'>
}

export class WrongTokens {
  readonly #parts: WrongTokensParts
  readonly #tries = new Map<string, Tries>()

  constructor(parts: WrongTokensParts) {
    this.#parts = parts
  }

  /** Counts a wrong token from an address, and answers what it is refused with, when it is time to. */
  async refusal(address: string, reply: FastifyReply): Promise<Fault> {
    const from = plainAddress(address)
    const tries = countTry(this.#tries.get(from), monotonicMs(this.#parts.clock))
    this.#tries.set(from, tries)
    const [longest] = this.#tries.size > MAX_ADDRESSES ? this.#tries.keys() : []
    if (longest !== undefined) this.#tries.delete(longest)
    if (!areTooMany(tries)) return fault('token.invalid', this.#parts.profile === 'bench' ? NONE : WRONG)
    await this.#parts.clock.wait(PAUSE_MS)
    reply.header('retry-after', String(TRIES_WINDOW_MS / 1000))
    return fault(
      'token.too_many_tries',
      oneLine`
        ${tries.count} wrong tokens came from ${from} within a minute; until that is over each of its wrong ones waits a
        second, and the right one is let in at once
      `,
    )
  }
}

const NONE = 'the token is not known here, and in the profile bench nobody needs one; leave it out'
const WRONG = oneLine`
  the token is not the one that is valid here; it was shown once in the log when the service first started, and a new
  one is made when the file administrator-token is deleted and the service started again
`
