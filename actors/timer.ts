// Being called back after a while, by something that a test can put its own clock in the place of.

/** Calls back once after a delay; returns the way to stop that. */
export type StartTimer = (delayMs: number, callback: () => void) => () => void

/** Of this process. */
export const startTimer: StartTimer = (delayMs, callback) => {
  const timer = setTimeout(callback, delayMs)
  return () => clearTimeout(timer)
}
