// Waiting for what no event announces.

const EVERY_MS = 20

/** Reads again and again until what was read is good, and returns that. Fails after the limit with what was read last. */
export const until = async <T>(
  what: string,
  read: () => T | Promise<T>,
  isGood: (value: T) => boolean,
  limitMs = 10_000,
): Promise<T> => {
  const deadline = performance.now() + limitMs
  for (;;) {
    const value = await read()
    if (isGood(value)) return value
    if (performance.now() > deadline) throw new Error(`${what} did not come; last: ${JSON.stringify(value)}`)
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
  }
}
