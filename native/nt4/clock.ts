// The clock both ends of a connection count with: monotonic, so that setting the wall clock moves no timestamp.

/** CLOCK_MONOTONIC, µs, whole: the time base of every frame. */
export const monotonicUs = (): number => Math.round(ORIGIN_US + performance.now() * 1000)

/** Unix time at the start of the process plus what the monotonic clock has counted since, µs, whole: what a desktop server's stamps look like. */
export const epochUs = (): number => Math.round((performance.timeOrigin + performance.now()) * 1000)

// performance.now() counts CLOCK_MONOTONIC from the start of the process.
const ORIGIN_US = Number(process.hrtime.bigint()) / 1000 - performance.now() * 1000
