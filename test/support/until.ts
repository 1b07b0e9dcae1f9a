// Waiting in tests: for as long as a machine with other work to do may need, and never without saying for what.
import { inspect } from 'node:util'

const { setTimeout, clearTimeout } = globalThis // those that no test has mocked

/** Many times what anything takes with four other busy processes on two cores: what takes longer never comes. */
export const PATIENCE_MS = 120_000

const FIRST_PAUSE_MS = 4
const MAX_PAUSE_MS = 30 // a frame's time: to ask more often would only take the time of those who are waited for

const shown = (value: unknown): string =>
  inspect(value, { depth: 4, maxArrayLength: 30, maxStringLength: 2000, breakLength: 160 })

/** Waits for a promise; fails after the limit with what did not come, and what there is instead. */
export const arrival = async <T>(
  what: string,
  promise: PromiseLike<T>,
  seen: () => unknown = () => 'nothing',
  limitMs = PATIENCE_MS,
): Promise<T> => {
  const failure = new Error() // made here, where its stack leads to the test
  const limit = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    failure.message = `${what} did not come within ${limitMs / 1000} s; last seen: ${shown(seen())}`
    failure.stack = `Error: ${failure.message}${failure.stack?.slice('Error'.length)}`
    limit.reject(failure)
  }, limitMs)
  try {
    return await Promise.race([promise, limit.promise])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Looks again and again until what is seen is good (as it stands: truthy), and returns that. Fails after the limit with
 * what was seen last.
 */
export const until = <T>(
  what: string,
  look: () => T | Promise<T>,
  isGood: (value: T) => unknown = Boolean,
  limitMs = PATIENCE_MS,
): Promise<T> => {
  let last: unknown = 'nothing'
  let isOver = false
  const looking = async () => {
    for (let pauseMs = FIRST_PAUSE_MS; !isOver; pauseMs = Math.min(1.5 * pauseMs, MAX_PAUSE_MS)) {
      const value = await look()
      last = value
      if (isGood(value)) return value
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
    return last as T // nobody waits for it any more
  }
  return arrival(what, looking(), () => last, limitMs).finally(() => {
    isOver = true
  })
}
