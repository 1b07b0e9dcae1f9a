// Wrong tokens, counted by address: how many are answered at once. The right token is never counted, and never waits.

/** A person mistypes, a program with an old token asks a few times; beyond this each answer is held back. */
export const FREE_TRIES = 10

/** The free tries are for this long. */
export const TRIES_WINDOW_MS = 60_000

/** The wrong tries of one address since `sinceMs` of whatever clock. */
export interface Tries {
  readonly count: number
  readonly sinceMs: number
}

/** With one more. A window begins with the first try in it. */
export const countTry = (before: Tries | undefined, nowMs: number): Tries =>
  before && nowMs - before.sinceMs < TRIES_WINDOW_MS
    ? { ...before, count: before.count + 1 }
    : { count: 1, sinceMs: nowMs }

/** Whether the latest of them is one too many. */
export const areTooMany = ({ count }: Tries): boolean => count > FREE_TRIES
