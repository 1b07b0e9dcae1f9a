// Keeps work of several parts within one time limit.

/** Milliseconds of a limit that are left, which began with this: asked each time that a part of the work begins. */
export type TimeLeft = (limitMs: number) => number

/** nowMs: of a clock that never jumps. */
export const startTimeLimit = (nowMs: () => number = () => performance.now()): TimeLeft => {
  const sinceMs = nowMs()
  return (limitMs) => Math.max(0, sinceMs + limitMs - nowMs())
}

/** Waits for an answer at most that long. undefined: it took longer. */
export const awaitWithin = async <Value>(answer: Promise<Value>, limitMs: number): Promise<Value | undefined> => {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), limitMs)
  try {
    return await Promise.race([answer, promise])
  } finally {
    clearTimeout(timer)
  }
}
