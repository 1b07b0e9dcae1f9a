// The amount to reckon with of something that goes up and down.

/**
 * Rises at once and falls slowly, by a part of what is between: what is counted on shall not be exceeded in the next
 * moment.
 */
export const decaySlowly = (before: number | undefined, now: number, fall: number): number =>
  before === undefined || now > before ? now : before + fall * (now - before)
