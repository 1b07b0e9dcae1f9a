// The restart policy: how soon a crashed child is started again, and when it counts as failed.

/**
 * A crash leads to another start after a pause that doubles from `firstDelayMs` on. After more than `maxRestarts` of
 * them in a row the child has failed: it is tried again every `retryEveryMs`. A crash after a run of `goodRunMs` or
 * more is the first of a new row.
 */
export interface Policy {
  readonly maxRestarts: number
  readonly goodRunMs: number
  readonly firstDelayMs: number
  readonly retryEveryMs: number
}

export const defaultPolicy: Policy = {
  maxRestarts: 4, // the fifth crash in a row is not bad luck any more
  goodRunMs: 5_000, // an engine that crashes every 6 s is worth more running than waiting: a start costs 0.16 s of CPU
  firstDelayMs: 100, // an engine killed by a stray signal shall be back within a second
  retryEveryMs: 15_000, // a match lasts three minutes
}

/** What follows a crash. crashes: in a row, this one included. */
export interface AfterCrash {
  readonly crashes: number
  readonly hasFailed: boolean
  readonly delayMs: number
}

/** crashesBefore: in a row, without this one. ranMs: how long the child ran before it; 0 when it did not get to run. */
export const afterCrash = (policy: Policy, crashesBefore: number, ranMs: number): AfterCrash => {
  const crashes = ranMs >= policy.goodRunMs ? 1 : crashesBefore + 1
  const hasFailed = crashes > policy.maxRestarts
  return { crashes, hasFailed, delayMs: hasFailed ? policy.retryEveryMs : policy.firstDelayMs * 2 ** (crashes - 1) }
}
