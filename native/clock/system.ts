// The device's two clocks.

/** Unix time, ms; follows the wall clock when that is set. */
export const nowMs = (): number => Date.now()

/** CLOCK_MONOTONIC in µs: the time base of every frame, the same in the engine's C++. */
export const monotonicUs = (): number => {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1e6 + nanoseconds / 1e3
}
