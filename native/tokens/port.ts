// Who may come in with a token.
import type { Fault } from '../../machines/errors/fault.ts'
import { token } from '../../machines/token.ts'

export interface Tokens {
  /** Compares in constant time. */
  readonly verify: (token: string) => boolean
  /** Tells one token from another, also when it is good; nobody can make the token from it. null: no token is good. */
  readonly fingerprint: string | null
  /**
   * The administrator's token when it had to be made just now; it is told once and never again. null: there is one
   * already, or none can be had.
   */
  readonly made: string | null
  /** Why no token is good at all: `token.unusable`, `token.not_kept`. */
  readonly fault: Fault | null
}

/** The tokens of this device's administrators. */
export const TOKENS = token<Tokens>('tokens')
