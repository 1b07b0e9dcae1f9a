// What is told again and again is told by all at the same moments: then the page is laid out and painted once for all.

/** How long until the next moment at which those tell who tell every so often, ms. */
export const untilNext = (everyMs: number): number => everyMs - (Date.now() % everyMs)
