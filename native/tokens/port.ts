// Who may come in with a token.

export interface Tokens {
  /** Compares in constant time. */
  readonly verify: (token: string) => boolean
  /** The administrator's token when it had to be made just now; it is told once and never again. null: there is one already. */
  readonly made: string | null
}
