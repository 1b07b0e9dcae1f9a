// A timer that a test can replace by a clock of its own.

/** Calls back once after a delay; returns the function that stops it. */
export type StartTimer = (delayMs: number, callback: () => void) => () => void

/** The timer of this process. */
export const startTimer: StartTimer = (delayMs, callback) => {
  const timer = setTimeout(callback, delayMs)
  return () => clearTimeout(timer)
}
